"""How many true variants of a name do we join, and how many others?

Ancestry labelled 107,630 candidate pairs of names as variants or not.  A ladder of tests goes from
the same spelling through tables and sound keys to plain similarity; each level joins more pairs
than the ones before, and fewer of them rightly.  The table gives precision and recall of everything
joined so far.  The order and the limits of the ladder were chosen on the head names whose SHA-256
begins with an even digit (tune); the others judge.

Run ``python -m benchmarks.quality.name_pairs``; it ends with status 1 if a bar is not reached.
"""

import csv
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from forebear.normalize.name_keys import daitch_mokotoff, nysiis, soundex
from forebear.normalize.name_pairs import MAX_LENGTH, NamePart, reasons_to_join
from forebear.normalize.pronunciation import sounds_alike
from forebear.normalize.similarity import jaro_winkler, osa_distance
from forebear.normalize.spelling import ascii_forms, normalize_name
from forebear.normalize.surnames import without_particle

ROOT = Path(__file__).resolve().parents[2]
NAMES = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "names"
FILES: dict[NamePart, str] = {
    "surname": "AncestrySurnamePairs.csv",
    "given": "AncestryGivennamePairs.csv",
}
RECALL = 0.85
BARS: dict[NamePart, float] = {"surname": 0.83, "given": 0.95}


class Pair(NamedTuple):
    """Two names, whether they are variants, and whether the pair may be tuned on."""

    head: str
    variant: str
    is_good: bool
    is_tuning: bool


class Point(NamedTuple):
    """Precision and recall of everything joined up to a level."""

    precision: float
    recall: float


def main() -> int:
    is_below = False
    for kind, file in FILES.items():
        pairs = list(read_pairs(NAMES / file))
        levels = [level_of(pair.head, pair.variant, kind=kind) for pair in pairs]
        tune, judge = (climb(kind, pairs, levels, is_tuning=which) for which in (True, False))
        print(f"{kind}: {len(pairs)} pairs   tune P     R    judge P     R")
        for level, tuned, judged in zip(LADDERS[kind], tune, judge, strict=True):
            print(f"  {level.name:<26}{tuned.precision:.3f} {tuned.recall:.3f}", end="   ")
            print(f"  {judged.precision:.3f} {judged.recall:.3f}")
        reached = next((point for point in judge if point.recall >= RECALL), Point(0.0, 0.0))
        print(f"  first level at recall {RECALL}: precision {reached.precision:.3f}", end=" ")
        print(f"at recall {reached.recall:.3f} (wanted {BARS[kind]})")
        is_below = is_below or reached.precision < BARS[kind]
    return 1 if is_below else 0


def read_pairs(path: Path) -> Iterator[Pair]:
    """Yield the labelled pairs of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            head = row["HeadName"]
            digit = hashlib.sha256(head.lower().encode()).hexdigest()[0]
            is_good = row["Bad"].strip() != "1"
            yield Pair(head, row["VariantName"], is_good, int(digit, 16) % 2 == 0)


def climb(
    kind: NamePart, pairs: list[Pair], levels: list[int | None], *, is_tuning: bool
) -> list[Point]:
    """Return precision and recall after each level, on one half of the pairs."""
    mine = [
        (pair.is_good, level)
        for pair, level in zip(pairs, levels, strict=True)
        if pair.is_tuning == is_tuning
    ]
    good = sum(is_good for is_good, _ in mine)
    points = []
    for top in range(len(LADDERS[kind])):
        joined = [is_good for is_good, level in mine if level is not None and level <= top]
        points.append(Point(sum(joined) / max(len(joined), 1), sum(joined) / good))
    return points


class Level(NamedTuple):
    """A test of two normalized names."""

    name: str
    joins: Callable[[str, str], bool]


def level_of(first: str, second: str, *, kind: NamePart) -> int | None:
    """Return the first level that joins two names, counted from 0, or None if none does.

    >>> LADDERS["surname"][level_of("Smith", "Smyth", kind="surname")].name
    'same sound, vowels too'
    """
    a, b = normalize_name(first), normalize_name(second)
    if not a or not b or max(len(a), len(b)) > MAX_LENGTH:
        return None
    ladder = LADDERS[kind]
    return next((at for at, level in enumerate(ladder) if level.joins(a, b)), None)


def _letters(name: str) -> str:
    return (ascii_forms(name) or ("",))[0]


def _share_letters(a: str, b: str) -> bool:
    return not set(ascii_forms(a)).isdisjoint(ascii_forms(b))


def _share_core(a: str, b: str) -> bool:
    return not without_particle(a).isdisjoint(without_particle(b))


def _are_joined(kind: NamePart, *reasons: str) -> Callable[[str, str], bool]:
    return lambda a, b: not set(reasons).isdisjoint(reasons_to_join(a, b, kind=kind))


def _share_nysiis(a: str, b: str) -> bool:
    return nysiis(a) == nysiis(b)


def _share_soundex(a: str, b: str) -> bool:
    return soundex(a) == soundex(b)


def _share_daitch_mokotoff(a: str, b: str) -> bool:
    return not daitch_mokotoff(a).isdisjoint(daitch_mokotoff(b))


def _similar(limit: float) -> Callable[[str, str], bool]:
    return lambda a, b: jaro_winkler(_letters(a), _letters(b)) >= limit


def _within(edits: int) -> Callable[[str, str], bool]:
    return lambda a, b: osa_distance(_letters(a), _letters(b), limit=edits) <= edits


def _both(*tests: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    return lambda a, b: all(test(a, b) for test in tests)


def _share_first_letter(a: str, b: str) -> bool:
    return a[0] == b[0]


def _are_long(letters: int) -> Callable[[str, str], bool]:
    return lambda a, b: min(len(a), len(b)) >= letters


LADDERS: dict[NamePart, tuple[Level, ...]] = {
    "surname": (
        Level("same letters", _share_letters),
        Level("same without particles", _share_core),
        Level("abbreviated", _are_joined("surname", "abbrev")),
        Level("same sound, vowels too", sounds_alike),
        Level("NYSIIS, JW .82", _both(_share_nysiis, _similar(0.82))),
        Level("JW .95", _similar(0.95)),
        Level("NYSIIS, JW .70", _both(_share_nysiis, _similar(0.70))),
        Level("DM, JW .82", _both(_share_daitch_mokotoff, _similar(0.82))),
        Level("known forms", _are_joined("surname", "variant", "translated", "gendered")),
        Level("DM, JW .75", _both(_share_daitch_mokotoff, _similar(0.75))),
        Level("JW .93", _similar(0.93)),
        Level("NYSIIS", _share_nysiis),
        Level("JW .91", _similar(0.91)),
        Level("2 edits, 8 letters", _both(_within(2), _are_long(8))),
        Level("Soundex, JW .70", _both(_share_soundex, _similar(0.70))),
        Level("DM", _share_daitch_mokotoff),
        Level("JW .89", _similar(0.89)),
        Level("2 edits, JW .84", _both(_share_first_letter, _within(2), _similar(0.84))),
        Level("JW .84", _similar(0.84)),
    ),
    "given": (
        Level("same letters", _share_letters),
        Level("abbreviated", _are_joined("given", "abbrev")),
        Level("NYSIIS, JW .86", _both(_share_nysiis, _similar(0.86))),
        Level("same sound, vowels too", sounds_alike),
        Level("JW .95", _similar(0.95)),
        Level("NYSIIS, JW .82", _both(_share_nysiis, _similar(0.82))),
        Level("DM, JW .86", _both(_share_daitch_mokotoff, _similar(0.86))),
        Level("JW .93", _similar(0.93)),
        Level("NYSIIS, JW .70", _both(_share_nysiis, _similar(0.70))),
        Level("DM, JW .75", _both(_share_daitch_mokotoff, _similar(0.75))),
        Level("JW .91", _similar(0.91)),
        Level("2 edits, 8 letters", _both(_within(2), _are_long(8))),
        Level("known forms", _are_joined("given", "variant", "nickname", "translated")),
        Level("DM", _share_daitch_mokotoff),
        Level("2 edits, JW .89", _both(_share_first_letter, _within(2), _similar(0.89))),
        Level("2 edits, JW .84", _both(_share_first_letter, _within(2), _similar(0.84))),
        Level("JW .89", _similar(0.89)),
        Level("Soundex, JW .70", _both(_share_soundex, _similar(0.70))),
        Level("JW .84", _similar(0.84)),
    ),
}


if __name__ == "__main__":
    sys.exit(main())

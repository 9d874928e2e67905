"""How many true variants of a name do we join, and how many others?

Ancestry labelled 107,630 candidate pairs of names as variants or not.  The ladder of tests in
``forebear.normalize.name_pairs.levels`` is climbed a level at a time; the table gives precision
and recall of everything joined so far.  Its order and limits were chosen on the head names
whose SHA-256 begins with an even digit (tune); the others judge.  Run ``python -m
benchmarks.quality.name_pairs``; it ends with status 1 if a bar is not reached.
"""

import csv
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from forebear.normalize.name_pairs.join import NameKind
from forebear.normalize.name_pairs.levels import LADDERS, level_of

ROOT = Path(__file__).resolve().parents[2]
NAMES = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "names"
FILES: dict[NameKind, str] = {
    "surname": "AncestrySurnamePairs.csv",
    "given": "AncestryGivennamePairs.csv",
}
RECALL = 0.85
BARS: dict[NameKind, float] = {"surname": 0.83, "given": 0.95}


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
    kind: NameKind, pairs: list[Pair], levels: list[int | None], *, is_tuning: bool
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


if __name__ == "__main__":
    sys.exit(main())

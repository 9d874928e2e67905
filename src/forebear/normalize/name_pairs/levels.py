"""How far must one go to join two names: a ladder of tests, the most precise first?

`reasons_to_join` answers for two names alone.  A search asks otherwise: which names are worth
trying, and in which order?  The ladder goes from the same spelling through tables and sound
keys to plain likeness; each level joins more pairs than the ones before, and fewer of them
rightly.  The order and the limits were chosen on labelled pairs of variants
(``benchmarks/quality/name_pairs.py``).
"""

from collections.abc import Callable
from typing import NamedTuple

from forebear.normalize.likeness import jaro_winkler, osa_distance
from forebear.normalize.name_keys import daitch_mokotoff, nysiis, soundex
from forebear.normalize.name_pairs.join import LONGEST_NAME, NameKind, reasons_to_join
from forebear.normalize.name_pairs.surname_cores import cores
from forebear.normalize.pronunciation import sounds_alike
from forebear.normalize.spelling import ascii_forms, normalize_name


class Level(NamedTuple):
    """A test of two spelled names."""

    name: str
    joins: Callable[[str, str], bool]


def level_of(first: str, second: str, *, kind: NameKind) -> int | None:
    """Return the first level that joins two names, counted from 0, or None if none does.

    >>> LADDERS["surname"][level_of("Smith", "Smyth", kind="surname")].name
    'same sound, vowels too'
    """
    a, b = normalize_name(first), normalize_name(second)
    if not a or not b or max(len(a), len(b)) > LONGEST_NAME:
        return None
    ladder = LADDERS[kind]
    return next((at for at, level in enumerate(ladder) if level.joins(a, b)), None)


def _fold(name: str) -> str:
    return (ascii_forms(name) or ("",))[0]


def _share_fold(a: str, b: str) -> bool:
    return not set(ascii_forms(a)).isdisjoint(ascii_forms(b))


def _share_core(a: str, b: str) -> bool:
    return not cores(a).isdisjoint(cores(b))


def _are_known(kind: NameKind, *reasons: str) -> Callable[[str, str], bool]:
    return lambda a, b: not set(reasons).isdisjoint(reasons_to_join(a, b, kind=kind))


def _share_nysiis(a: str, b: str) -> bool:
    return nysiis(a) == nysiis(b)


def _share_soundex(a: str, b: str) -> bool:
    return soundex(a) == soundex(b)


def _share_daitch_mokotoff(a: str, b: str) -> bool:
    return not daitch_mokotoff(a).isdisjoint(daitch_mokotoff(b))


def _alike(limit: float) -> Callable[[str, str], bool]:
    return lambda a, b: jaro_winkler(_fold(a), _fold(b)) >= limit


def _within(edits: int) -> Callable[[str, str], bool]:
    return lambda a, b: osa_distance(_fold(a), _fold(b), limit=edits) <= edits


def _both(*tests: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    return lambda a, b: all(test(a, b) for test in tests)


def _share_first_letter(a: str, b: str) -> bool:
    return a[0] == b[0]


def _are_long(letters: int) -> Callable[[str, str], bool]:
    return lambda a, b: min(len(a), len(b)) >= letters


LADDERS: dict[NameKind, tuple[Level, ...]] = {
    "surname": (
        Level("same letters", _share_fold),
        Level("same without particles", _share_core),
        Level("abbreviated", _are_known("surname", "abbrev")),
        Level("same sound, vowels too", sounds_alike),
        Level("NYSIIS, JW .82", _both(_share_nysiis, _alike(0.82))),
        Level("JW .95", _alike(0.95)),
        Level("NYSIIS, JW .70", _both(_share_nysiis, _alike(0.70))),
        Level("DM, JW .82", _both(_share_daitch_mokotoff, _alike(0.82))),
        Level("known forms", _are_known("surname", "variant", "translated", "gendered")),
        Level("DM, JW .75", _both(_share_daitch_mokotoff, _alike(0.75))),
        Level("JW .93", _alike(0.93)),
        Level("NYSIIS", _share_nysiis),
        Level("JW .91", _alike(0.91)),
        Level("2 edits, 8 letters", _both(_within(2), _are_long(8))),
        Level("Soundex, JW .70", _both(_share_soundex, _alike(0.70))),
        Level("DM", _share_daitch_mokotoff),
        Level("JW .89", _alike(0.89)),
        Level("2 edits, JW .84", _both(_share_first_letter, _within(2), _alike(0.84))),
        Level("JW .84", _alike(0.84)),
    ),
    "given": (
        Level("same letters", _share_fold),
        Level("abbreviated", _are_known("given", "abbrev")),
        Level("NYSIIS, JW .86", _both(_share_nysiis, _alike(0.86))),
        Level("same sound, vowels too", sounds_alike),
        Level("JW .95", _alike(0.95)),
        Level("NYSIIS, JW .82", _both(_share_nysiis, _alike(0.82))),
        Level("DM, JW .86", _both(_share_daitch_mokotoff, _alike(0.86))),
        Level("JW .93", _alike(0.93)),
        Level("NYSIIS, JW .70", _both(_share_nysiis, _alike(0.70))),
        Level("DM, JW .75", _both(_share_daitch_mokotoff, _alike(0.75))),
        Level("JW .91", _alike(0.91)),
        Level("2 edits, 8 letters", _both(_within(2), _are_long(8))),
        Level("known forms", _are_known("given", "variant", "nickname", "translated")),
        Level("DM", _share_daitch_mokotoff),
        Level("2 edits, JW .89", _both(_share_first_letter, _within(2), _alike(0.89))),
        Level("2 edits, JW .84", _both(_share_first_letter, _within(2), _alike(0.84))),
        Level("JW .89", _alike(0.89)),
        Level("Soundex, JW .70", _both(_share_soundex, _alike(0.70))),
        Level("JW .84", _alike(0.84)),
    ),
}

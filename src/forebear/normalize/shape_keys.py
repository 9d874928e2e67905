"""What does a name look like in handwriting?

Letters that a reader confuses fall into one class, so that misread names share a key: tarr and
farr, harnes and hames, clark and dark.  The first letter has the classes of capitals.  Of the
others, a run of letters made of upright strokes (i r one, u n v two, m w three) counts by half
its strokes, so rn, in and m are one; the rest have classes of their own.  A name has two keys:
letter by letter, and with groups that look like one letter read as that letter.
"""

import re
from functools import lru_cache

from forebear.normalize.names import folds

_CAPITALS = ("lstfijy", "cgeq", "khnmw", "prb", "do", "uv")
_SMALL = ("ao", "ec", "lt", "hkb", "gyqj", "sf")
_STROKES = {"i": 1, "r": 1, "u": 2, "n": 2, "v": 2, "m": 3, "w": 3}
_GROUPS = (
    *(("fs", "ss"), ("ff", "f"), ("cl", "d"), ("li", "h"), ("vv", "w"), ("ie", "ei")),
    *(("ee", "u"), ("tt", "ll")),
)
_FIRST = {letter: group[0].upper() for group in _CAPITALS for letter in group}
_LATER = {letter: group[0] for group in _SMALL for letter in group}
_RUN = re.compile("[iruvnmw]+|.")
_DIGITS = str.maketrans("0158", "olsb")  # what a scanner reads for these letters


@lru_cache(maxsize=65_536)
def shape_keys(name: str) -> frozenset[str]:
    """Return the shape keys of a spelled name.

    >>> sorted(shape_keys("clark") & shape_keys("dark")), shape_keys("smith") & shape_keys("jones")
    (['Da1h'], frozenset())
    """
    keys = set()
    for fold in folds(name)[:1]:
        letters = fold.translate(_DIGITS)
        grouped = letters
        for group, single in _GROUPS:
            grouped = grouped.replace(group, single)
        keys |= {_key(letters), _key(grouped)}
    return frozenset(keys - {""})


def _key(letters: str) -> str:
    if not letters:
        return ""
    first = _FIRST.get(letters[0], letters[0].upper())
    shapes = [_shape(run) for run in _RUN.findall(letters[1:])]
    return first + "".join(b for a, b in zip(["", *shapes], shapes, strict=False) if a != b)


def _shape(run: str) -> str:
    if run[0] not in _STROKES:
        return _LATER.get(run, run)
    strokes = sum(_STROKES[letter] for letter in run)
    return str((strokes + 1) // 2)

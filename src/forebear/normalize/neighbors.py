"""Which names of a vocabulary are only a few edits away?

An edit changes at most two of the 26 bits that say which letters a word has, and its length by one.
So words that differ in more than twice as many bits as edits allowed, or too much in length, are
sifted out in one pass over two arrays, and only the few that remain are compared letter by letter.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from forebear.normalize.likeness import osa_distance
from forebear.normalize.names import folds

_CACHED_NAMES = 4096


class Neighborhood:
    """A vocabulary of spelled names, ready to be asked for the neighbors of a name."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._folded = tuple((folds(name) or ("",))[0] for name in self._names)
        self._signatures = np.fromiter(map(_signature, self._folded), np.uint32, len(self._names))
        self._lengths = np.fromiter(map(len, self._folded), np.int16, len(self._names))
        self._cached = lru_cache(maxsize=_CACHED_NAMES)(self._find)

    def neighbors(self, name: str, *, edits: int = 1) -> tuple[str, ...]:
        """Return the names at most so many edits from this one, the nearest first.

        >>> Neighborhood(["smith", "smyth", "jones", "smithers"]).neighbors("smith")
        ('smith', 'smyth')
        """
        return self._cached(name, edits)

    def _find(self, name: str, edits: int) -> tuple[str, ...]:
        folded = (folds(name) or ("",))[0]
        found = [
            (distance, position)
            for position in self._likely(folded, edits)
            if (distance := osa_distance(folded, self._folded[position], limit=edits)) <= edits
        ]
        return tuple(self._names[position] for _, position in sorted(found))

    def _likely(self, folded: str, edits: int) -> NDArray[np.intp]:
        differing = np.bitwise_count(self._signatures ^ np.uint32(_signature(folded)))
        is_near = np.abs(self._lengths - len(folded)) <= edits
        return np.flatnonzero((differing <= 2 * edits) & is_near)


def _signature(folded: str) -> int:
    """Return which letters a word has, a bit a letter; digits have none."""
    bits = 0
    for letter in folded:
        if "a" <= letter <= "z":
            bits |= 1 << (ord(letter) - ord("a"))
    return bits

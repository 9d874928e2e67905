"""Which names of a vocabulary are spelled nearly like a name?

Two measures, each with its sieve over arrays of which letters each word has, a bit a letter.  An
edit takes at most one kind of letter away and brings at most one, and changes the length by one.
Jaro's likeness of two words cannot be more than the letters they can have in common allow, and
Winkler adds nothing where the first letters differ.  Only the few words that remain are compared
letter by letter.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler

from forebear.normalize.similarity import PREFIX_BONUS, PREFIX_LETTERS
from forebear.normalize.spelling import ascii_forms

_CACHED_NAMES = 4096
_LETTERS = 26
_ROUNDING = 1e-9
_BIT_OF = np.zeros(128, np.uint32)  # of each ASCII letter
_BIT_OF[ord("a") : ord("a") + _LETTERS] = 1 << np.arange(_LETTERS)


class Neighborhood:
    """A vocabulary of spelled names, ready to be asked for the neighbors of a name."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._folded = [
            name if name.isascii() and name.isalpha() else _fold(name) for name in self._names
        ]
        letters, begins, ends = _letters(self._folded)
        self._signatures = _signatures(letters, begins)
        self._lengths = (ends - begins).astype(np.int16)
        self._firsts = letters[begins]  # the end, where a word has none
        self._near = lru_cache(maxsize=_CACHED_NAMES)(self._find_near)
        self._alike = lru_cache(maxsize=_CACHED_NAMES)(self._find_alike)

    def neighbors(self, name: str, *, edits: int = 1) -> tuple[str, ...]:
        """Return the names at most this many edits away, the nearest first.

        >>> Neighborhood(["smith", "smyth", "jones", "smithers"]).neighbors("smith")
        ('smith', 'smyth')
        """
        return self._near(name, edits)

    def alike(self, name: str, *, least: float = 0.9) -> tuple[str, ...]:
        """Return the names at least this similar (Jaro-Winkler), the most similar first.

        >>> Neighborhood(["smith", "smyth", "jones", "smithers"]).alike("smith")
        ('smith', 'smithers')
        """
        return self._alike(name, least)

    def _find_near(self, name: str, edits: int) -> tuple[str, ...]:
        folded = _fold(name)
        only_mine, only_theirs = self._letters_apart(folded)
        is_near = np.abs(self._lengths - len(folded)) <= edits
        likely = np.flatnonzero(is_near & (only_mine <= edits) & (only_theirs <= edits))
        words = self._words(likely)
        (distances,) = process.cdist([folded], words, scorer=OSA.distance, dtype=np.int32)
        return self._nearest(likely, distances, edits)

    def _find_alike(self, name: str, least: float) -> tuple[str, ...]:
        folded = _fold(name)
        if not folded:
            return ()
        likely = self._likely_alike(folded, least)
        words, scorer = self._words(likely), JaroWinkler.distance
        (distances,) = process.cdist([folded], words, scorer=scorer, dtype=np.float64)
        return self._nearest(likely, distances, 1 - least + _ROUNDING)

    def _likely_alike(self, folded: str, least: float) -> NDArray[np.intp]:
        """Return the words that could be so alike, judged by the letters they may share."""
        only_mine, only_theirs = self._letters_apart(folded)
        common = np.minimum(len(folded) - only_mine, self._lengths - only_theirs)
        highest = (common / len(folded) + common / np.maximum(self._lengths, 1) + 1) / 3
        bonus = np.where(self._firsts == ord(folded[0]), PREFIX_BONUS * PREFIX_LETTERS, 0)
        return np.flatnonzero(highest + bonus * (1 - highest) >= least - _ROUNDING)

    def _letters_apart(self, folded: str) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """Return how many kinds of letters only this word has, and only each other one."""
        mine = _signatures(*_letters([folded])[:2])[0]
        only_mine = np.bitwise_count(mine & ~self._signatures)
        only_theirs = np.bitwise_count(self._signatures & ~mine)
        return only_mine.astype(np.int16), only_theirs.astype(np.int16)

    def _words(self, likely: NDArray[np.intp]) -> list[str]:
        return [self._folded[position] for position in likely.tolist()]

    def _nearest(
        self, likely: NDArray[np.intp], far: NDArray[Any], limit: float
    ) -> tuple[str, ...]:
        near = np.flatnonzero(far <= limit)
        order = near[np.argsort(far[near], kind="stable")]
        return tuple(self._names[position] for position in likely[order].tolist())


def _fold(name: str) -> str:
    return name if name.isascii() and name.isalpha() else (ascii_forms(name) or ("",))[0]


def _letters(
    folded: Sequence[str],
) -> tuple[NDArray[np.uint8], NDArray[np.intp], NDArray[np.intp]]:
    """Return the letters of all words, each closed by a zero, and where each begins and ends."""
    letters = np.frombuffer("\0".join((*folded, "")).encode("ascii"), np.uint8)
    ends = np.flatnonzero(letters == 0)
    return letters, np.concatenate(([0], ends[:-1] + 1))[: len(ends)], ends


def _signatures(letters: NDArray[np.uint8], begins: NDArray[np.intp]) -> NDArray[np.uint32]:
    """Return which letters each word has, a bit a letter; digits have none."""
    bits = _BIT_OF[letters]
    return np.bitwise_or.reduceat(bits, begins) if len(begins) else bits[:0]

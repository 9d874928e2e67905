"""A file of columns as arrays.

These readers take plain files only.  Whatever is not plain (a line with other columns, a
number with underscores, a document that a query has twice) is `LeftToLines`: the reader by
line then reads the file anew, and refuses it with the right words or finds it good.
"""

import gzip
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forebear.kernels.ndcg import Floats, Integers
from forebear.trec import GZIP_START
from forebear_lab.kernels.trec_words import (
    Bounds,
    Bytes,
    Hashes,
    first_matches,
    word_bounds,
    word_changes,
    word_hashes,
    word_integers,
    word_numbers,
)

# What `str.split` takes for a space besides those of ASCII; the loops know only these.
_OTHER_SPACES = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


class LeftToLines(Exception):  # noqa: N818 - no error: the answer to "can you read this fast?"
    """The file holds something that only the reader by line understands."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The words of one column, as places in the bytes of the file."""

    data: Bytes
    bounds: Bounds

    def __len__(self) -> int:
        return int(self.bounds.shape[0])

    def text(self, row: int) -> str:
        """Return one word."""
        start, end = self.bounds[row]
        return self.data[start:end].tobytes().decode()

    def hashes(self) -> Hashes:
        """Return a hash of each word."""
        return word_hashes(self.data, self.bounds)

    def take(self, rows: Integers) -> "Words":
        """Return the words of some rows."""
        return Words(data=self.data, bounds=self.bounds[rows])

    def numbers(self) -> Floats:
        """Return the finite number that each word means."""
        numbers, unsure = word_numbers(self.data, self.bounds)
        rows = np.flatnonzero(unsure)
        if rows.size:
            content = self.data.tobytes()
            bounds = self.bounds[rows].tolist()
            numbers[rows] = [_read_number(content[start:end]) for start, end in bounds]
        return numbers

    def integers(self) -> Integers:
        """Return the whole number that each word means."""
        integers, unsure = word_integers(self.data, self.bounds)
        if unsure.any():
            raise LeftToLines
        return integers

    def changes(self) -> Integers:
        """Return the rows where a word differs from the one before it, the first included."""
        return np.flatnonzero(word_changes(self.data, self.bounds))

    def codes(self) -> tuple[Integers, tuple[str, ...]]:
        """Return a number for each word, counting as new words come, and the distinct words."""
        matches = self.matches(self)
        first = matches == np.arange(len(self))
        codes = np.cumsum(first) - 1
        return codes[matches], tuple(self.text(row) for row in np.flatnonzero(first).tolist())

    def matches(self, others: "Words") -> Integers:
        """Return, for each of the other words, the first row with the same word, or -1."""
        return match_words(self, np.array([0, len(self)]), others, np.array([0, len(others)]))[0]


def match_words(
    words: Words, offsets: Integers, others: Words, other_offsets: Integers
) -> tuple[Integers, int]:
    """Return the row of each of the other words in its group, and how many are distinct."""
    hashes = words.hashes()
    other_hashes = hashes if others is words else others.hashes()
    return first_matches(
        words.data,
        words.bounds,
        hashes,
        offsets,
        others.data,
        others.bounds,
        other_hashes,
        other_offsets,
    )


def read_columns(path: Path, *, columns: str, keep: tuple[str, ...]) -> Mapping[str, Words]:
    """Read some of the columns of a file."""
    content = read_plain(path)
    data = np.frombuffer(content, np.uint8)
    names = columns.split()
    slots = np.array([keep.index(name) if name in keep else -1 for name in names])
    bounds, rows = word_bounds(data, slots, content.count(b"\n") + 1, len(keep))
    if rows < 0:
        raise LeftToLines
    return {name: Words(data=data, bounds=bounds[slot, :rows]) for slot, name in enumerate(keep)}


def read_plain(path: Path) -> bytes:
    """Return the bytes of a file that is UTF-8 text with no unusual spaces."""
    try:
        content = path.read_bytes()
        if content.startswith(GZIP_START):
            content = gzip.decompress(content)
        if not content.isascii() and _OTHER_SPACES.search(content.decode()):
            raise LeftToLines
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise LeftToLines from error
    return content


def _read_number(word: bytes) -> float:
    try:
        number = float(word)
    except ValueError as error:
        raise LeftToLines from error
    if not math.isfinite(number):
        raise LeftToLines
    return number

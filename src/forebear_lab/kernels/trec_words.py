"""Text files of columns as arrays: where each word is, what number it means, which are equal.

A word is given by its bounds, the positions of its first byte and of the byte after its
last one; so no word is ever copied, and equal words are compared byte by byte: hashes only
say where to look.  What these loops do not know they report, and a reader that works line by
line decides.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers
from forebear_lab.kernels.decimals import parse_decimal

Bytes = NDArray[np.uint8]
Bounds = NDArray[np.int64]  # of shape (words, 2)
Hashes = NDArray[np.uint64]

_LINE_END = 10
_SAFE_DIGITS = 18  # any number of so many digits fits in 63 bits
_FIRST_FACTOR = np.uint64(14695981039346656037)  # the two constants of FNV-1a, 64 bits
_FACTOR = np.uint64(1099511628211)


@compiled
def is_space(byte: int) -> bool:
    """Say whether a byte parts words, as `str.split` has it for ASCII."""
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


@compiled
def compare_words(
    data: Bytes, start: int, end: int, other_data: Bytes, other_start: int, other_end: int
) -> int:
    """Return a number below, at or above 0, as a word sorts before, with or after another."""
    for place in range(min(end - start, other_end - other_start)):
        byte, other = data[start + place], other_data[other_start + place]
        if byte != other:
            return 1 if byte > other else -1
    return (end - start) - (other_end - other_start)


@compiled
def word_bounds(data: Bytes, slots: Integers, lines: int, kept: int) -> tuple[Bounds, int]:
    """Return the bounds of the words of the kept columns, and how many rows there are.

    ``slots`` has one entry a column: where its bounds go, or -1.  Blank lines are no rows.
    If a line has another number of words, the number of rows is -1.
    """
    bounds = np.empty((kept, lines, 2), np.int64)
    row = column = place = 0
    while place < data.size:
        byte = data[place]
        if is_space(byte):
            place += 1
            if byte == _LINE_END and column:
                if column != slots.size:
                    return bounds, -1
                row += 1
                column = 0
            continue
        start = place
        while place < data.size and not is_space(data[place]):
            place += 1
        if column == slots.size:
            return bounds, -1
        if slots[column] >= 0:
            bounds[slots[column], row, 0] = start
            bounds[slots[column], row, 1] = place
        column += 1
    if column:
        return bounds, row + 1 if column == slots.size else -1
    return bounds, row


@compiled
def word_numbers(data: Bytes, bounds: Bounds) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the number that each word means, and which words have to be read with care."""
    numbers = np.zeros(bounds.shape[0])
    unsure = np.zeros(bounds.shape[0], np.bool_)
    for row in range(bounds.shape[0]):
        numbers[row], known = parse_decimal(data, bounds[row, 0], bounds[row, 1])
        unsure[row] = not known
    return numbers, unsure


@compiled
def word_integers(data: Bytes, bounds: Bounds) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the whole number that each word means, and which have to be read with care."""
    numbers = np.zeros(bounds.shape[0], np.int64)
    unsure = np.zeros(bounds.shape[0], np.bool_)
    for row in range(bounds.shape[0]):
        start, end = bounds[row, 0], bounds[row, 1]
        signed = data[start] == ord("-") or data[start] == ord("+")
        unsure[row] = not 0 < end - start - signed <= _SAFE_DIGITS
        for place in range(start + signed, end):
            unsure[row] |= not ord("0") <= data[place] <= ord("9")
            numbers[row] = numbers[row] * 10 + np.int64(data[place]) - ord("0")
        if data[start] == ord("-"):
            numbers[row] = -numbers[row]
    return numbers, unsure


@compiled
def word_changes(data: Bytes, bounds: Bounds) -> NDArray[np.bool_]:
    """Say of each word whether it differs from the one before it; the first one does."""
    changes = np.ones(bounds.shape[0], np.bool_)
    for row in range(1, bounds.shape[0]):
        changes[row] = (
            compare_words(
                data, bounds[row - 1, 0], bounds[row - 1, 1],
                data, bounds[row, 0], bounds[row, 1],
            ) != 0
        )  # fmt: skip
    return changes


@compiled
def word_hashes(data: Bytes, bounds: Bounds) -> Hashes:
    """Return a hash of each word."""
    hashes = np.empty(bounds.shape[0], np.uint64)
    for row in range(bounds.shape[0]):
        value = _FIRST_FACTOR
        for place in range(bounds[row, 0], bounds[row, 1]):
            value = (value ^ np.uint64(data[place])) * _FACTOR
        hashes[row] = value ^ (value >> np.uint64(32))
    return hashes


@compiled
def _capacity(words: int) -> int:
    capacity = 4
    while capacity < 2 * words:
        capacity *= 2
    return capacity


@compiled
def _slot(
    table: Integers,
    capacity: int,
    data: Bytes,
    bounds: Bounds,
    hashes: Hashes,
    word_data: Bytes,
    start: int,
    end: int,
    word_hash: np.uint64,
) -> np.int64:
    """Return the slot of the table that holds the word, or the empty one where it belongs."""
    slot = np.int64(word_hash & np.uint64(capacity - 1))
    while table[slot] >= 0:
        row = table[slot]
        if (
            hashes[row] == word_hash
            and compare_words(data, bounds[row, 0], bounds[row, 1], word_data, start, end) == 0
        ):
            return slot
        slot = (slot + 1) & (capacity - 1)
    return slot


@compiled
def first_matches(
    data: Bytes,
    bounds: Bounds,
    hashes: Hashes,
    offsets: Integers,
    other_data: Bytes,
    other_bounds: Bounds,
    other_hashes: Hashes,
    other_offsets: Integers,
) -> tuple[Integers, int]:
    """Return, for each of the other words, the first row of its group with the same word.

    Group g holds the rows ``offsets[g]:offsets[g + 1]``, and of the others those of
    ``other_offsets`` alike.  A word that its group lacks has row -1.  The number that comes
    with the rows is that of distinct words, summed over groups.
    """
    matches = np.full(other_bounds.shape[0], -1, np.int64)
    largest = distinct = 0
    for group in range(offsets.size - 1):
        largest = max(largest, offsets[group + 1] - offsets[group])
    table = np.empty(_capacity(largest), np.int64)
    for group in range(offsets.size - 1):
        first, last = offsets[group], offsets[group + 1]
        capacity = _capacity(last - first)
        table[:capacity] = -1
        for row in range(first, last):
            slot = _slot(
                table, capacity, data, bounds, hashes,
                data, bounds[row, 0], bounds[row, 1], hashes[row],
            )  # fmt: skip
            if table[slot] < 0:
                table[slot] = row
                distinct += 1
        for other in range(other_offsets[group], other_offsets[group + 1]):
            slot = _slot(
                table, capacity, data, bounds, hashes,
                other_data, other_bounds[other, 0], other_bounds[other, 1], other_hashes[other],
            )  # fmt: skip
            matches[other] = table[slot]
    return matches, distinct

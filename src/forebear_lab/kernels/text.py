"""How are text files of columns and of LETOR vectors read into arrays?

A word is given by its bounds, the positions of its first byte and of the byte after its last; so
no word is copied, and equal words are compared byte by byte: hashes only narrow the comparison.
What these loops do not support they report, and a reader that works line by line decides.

A line of LETOR is `label qid:QUERY number:value ... # remark`, with the features in rising order.
It is read in two passes over the bytes, one to measure the table and one to fill it.

Decimal numbers are read exactly or not at all.  Digits of at most 2^53, times or over a power of
ten up to 10^22, make one rounding of two exact doubles, so the result is that of `float` (Clinger
1990).  Up to 19 digits fit in two doubles, and so does their product or quotient; it is rounded
if moving the smaller one a little makes no difference (Ziv 1991).  The rest is left to `float`.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers

Bytes = NDArray[np.uint8]
Bounds = NDArray[np.int64]  # of shape (words, 2)
Hashes = NDArray[np.uint64]

_LINE_END, _REMARK, _COLON = 10, 35, 58  # as bytes: the end of a line, "#" and ":"
_SAFE_DIGITS = 18  # any number of this many digits fits in 63 bits
_FEATURE_DIGITS = 9  # of a feature's number, at most
_DECIMAL_DIGITS = 19  # any number of this many digits fits in 64 bits
_POWERS = 10.0 ** np.arange(23)
_EXACT = np.uint64(1 << 53)  # up to here every whole number is a double
_SPLITTER = float((1 << 27) + 1)  # splits a double in two halves whose products are exact
_DOUBT = 2.0**-40  # far more than the rounding errors of the smaller double
_FIRST_FACTOR = np.uint64(14695981039346656037)  # the two constants of FNV-1a, 64 bits
_FACTOR = np.uint64(1099511628211)


@compiled
def is_space(byte: int) -> bool:
    """Return whether a byte separates words, as in `str.split` for ASCII."""
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
def word_bounds(data: Bytes, slots: Integers, lines: int, count: int) -> tuple[Bounds, int]:
    """Return the bounds of the words of ``count`` columns, and how many rows there are.

    ``slots`` has one entry a column of the file: where its bounds go, or -1.  Blank lines are
    no rows.  If a line has another number of words, the number of rows is -1.
    """
    bounds = np.empty((count, lines, 2), np.int64)
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
    """Return the number that each word means, and which words need another reader."""
    numbers = np.zeros(bounds.shape[0])
    unsure = np.zeros(bounds.shape[0], np.bool_)
    for row in range(bounds.shape[0]):
        numbers[row], exact = parse_decimal(data, bounds[row, 0], bounds[row, 1])
        unsure[row] = not exact
    return numbers, unsure


@compiled
def word_integers(data: Bytes, bounds: Bounds) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the whole number that each word means, and which need another reader."""
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
    """Return, for each word, whether it differs from the one before it; the first one does."""
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
    ``other_offsets``.  A word that its group lacks has row -1.  The second value is the number
    of distinct words, summed over groups.
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


@compiled
def _next_word(data: Bytes, place: int) -> tuple[int, int, int]:
    """Return the place after the next word, and its bounds; none at the end of a line."""
    while place < data.size and is_space(data[place]) and data[place] != _LINE_END:
        place += 1
    if place < data.size and data[place] == _REMARK:
        while place < data.size and data[place] != _LINE_END:
            place += 1
    if place == data.size or data[place] == _LINE_END:
        return place + 1, place, place
    start = place
    while place < data.size and not is_space(data[place]) and data[place] != _REMARK:
        place += 1
    return place, start, place


@compiled
def _feature_number(data: Bytes, start: int, end: int) -> tuple[np.int64, int]:
    """Return the number of a feature and the place of its colon; 0 if that is not the form."""
    number, place = np.int64(0), start
    while place < end and place - start < _FEATURE_DIGITS and ord("0") <= data[place] <= ord("9"):
        number = number * 10 + np.int64(data[place]) - ord("0")
        place += 1
    return (number if place < end and data[place] == _COLON else np.int64(0)), place


@compiled
def _is_query(data: Bytes, start: int, end: int) -> bool:
    return (
        end - start > 4
        and data[start] == ord("q")
        and data[start + 1] == ord("i")
        and data[start + 2] == ord("d")
        and data[start + 3] == _COLON
    )


@compiled
def letor_width(data: Bytes, max_features: int) -> tuple[int, np.int64]:
    """Return how many rows and features there are; -1 rows if a number is out of range."""
    rows, width, word, place = 0, np.int64(0), 0, 0
    while place < data.size:
        place, start, end = _next_word(data, place)
        if start == end:
            rows += word > 0
            word = 0
            continue
        word += 1
        if word > 2:
            number, _ = _feature_number(data, start, end)
            if not 1 <= number <= max_features:
                return -1, width
            if number > width:
                width = number
    return rows + (word > 0), width


@compiled
def letor_table(data: Bytes, features: Floats) -> tuple[Integers, Bounds, bool]:
    """Fill a table of features from the text.

    The table is changed in place, because it may take up most of the memory.  Return the
    labels, the bounds of the name of each row's query, and whether all was understood.
    """
    labels = np.zeros(features.shape[0], np.int64)
    queries = np.zeros((features.shape[0], 2), np.int64)
    row, word, last, place = 0, 0, np.int64(0), 0
    while place < data.size:
        place, start, end = _next_word(data, place)
        if start == end:
            if word == 1:
                return labels, queries, False
            row += word > 0
            word, last = 0, np.int64(0)
            continue
        word += 1
        if word == 1:
            label, exact = parse_decimal(data, start, end)
            if not exact or label < 0 or label != np.floor(label):
                return labels, queries, False
            labels[row] = np.int64(label)
        elif word == 2:
            if not _is_query(data, start, end):
                return labels, queries, False
            queries[row] = start + 4, end
        else:
            number, colon = _feature_number(data, start, end)
            value, exact = parse_decimal(data, colon + 1, end)
            if not exact or number <= last:
                return labels, queries, False
            features[row, number - 1] = value
            last = number
    return labels, queries, word != 1


@compiled
def parse_decimal(data: Bytes, start: int, end: int) -> tuple[float, bool]:
    """Return the number of the bytes from ``start`` to ``end``, and whether it is exact."""
    place = start
    if place < end and (data[place] == ord("-") or data[place] == ord("+")):
        place += 1
    written, digits, value, power, point = 0, 0, np.uint64(0), np.int64(0), False
    while place < end:
        byte = data[place]
        if ord("0") <= byte <= ord("9"):
            value = value * np.uint64(10) + np.uint64(byte - ord("0"))
            written += 1
            if value > 0:  # leading zeros do not count
                digits += 1
            power -= point
        elif byte == ord(".") and not point:
            point = True
        else:
            break
        place += 1
    exact = written > 0 and digits <= _DECIMAL_DIGITS
    if exact and place < end:
        shift, exact = _exponent(data, place, end)
        power += shift
    if not exact or abs(power) >= _POWERS.size:
        return 0.0, False
    number, exact = _scaled(value, power)
    return (-number if data[start] == ord("-") else number), exact


@compiled
def _scaled(value: np.uint64, power: np.int64) -> tuple[float, bool]:
    """Return value * 10^power, and whether it is rounded correctly."""
    scale = _POWERS[abs(power)]
    high = float(value)
    if value <= _EXACT:
        return (high * scale if power >= 0 else high / scale), True
    # float(2^64 - 1) is 2^64, which does not fit; but the digits end at 10^19 - 1
    low = float(np.int64(value - np.uint64(high)))
    if power >= 0:
        first = high * scale
        rest = _product_error(high, scale, first) + low * scale
    else:
        first = high / scale
        product = first * scale
        rest = ((high - product) - _product_error(first, scale, product) + low) / scale
    number = first + rest * (1 + _DOUBT)
    return number, number == first + rest * (1 - _DOUBT)


@compiled
def _product_error(left: float, right: float, product: float) -> float:
    """Return left * right - product, exactly (Dekker 1971)."""
    left_high = left * _SPLITTER - (left * _SPLITTER - left)
    right_high = right * _SPLITTER - (right * _SPLITTER - right)
    left_low, right_low = left - left_high, right - right_high
    return (
        (left_high * right_high - product) + left_high * right_low + left_low * right_high
    ) + left_low * right_low


@compiled
def _exponent(data: Bytes, start: int, end: int) -> tuple[np.int64, bool]:
    place = start + 1
    if data[start] != ord("e") and data[start] != ord("E"):
        return np.int64(0), False
    negative = place < end and data[place] == ord("-")
    if place < end and (data[place] == ord("-") or data[place] == ord("+")):
        place += 1
    if place == end or end - place > 3:
        return np.int64(0), False
    value = np.int64(0)
    while place < end:
        if not ord("0") <= data[place] <= ord("9"):
            return np.int64(0), False
        value = value * 10 + np.int64(data[place]) - ord("0")
        place += 1
    return (-value if negative else value), True

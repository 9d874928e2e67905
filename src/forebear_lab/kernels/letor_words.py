"""LETOR text as a table: two walks over the bytes, one to measure it and one to fill it.

A line is `label qid:QUERY number:value ... # remark`, with the features in rising order.
What is otherwise is reported, and a reader that works line by line decides.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers
from forebear_lab.kernels.decimals import parse_decimal
from forebear_lab.kernels.trec_words import Bounds, Bytes, is_space

_LINE_END, _REMARK, _COLON = 10, 35, 58  # as bytes: the end of a line, "#" and ":"
_MOST_DIGITS = 9  # of a feature's number


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
    while place < end and place - start < _MOST_DIGITS and ord("0") <= data[place] <= ord("9"):
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
def letor_width(data: Bytes, most_features: int) -> tuple[int, np.int64]:
    """Return how many rows and features there are; -1 rows if a feature has no such number."""
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
            if not 1 <= number <= most_features:
                return -1, width
            if number > width:
                width = number
    return rows + (word > 0), width


@compiled
def letor_table(data: Bytes, features: Floats) -> tuple[Integers, Bounds, bool]:
    """Fill a table of features with what the text says.

    The table is changed in place, for it may take up most of the memory there is.  Return
    the labels, where the name of each row's query stands, and whether all was understood.
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
            label, known = parse_decimal(data, start, end)
            if not known or label < 0 or label != np.floor(label):
                return labels, queries, False
            labels[row] = np.int64(label)
        elif word == 2:
            if not _is_query(data, start, end):
                return labels, queries, False
            queries[row] = start + 4, end
        else:
            number, colon = _feature_number(data, start, end)
            value, known = parse_decimal(data, colon + 1, end)
            if not known or number <= last:
                return labels, queries, False
            features[row, number - 1] = value
            last = number
    return labels, queries, word != 1

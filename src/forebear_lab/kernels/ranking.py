"""Rows of scored documents in ranked order, query by query.

Most runs are written best first, so order is looked for before it is made.  Equal scores
are put in order by grade (the lower first, if asked) and by name (the later first, if
asked); what is equal then keeps the order it has.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers
from forebear_lab.kernels.trec_words import Bounds, Bytes, compare_words


@compiled
def ranked_rows(
    scores: Floats,
    grades: Integers,
    data: Bytes,
    documents: Bounds,
    offsets: Integers,
    by_grade: bool,
    by_name: bool,
) -> Integers:
    """Return the rows of each query, best first; query q holds ``offsets[q]:offsets[q + 1]``."""
    order = np.arange(scores.size)
    for query in range(offsets.size - 1):
        first, last = offsets[query], offsets[query + 1]
        falling = True
        for row in range(first + 1, last):
            falling = falling and scores[row - 1] >= scores[row]
        if not falling:
            order[first:last] = first + np.argsort(-scores[first:last], kind="mergesort")
        if by_grade or by_name:
            for place in range(first + 1, last):
                _sink(order, place, first, scores, grades, data, documents, by_grade, by_name)
    return order


@compiled
def _sink(
    order: Integers,
    place: int,
    first: int,
    scores: Floats,
    grades: Integers,
    data: Bytes,
    documents: Bounds,
    by_grade: bool,
    by_name: bool,
) -> None:
    """Move the row at a place up, past those of equal score that belong below it."""
    row = order[place]
    while place > first and scores[order[place - 1]] == scores[row]:
        other = order[place - 1]
        below = 0
        if by_grade:
            below = grades[other] - grades[row]
        if below == 0 and by_name:
            below = compare_words(
                data, documents[row, 0], documents[row, 1],
                data, documents[other, 0], documents[other, 1],
            )  # fmt: skip
        if below <= 0:
            break
        order[place] = other
        place -= 1
    order[place] = row


@compiled
def tie_bounds(scores: Floats, offsets: Integers) -> tuple[Integers, Integers]:
    """Return, for each ranked row, the places where its group of equal scores begins and ends.

    Places count from 0 in each query; the end is the place after the last one.
    """
    begins, ends = np.empty(scores.size, np.int64), np.empty(scores.size, np.int64)
    for query in range(offsets.size - 1):
        first, last = offsets[query], offsets[query + 1]
        begin = first
        while begin < last:
            end = begin + 1
            while end < last and scores[end] == scores[begin]:
                end += 1
            begins[begin:end] = begin - first
            ends[begin:end] = end - first
            begin = end
    return begins, ends

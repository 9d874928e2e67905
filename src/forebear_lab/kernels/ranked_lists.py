"""Lists kept sorted while weights move: one record order a query, repaired, not made anew.

A step of one weight leaves most records where they are, so insertion sort, which takes time
in proportion to what is out of place, is the quickest way back to order.  Both functions
that move records change their first three arrays in place: at a hundred microseconds a step,
a copy would cost more than the work.

Shapes as in `kernels/line_binary.py`.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def move_records(
    ranked: Integers,
    scores: Floats,
    gains: Floats,
    column: NDArray[np.bool_] | Floats,
    offsets: Integers,
    queries: Integers,
    step: float,
) -> None:
    """Add ``step`` times the feature's value to every score, and restore the order in place."""
    for query in queries:
        first, last = offsets[query], offsets[query + 1]
        for place in range(first, last):
            scores[place] += step * column[ranked[place]]
        restore_order(ranked, scores, gains, first, last)


@compiled
def restore_order(ranked: Integers, scores: Floats, gains: Floats, first: int, last: int) -> None:
    """Sort the records between two places by falling score, in place."""
    for place in range(first + 1, last):
        score = scores[place]
        if score <= scores[place - 1]:
            continue
        record, gain = ranked[place], gains[place]
        hole = place
        while hole > first and scores[hole - 1] < score:
            scores[hole] = scores[hole - 1]
            ranked[hole] = ranked[hole - 1]
            gains[hole] = gains[hole - 1]
            hole -= 1
        scores[hole], ranked[hole], gains[hole] = score, record, gain


@compiled
def ranked_ndcg(
    scores: Floats,
    gains: Floats,
    offsets: Integers,
    queries: Integers,
    ideals: Floats,
    discounts: Floats,
) -> Floats:
    """Return the expected NDCG of each of these queries, whose records are in order."""
    values = np.zeros(queries.size)
    for number in range(queries.size):
        query = queries[number]
        first, last = offsets[query], offsets[query + 1]
        total = 0.0
        for place in range(first, last):
            if gains[place] > 0:
                above = place
                while above > first and scores[above - 1] == scores[place]:
                    above -= 1
                end = place + 1
                while end < last and scores[end] == scores[place]:
                    end += 1
                earned = discounts[end - first] - discounts[above - first]
                total += gains[place] * earned / (end - above)
        if ideals[query] > 0:
            values[number] = total / ideals[query]
    return values

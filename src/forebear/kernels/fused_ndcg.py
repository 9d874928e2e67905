"""NDCG of fused lists without fusing them.

Each list is sorted already, and a shift moves a whole list, so the rank of a relevant
record in the fused list is a sum of binary searches: in each list, how many records lie
above it.  Nothing is sorted, and irrelevant records are never visited one by one.

Shapes: list j of query q, best first, is ``scores[offsets[c]:offsets[c + 1]]`` for the cell
c = q * (number of lists) + j.  ``relevant`` holds the positions of the relevant records in
``scores`` and ``cells`` the cell of each.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def fused_ndcg_by_query(
    scores: Floats,
    gains: Floats,
    offsets: Integers,
    relevant: Integers,
    cells: Integers,
    ideals: Floats,
    discounts: Floats,
    shifts: Floats,
) -> Floats:
    """Return the expected NDCG of each query when each list is moved by its shift."""
    values = np.zeros(ideals.size)
    for number in range(relevant.size):
        record, cell = relevant[number], cells[number]
        query = cell // shifts.size
        fused = scores[record] + shifts[cell % shifts.size]
        above = tied = 0
        for name in range(shifts.size):
            first, last = offsets[query * shifts.size + name : query * shifts.size + name + 2]
            place = _first_not_above(scores, first, last, shifts[name], fused)
            above += place - first
            while place < last and scores[place] + shifts[name] == fused:
                tied += 1
                place += 1
        earned = (discounts[above + tied] - discounts[above]) / tied
        values[query] += gains[record] * earned / ideals[query]
    return values


@compiled
def _first_not_above(scores: Floats, first: int, last: int, shift: float, fused: float) -> int:
    # The sum is compared, not the score with a difference: rounding then is that of sorting.
    while first < last:
        middle = (first + last) // 2
        if scores[middle] + shift > fused:
            first = middle + 1
        else:
            last = middle
    return first

"""NDCG of fused lists without fusing them.

Each list is sorted already, and what fusion does to a list (a slope above 0 and a shift) keeps
its order, so the rank of a relevant record in the fused list is a sum of binary searches: in
each other list, how many records lie above it.  Nothing is sorted, and irrelevant records are
never visited one by one.

Shapes: list j of query q, best first, is ``scores[offsets[c]:offsets[c + 1]]`` for the cell
c = q * (number of lists) + j.  ``relevant`` holds the positions of the relevant records in
``scores``, ``gains`` and ``cells`` the gain and the cell of each, ``firsts`` where the records
of its own list that tie with it begin and ``ties`` how many they are.  ``shifts`` has a row a
query, or a single row for all.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers

Scores = Floats | NDArray[np.float32]


@compiled
def fuse_scores(
    scores: Scores, offsets: Integers, slopes: Floats, shifts: Floats
) -> NDArray[np.float32]:
    """Return every record's slope * score + shift, both those of its list, in 32 bits."""
    fused = np.empty(scores.size, np.float32)
    for cell in range(offsets.size - 1):
        slope, shift = slopes[cell % slopes.size], shifts[cell % slopes.size]
        for record in range(offsets[cell], offsets[cell + 1]):
            fused[record] = slope * scores[record] + shift
    return fused


@compiled
def tied_in_own_list(
    scores: Scores, offsets: Integers, relevant: Integers, cells: Integers
) -> tuple[Integers, Integers]:
    """Return where the records of each relevant one's score begin in its list, and how many."""
    firsts, ties = np.empty_like(relevant), np.empty_like(relevant)
    for number in range(relevant.size):
        record = relevant[number]
        first, end = record, record + 1
        while first > offsets[cells[number]] and scores[first - 1] == scores[record]:
            first -= 1
        while end < offsets[cells[number] + 1] and scores[end] == scores[record]:
            end += 1
        firsts[number], ties[number] = first, end - first
    return firsts, ties


@compiled
def fused_ndcg_by_query(
    scores: Scores,
    gains: Floats,
    offsets: Integers,
    relevant: Integers,
    cells: Integers,
    firsts: Integers,
    ties: Integers,
    ideals: Floats,
    discounts: Floats,
    slopes: Floats,
    shifts: Floats,
    cutoff: int,
) -> Floats:
    """Return the expected NDCG of each query when each list is fused by its slope and shift."""
    count = slopes.size
    values = np.zeros(ideals.size)
    for number in range(relevant.size):
        record, own = relevant[number], cells[number]
        query = own // count
        row = shifts[query % shifts.shape[0]]
        fused = slopes[own % count] * scores[record] + row[own % count]
        above, tied = firsts[number] - offsets[own], ties[number]
        for name in range(count):
            cell = query * count + name
            if cell != own and above < cutoff:
                first, last = offsets[cell], offsets[cell + 1]
                place = first_not_above(scores, first, last, slopes[name], row[name], fused)
                above += place - first
                while place < last and slopes[name] * scores[place] + row[name] == fused:
                    tied += 1
                    place += 1
        if above < cutoff:  # else it earns nothing, and the count above is not complete
            earned = (discounts[above + tied] - discounts[above]) / tied
            values[query] += gains[number] * earned / ideals[query]
    return values


@compiled
def first_not_above(
    scores: Scores, first: int, last: int, slope: float, shift: float, fused: float
) -> int:
    """Return the first place between two whose fused score does not exceed the given one."""
    # Scores are compared with a threshold, which is quick; then the neighbors are looked at
    # as fusion has them, so that rounding is that of sorting the fused scores.
    threshold = (fused - shift) / slope
    place, length = first, last - first
    while length > 0:
        half = length // 2
        if scores[place + half] > threshold:
            place += half + 1
            length -= half + 1
        else:
            length = half
    while place < last and slope * scores[place] + shift > fused:
        place += 1
    while place > first and slope * scores[place - 1] + shift <= fused:
        place -= 1
    return place

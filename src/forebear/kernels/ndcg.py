"""How is NDCG of many queries computed quickly?  By counting instead of sorting.

Only relevant records earn anything, and what one earns depends on how many records lie above it
and how many share its score.  With ``discounts[p]`` the sum of the first p discounts, a record
with ``above`` records over it and ``tied`` at its score (itself included) earns the mean of the
discounts of these ranks:

    (discounts[above + tied] - discounts[above]) / tied

which is the expectation over all orders of the tied records.  `expected_ndcg` in
`forebear_lab/evaluation/measures/ndcg.py` is the readable definition.

Shapes: ``scores`` and ``gains`` have one entry per record; query q holds the records
``offsets[q]:offsets[q + 1]``; ``ideals`` has one entry per query, 0 where nothing is relevant.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Scores = Floats | NDArray[np.float32]


def summed_discounts(length: int, *, cutoff: int) -> Floats:
    """Return the sum of the discounts of the first p ranks, for p from 0 to ``length``."""
    discounts = 1 / np.log2(1 + np.arange(1, length + 1, dtype=np.float64))
    discounts[cutoff:] = 0.0
    return np.concatenate(([0.0], np.cumsum(discounts)))


@compiled
def ideal_dcgs(gains: Floats, offsets: Integers, discounts: Floats) -> Floats:
    """Return, for each query, the DCG of its records in the best order."""
    ideals = np.zeros(offsets.size - 1)
    for query in range(ideals.size):
        ordered = np.sort(gains[offsets[query] : offsets[query + 1]])
        for place in range(ordered.size):
            gain = ordered[ordered.size - 1 - place]
            ideals[query] += gain * (discounts[place + 1] - discounts[place])
    return ideals


@compiled
def ndcg_by_query(
    scores: Floats, gains: Floats, offsets: Integers, ideals: Floats, discounts: Floats
) -> Floats:
    """Return the expected NDCG of each query."""
    values = np.zeros(ideals.size)
    for query in range(ideals.size):
        first, last = offsets[query], offsets[query + 1]
        for record in range(first, last):
            if gains[record] > 0:
                above = tied = 0
                for other in range(first, last):
                    above += scores[other] > scores[record]
                    tied += scores[other] == scores[record]
                earned = (discounts[above + tied] - discounts[above]) / tied
                values[query] += gains[record] * earned / ideals[query]
    return values


@compiled
def ndcg_sums_after_steps(
    scores: Floats,
    column: NDArray[np.bool_] | Floats,
    gains: Floats,
    offsets: Integers,
    ideals: Floats,
    discounts: Floats,
    values: Floats,
    steps: Floats,
) -> Floats:
    """Return, for each step, the sum over queries of NDCG if one weight moved by it.

    ``column`` holds the value of the weight's feature for each record, ``values`` is the NDCG
    of each query now: a query whose records all have the same value keeps it.
    """
    sums = np.zeros(steps.size)
    for query in range(ideals.size):
        first, last = offsets[query], offsets[query + 1]
        unlike = 0
        for record in range(first, last):
            unlike += column[record] != column[first]
        if ideals[query] == 0 or unlike == 0:
            sums += values[query]
            continue
        for record in range(first, last):
            if gains[record] > 0:
                for number in range(steps.size):
                    step = steps[number]
                    score = scores[record] + column[record] * step
                    above = tied = 0
                    for other in range(first, last):
                        other_score = scores[other] + column[other] * step
                        above += other_score > score
                        tied += other_score == score
                    earned = (discounts[above + tied] - discounts[above]) / tied
                    sums[number] += gains[record] * earned / ideals[query]
    return sums


@compiled
def summed_weights(columns: NDArray[np.bool_] | Floats, weights: Floats) -> Floats:
    """Return each record's score: the sum of its features times their weights.

    ``columns`` has one row a feature and one column a record.
    """
    scores = np.zeros(columns.shape[1])
    for feature in range(columns.shape[0]):
        weight = weights[feature]
        if weight != 0:
            for record in range(columns.shape[1]):
                scores[record] += columns[feature, record] * weight
    return scores


# One pass over scores in any order and grades of any type.  Nothing is copied or converted first,
# because reading the arrays is what takes the time; the counting loop has no branches, so the
# processor handles several documents at once.


@compiled
def unsorted_ndcg(
    scores: NDArray[np.floating],
    grades: NDArray[np.number],
    offsets: Integers,
    ideals: Floats,
    discounts: Floats,
    exponential: bool,
) -> Floats:
    """Return the NDCG of each query, in the mean over orders of equal scores.

    ``discounts[p]`` is the sum of the discounts of the first p ranks; ``ideals`` holds the
    best DCG of each query, or nothing: then it is that of the documents here.  If the score
    of a relevant document is not a number, neither is the value of its query.
    """
    values = np.zeros(offsets.size - 1)
    gains = np.empty(discounts.size)
    for query in range(values.size):
        query_scores = scores[offsets[query] : offsets[query + 1]]
        query_grades = grades[offsets[query] : offsets[query + 1]]
        relevant = 0
        for row in range(query_grades.size):
            if query_grades[row] > 0:
                gain = 2.0 ** query_grades[row] - 1 if exponential else float(query_grades[row])
                above, not_below = _count(query_scores, query_scores[row])
                tied = float(not_below - above) or np.nan
                values[query] += gain * (discounts[not_below] - discounts[above]) / tied
                _insert(gains, relevant, gain)
                relevant += 1
        if relevant:
            ideal = ideals[query] if ideals.size else _best(gains, relevant, discounts)
            values[query] = values[query] / ideal if ideal > 0 else 0.0
    return values


@compiled
def _count(scores: NDArray[np.floating], score: float) -> tuple[int, int]:
    above = not_below = 0
    for row in range(scores.size):
        above += scores[row] > score
        not_below += scores[row] >= score
    return above, not_below


@compiled
def _insert(gains: Floats, count: int, gain: float) -> None:
    """Put a gain where it belongs among the first ``count``, which fall; in place."""
    while count > 0 and gains[count - 1] < gain:
        gains[count] = gains[count - 1]
        count -= 1
    gains[count] = gain


@compiled
def _best(gains: Floats, count: int, discounts: Floats) -> float:
    total = 0.0
    for place in range(count):
        total += gains[place] * (discounts[place + 1] - discounts[place])
    return total


# NDCG of fused lists without fusing them.  Each list is sorted already, and fusion (a slope above
# 0 and a shift) keeps its order, so the rank of a relevant record in the fused list is a sum of
# binary searches: how many records of each other list lie above it.
#
# Shapes: list j of query q, best first, is ``scores[offsets[c]:offsets[c + 1]]`` for the cell
# c = q * (number of lists) + j.  ``relevant`` holds the positions of the relevant records in
# ``scores``, ``gains`` and ``cells`` the gain and the cell of each, ``firsts`` where the records of
# the same list that tie with it begin and ``ties`` how many they are.  ``shifts`` has one row per
# query, or a single row for all.


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
def ties_in_list(
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
        record, own_cell = relevant[number], cells[number]
        query = own_cell // count
        row = shifts[query % shifts.shape[0]]
        fused = slopes[own_cell % count] * scores[record] + row[own_cell % count]
        above, tied = firsts[number] - offsets[own_cell], ties[number]
        for name in range(count):
            cell = query * count + name
            if cell != own_cell and above < cutoff:
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
    # Comparing scores with a threshold is quick but rounds differently from fusion, so the
    # neighbors are compared by their fused scores afterwards.
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

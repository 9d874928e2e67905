"""NDCG of many queries from scores in any order and grades of any type, in one walk.

Only relevant documents earn anything, and few are relevant; so the grades are walked over
once, and for each relevant document its rank is counted, not sorted for: a loop without
branches that the processor does several documents at a time.  Nothing is copied or
converted first, because reading the arrays is what takes the time.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


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
        own_scores = scores[offsets[query] : offsets[query + 1]]
        own_grades = grades[offsets[query] : offsets[query + 1]]
        found = 0
        for row in range(own_grades.size):
            if own_grades[row] > 0:
                gain = 2.0 ** own_grades[row] - 1 if exponential else float(own_grades[row])
                above, not_below = _count(own_scores, own_scores[row])
                tied = float(not_below - above) or np.nan
                values[query] += gain * (discounts[not_below] - discounts[above]) / tied
                _insert(gains, found, gain)
                found += 1
        if found:
            ideal = ideals[query] if ideals.size else _best(gains, found, discounts)
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

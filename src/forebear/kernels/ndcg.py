"""NDCG over many queries at once, from unsorted scores, and along one feature's weight.

Only relevant records earn anything, and what one earns depends on how many records lie
above it and how many share its score; so counting replaces sorting.  With ``discounts[p]``
the sum of the first p discounts, a record with ``above`` records over it and ``tied`` at
its score (itself included) earns the mean of the discounts of these ranks:

    (discounts[above + tied] - discounts[above]) / tied

which is the expectation over all orders of the tied.  `expected_ndcg` in
`evaluation/measures/ndcg.py` says the same slowly.

Shapes: ``scores`` and ``gains`` have one entry a record; query q holds the records
``offsets[q]:offsets[q + 1]``; ``ideals`` has one entry a query, 0 where nothing is relevant.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


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

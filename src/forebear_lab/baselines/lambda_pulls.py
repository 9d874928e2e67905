"""LambdaRank's gradients: each pair pulls by the NDCG that swapping its records would change.

    pull on the relevant record = - |change of NDCG| / (1 + exp(log s_r - log s_o))

and the same, upward in loss, on the irrelevant one (Burges, Ragno and Le 2006).
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from forebear_lab.experiments.fuser import Row

CUTOFF = 100


def lambda_pulls(scores: Row, labels: NDArray[np.int64], offsets: NDArray[np.int64]) -> Row:
    """Return the gradient of the loss by the logarithm of each record's positive score."""
    pulls = np.zeros(scores.size)
    for first, last in pairwise(offsets.tolist()):
        grades = labels[first:last]
        if grades.any():
            pulls[first:last] = _query_pulls(scores[first:last], grades)
    return pulls / max(1, offsets.size - 1)


def _query_pulls(scores: Row, grades: NDArray[np.int64]) -> Row:
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(scores.size, np.int64)
    ranks[order] = np.arange(scores.size)
    discounts = np.where(ranks < CUTOFF, 1 / np.log2(2 + ranks), 0.0)
    best = np.sort(grades)[::-1][:CUTOFF]
    ideal = float((best / np.log2(2 + np.arange(best.size))).sum())
    logs = np.log(np.maximum(scores, 1e-300))
    pulls = np.zeros(scores.size)
    for record in np.flatnonzero(grades):
        others = grades < grades[record]
        worth = (grades[record] - grades) / ideal
        changes = np.abs(worth * (discounts[record] - discounts)) * others
        doubts = 1 / (1 + np.exp(np.clip(logs[record] - logs, -30, 30)))
        pulls += changes * doubts
        pulls[record] -= float(changes @ doubts)
    return pulls

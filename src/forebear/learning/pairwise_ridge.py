"""Weights from pairs in closed form: a start that is near the end already.

Within each query every relevant record r should beat every irrelevant record o by 1, and the
shortfall is squared, whichever its sign:

    sum over queries of the mean over pairs of (1 - w·(x_r - x_o))²  +  ridge * |w|²

It is least where A w = b.  The pairs need not be made: with r̄ and ō the means of a query's
relevant and irrelevant records,

    A = sum of  mean(x_r x_r') + mean(x_o x_o') - r̄ ō' - ō r̄'      b = sum of  r̄ - ō

Where labels have several grades, the sum runs over the grades too, and a record is relevant
if it has at least that grade.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.weighted_squares import weighted_squares, weighted_sums
from forebear.learning.dataset import RankingDataset, feature_scales

RIDGE = 0.01  # beside the mean of A's diagonal


def ridge_weights(dataset: RankingDataset, *, ridge: float = RIDGE) -> NDArray[np.float64]:
    """Return the weights with the least squared shortfall over all pairs."""
    count = len(dataset.feature_names)
    scales = feature_scales(dataset)
    matrix, vector = np.zeros((count, count)), np.zeros(count)
    for grade in np.unique(dataset.labels[dataset.labels > 0]):
        part, side = _normal_equations(dataset, dataset.labels >= grade)
        matrix += part / np.outer(scales, scales)
        vector += side / scales
    pull = ridge * float(np.trace(matrix)) / max(1, count) or 1.0  # nothing to learn from: 0
    solved = np.linalg.solve(matrix + pull * np.eye(count), vector)
    return np.asarray(solved / scales, np.float64)


def _normal_equations(
    dataset: RankingDataset, relevant: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    sizes = np.diff(dataset.offsets)
    owners = np.repeat(np.arange(sizes.size), sizes)
    hits = np.bincount(owners, relevant, sizes.size)
    # Each side of a query sums to 1; a query without a pair counts for nothing.
    paired = ((hits > 0) & (hits < sizes))[owners]
    shares = np.where(relevant, 1 / np.maximum(hits, 1)[owners], 0.0) * paired
    others = np.where(relevant, 0.0, 1 / np.maximum(sizes - hits, 1)[owners]) * paired
    better = weighted_sums(dataset.features, shares, dataset.offsets)
    worse = weighted_sums(dataset.features, others, dataset.offsets)
    crossed = better.T @ worse
    squares = weighted_squares(dataset.features, shares + others)
    return squares - crossed - crossed.T, (better - worse).sum(axis=0)

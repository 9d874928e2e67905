"""Which weights rank relevant records above irrelevant ones, pair by pair?

The rank support vector machine looks for weights under which, within each query, a relevant
record's score exceeds an irrelevant one's by 1, and penalizes how far each pair falls short
(Joachims 2002).  We square the shortfall, which makes the sum smooth, and let L-BFGS find its one
minimum.

For the fusion of lists scored in bits, a record's columns are its score and one indicator
of its list; what the indicator weighs beside the score is the list's shift.  For positive
scores, as the paper has them, there is one column per list, which holds the score of the list's
records and 0 for all others; what it weighs is the list's weight.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset

MIN_WEIGHT = 0.1  # of a list, relative to the mean of the others

Columns = Callable[[FusionDataset], NDArray[np.float64]]


def fit_pairs(
    differences: NDArray[np.float64],
    *,
    cost: float = 100.0,
    pair_weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the weights w with the least |w|²/2 + cost * mean of max(0, 1 - w·d)².

    ``differences`` has one row per pair: the better record's columns minus the other's.  The mean
    is weighted if ``pair_weights`` are given.
    """
    shares = np.ones(len(differences)) if pair_weights is None else pair_weights
    total = float(shares.sum())

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        short = np.maximum(0.0, 1.0 - differences @ weights)
        counted = shares * short
        value = weights @ weights / 2 + cost * (counted @ short) / total
        return float(value), weights - 2 * cost / total * (counted @ differences)

    if not total:
        return np.zeros(differences.shape[1])
    minimum = minimize(loss, np.zeros(differences.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(minimum.x, np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSvm:
    """A learner of shifts from pairs; the seed decides which queries and pairs are sampled."""

    seed: int
    query_count: int = 1000  # sampled at most; the paper takes about as many
    opponents: int = 50  # irrelevant records sampled at most for each relevant one
    cost: float = 0.1  # C, of each pair

    def fit(self, dataset: FusionDataset) -> NDArray[np.float64]:
        """Return a shift in bits for each list.

        Where the score itself came out as no evidence, nothing can be measured in its bits,
        and the shifts are 0.
        """
        weights = self._fit_pairs(dataset, shifted_columns)
        if weights[0] <= 0:
            return np.zeros(len(dataset.list_names))
        return np.asarray(weights[1:] / weights[0], np.float64)

    def fit_weights(self, dataset: FusionDataset) -> NDArray[np.float64]:
        """Return a weight above 0 for each list of positive scores, 1 on average.

        A list whose weight came out as 0 or less would be reversed; it gets a tenth of the usual
        weight instead.
        """
        weights = self._fit_pairs(dataset, score_columns)
        if not (weights > 0).any():
            return np.ones(len(dataset.list_names))
        floor = MIN_WEIGHT * weights[weights > 0].mean()
        raised = np.maximum(weights, floor)
        return np.asarray(raised / raised.mean(), np.float64)

    def _fit_pairs(self, dataset: FusionDataset, columns_of: Columns) -> NDArray[np.float64]:
        differences, weights = self._differences(dataset, columns_of)
        return fit_pairs(differences, cost=self.cost * weights.sum(), pair_weights=weights)

    def _differences(
        self, dataset: FusionDataset, columns_of: Columns
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the columns of each pair, the better's minus the other's, and its weight."""
        if self.query_count < 1 or self.opponents < 1:
            raise InputError("a rank SVM needs at least 1 query and 1 opponent per record")
        random = np.random.default_rng(self.seed)
        queries = random.permutation(len(dataset.query_ids))[: self.query_count]
        sample = dataset.take(queries)
        better, worse = _sample_pairs(sample, self.opponents, random)
        columns = columns_of(sample)
        return columns[better] - columns[worse], sample.record_weights[better]


def _sample_pairs(
    dataset: FusionDataset, opponents: int, random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the records of pairs within queries: the relevant ones and their opponents."""
    better, worse = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    bounds = dataset.offsets[:: len(dataset.list_names)]
    for first, last in pairwise(bounds.tolist()):
        relevant = dataset.labels[first:last] > 0
        others = first + np.flatnonzero(~relevant)
        for record in first + np.flatnonzero(relevant):
            sampled = random.choice(others, size=min(opponents, others.size), replace=False)
            better.append(np.full(sampled.size, record))
            worse.append(sampled)
    return np.concatenate(better), np.concatenate(worse)


def shifted_columns(dataset: FusionDataset) -> NDArray[np.float64]:
    """Return, for each record, its score and an indicator of its list."""
    columns = np.zeros((dataset.scores.size, 1 + len(dataset.list_names)))
    columns[:, 0] = dataset.scores
    columns[np.arange(dataset.scores.size), 1 + dataset.lists_of_records()] = 1.0
    return columns


def score_columns(dataset: FusionDataset) -> NDArray[np.float64]:
    """Return, for each record, its score in the column of its list and 0 in all others."""
    columns = np.zeros((dataset.scores.size, len(dataset.list_names)))
    columns[np.arange(dataset.scores.size), dataset.lists_of_records()] = dataset.scores
    return columns

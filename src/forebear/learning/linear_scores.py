"""The scores of judged lists under weights that move one at a time, and their NDCG.

A record's score is the sum of the weights of its features, so trying another weight for one
feature moves only the records that have it, and only in queries where others lack it; the
scores are kept, and a trial looks at nothing else.

Weights lie on a fine grid, on which sums of weights are exact.  So the order of additions
cannot untie records whose weights sum to the same, and the value of a trial is the value
that its weights give.  (Features that are real numbers have no such grid; there both hold
but for rounding.)
"""

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import (
    ideal_dcgs,
    ndcg_by_query,
    ndcg_sums_after_steps,
    summed_discounts,
    summed_weights,
)
from forebear.learning.dataset import RankingDataset, columns_of

# Sums below 2^16 in units of 2^-36 fit a double's 53 bits; a step of coordinate ascent
# reaches 0.001 * 2^25 < 2^16.
_GRID = 2.0**36


class LinearScores:
    """A dataset's scores and their mean NDCG, for weights of size 1 in all."""

    def __init__(
        self, dataset: RankingDataset, weights: NDArray[np.float64], *, cutoff: int
    ) -> None:
        if not dataset.query_ids:
            raise InputError("a dataset without queries teaches nothing")
        self._columns = columns_of(dataset)
        self._gains = dataset.labels.astype(np.float64)
        self._offsets = dataset.offsets
        longest = int(np.diff(dataset.offsets).max())
        self._discounts = summed_discounts(longest, cutoff=cutoff)
        self._ideals = ideal_dcgs(self._gains, self._offsets, self._discounts)
        self.set_weights(weights)

    @property
    def value(self) -> float:
        """Return the mean NDCG, expected over ties; a query without relevant records has 0."""
        return float(self._values.mean())

    def values_at(self, feature: int, candidates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean NDCG that each candidate for this feature's weight would give."""
        sums = ndcg_sums_after_steps(
            self._scores,
            self._columns[feature],
            self._gains,
            self._offsets,
            self._ideals,
            self._discounts,
            self._values,
            candidates - self.weights[feature],
        )
        return sums / self._values.size

    def set_weights(self, weights: NDArray[np.float64]) -> None:
        """Take these weights, scaled so that their sizes sum to 1: no order changes."""
        size = np.abs(weights).sum()
        self.weights = on_grid(weights / size if size else weights)
        self._scores = summed_weights(self._columns, self.weights)
        self._measure()

    def _measure(self) -> None:
        self._values = ndcg_by_query(
            self._scores, self._gains, self._offsets, self._ideals, self._discounts
        )


def on_grid(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round to the grid on which sums of weights are exact."""
    return np.round(weights * _GRID) / _GRID + 0.0  # + 0.0 turns -0.0 into 0.0


def mean_ndcg(dataset: RankingDataset, weights: NDArray[np.float64], *, cutoff: int = 100) -> float:
    """Return the mean NDCG, expected over ties, that these weights give on a dataset."""
    if weights.shape != (len(dataset.feature_names),):
        raise InputError(f"{weights.size} weights for {len(dataset.feature_names)} features")
    return LinearScores(dataset, weights, cutoff=cutoff).value


def ndcg_of_scores(
    dataset: RankingDataset, scores: NDArray[np.float64], *, cutoff: int = 100
) -> float:
    """Return the mean NDCG, expected over ties, that these scores of its records give."""
    if scores.shape != dataset.labels.shape:
        raise InputError(f"{scores.size} scores for {dataset.labels.size} records")
    gains = dataset.labels.astype(np.float64)
    discounts = summed_discounts(int(np.diff(dataset.offsets).max(initial=0)), cutoff=cutoff)
    ideals = ideal_dcgs(gains, dataset.offsets, discounts)
    values = ndcg_by_query(scores, gains, dataset.offsets, ideals, discounts)
    return float(values.mean()) if values.size else 0.0

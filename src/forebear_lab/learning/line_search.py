"""The best step along one weight, found exactly: lists kept sorted, all crossings looked at.

Along one weight NDCG is a staircase.  Evaluating it at some steps may miss the best stair;
here every stair counts (Och 2003, for translation; Wu et al. 2010, for rankings), at about
the cost of one evaluation.  The steps considered reach some spreads of the scores to either
side and are told apart in bins; see `kernels/line_binary.py`.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import ideal_dcgs, summed_discounts, summed_weights
from forebear.learning.coordinate_ascent import on_grid
from forebear.learning.dataset import (
    Features,
    RankingDataset,
    columns_of,
    feature_scales,
)
from forebear_lab.kernels.lines import (
    binary_line,
    choose_border,
    move_records,
    ranked_ndcg,
    real_line,
)

REACH = 4.0  # spreads of the scores to either side


class LineSearch:
    """A dataset's lists, sorted, and the steps that would improve them."""

    def __init__(
        self,
        dataset: RankingDataset,
        weights: NDArray[np.float64],
        *,
        cutoff: int,
        bins: int = 1024,
    ) -> None:
        if not dataset.query_ids:
            raise InputError("a dataset without queries teaches nothing")
        self._line = binary_line if dataset.binary else real_line
        self._bins = bins
        self._columns = columns_of(dataset)
        self._offsets = dataset.offsets
        labels = dataset.labels.astype(np.float64)
        longest = int(np.diff(dataset.offsets).max())
        self._discounts = summed_discounts(longest, cutoff=cutoff)
        self._ideals = ideal_dcgs(labels, self._offsets, self._discounts)
        self._touched = _varying_queries(dataset.features, self._offsets, self._ideals)
        self._scales = feature_scales(dataset)
        size = np.abs(weights).sum()
        self.weights = on_grid(weights / size if size else weights)
        self._sort(summed_weights(self._columns, self.weights), labels)

    @property
    def value(self) -> float:
        """Return the mean NDCG, expected over ties."""
        return float(self._values.mean())

    @property
    def spread(self) -> float:
        """Return how far the scores of one query lie apart: their usual standard deviation."""
        sizes = np.maximum(np.diff(self._offsets), 1)
        owners = np.repeat(np.arange(sizes.size), np.diff(self._offsets))
        means = np.bincount(owners, self._scores, sizes.size) / sizes
        squares = np.bincount(owners, (self._scores - means[owners]) ** 2, sizes.size)
        return float(np.sqrt(squares / sizes).mean()) or 1.0

    def best_step(
        self, feature: int, *, spread: float, smoothing: float = 0.0, sign: int = 0
    ) -> tuple[float, float]:
        """Return the best step of this feature's weight and what the mean NDCG gains by it.

        ``smoothing`` is half the width of the window over which NDCG is averaged, in spreads.
        With a ``sign`` the weight stops at 0; a step of 0.0 then means that it lies there.
        """
        queries = self._touched[feature]
        if not queries.size:
            return 0.0, 0.0
        width = 2 * REACH * spread / self._bins / self._scales[feature]
        low = (0.5 - self._bins / 2) * width
        values = self._line(
            self._ranked,
            self._scores,
            self._gains,
            self._columns[feature],
            self._offsets,
            queries,
            self._ideals,
            self._discounts,
            low,
            width,
            self._bins,
        )
        half = round(smoothing / (2 * REACH) * self._bins)
        first, last = self._allowed(feature, sign, low, width)
        current = float(self._values[queries].sum())
        border, gain = choose_border(values, half, first, last, current)
        weight = float(self.weights[feature])
        step = low + border * width
        if sign and (weight + step) * sign < 0:
            step = -weight
        return float(on_grid(np.array([step]))[0]), float(gain) / self._values.size

    def take(self, feature: int, step: float) -> None:
        """Move this feature's weight by a step."""
        queries = self._touched[feature]
        self.weights[feature] += step
        move_records(
            self._ranked,
            self._scores,
            self._gains,
            self._columns[feature],
            self._offsets,
            queries,
            step,
        )
        self._values[queries] = self._measure(queries)

    def _allowed(self, feature: int, sign: int, low: float, width: float) -> tuple[int, int]:
        """Return the borders that a sign allows: those on its side of 0, and one beyond."""
        if not sign:
            return 0, self._bins
        zero = (-float(self.weights[feature]) - low) / width
        if sign > 0:
            return min(max(int(np.ceil(zero)) - 1, 0), self._bins - 1), self._bins
        return 0, max(min(int(np.floor(zero)) + 2, self._bins), 1)

    def _sort(self, scores: NDArray[np.float64], labels: NDArray[np.float64]) -> None:
        owners = np.repeat(np.arange(self._ideals.size), np.diff(self._offsets))
        self._ranked = np.lexsort((-scores, owners)).astype(np.int64)
        self._scores = scores[self._ranked]
        self._gains = labels[self._ranked]
        self._values = self._measure(np.arange(self._ideals.size))

    def _measure(self, queries: NDArray[np.int64]) -> NDArray[np.float64]:
        return ranked_ndcg(
            self._scores, self._gains, self._offsets, queries, self._ideals, self._discounts
        )


def _varying_queries(
    features: Features, offsets: NDArray[np.int64], ideals: NDArray[np.float64]
) -> list[NDArray[np.int64]]:
    """Return, for each feature, the queries in which it can move anything."""
    filled = np.flatnonzero(np.diff(offsets) > 0)
    starts = offsets[filled]
    least = np.minimum.reduceat(features, starts, axis=0)
    most = np.maximum.reduceat(features, starts, axis=0)
    varies = (least != most) & (ideals[filled] > 0)[:, None]
    return [filled[varies[:, feature]] for feature in range(features.shape[1])]

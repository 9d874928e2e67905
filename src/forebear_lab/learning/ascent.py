"""Exact coordinate ascent: each weight is moved to its best place, not to the best of some steps.

Along one weight NDCG is a staircase.  Evaluating it at some steps may miss the best stair; here
every crossing of two records counts (Och 2003, for translation; Wu et al. 2010, for rankings), at
about the cost of one evaluation.  The steps considered reach some spreads of the scores to either
side and are divided into bins; see `forebear_lab/kernels/lines.py`.

Three things make it generalize.  NDCG is smoothed over a window of steps, so the search stops on
high ground and not on a needle; the windows may shrink (`smoothing` of several values), each used
until a pass gains too little.  A step that gains less than half a query's NDCG, over all queries,
is noise and not taken.  And where the search starts matters: the convex start is near the end
already.  For the highest training value instead, let the window shrink to 0 and `least_gain` be 0.
Features that gained nothing rest for some passes.

One line search counts as one evaluation in the history.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats, Integers, ideal_dcgs, summed_discounts, summed_weights
from forebear.learning.coordinate_ascent import ClauseWeights, Passes, check_fit, on_grid
from forebear.learning.dataset import (
    Features,
    Progress,
    RankingDataset,
    TrainingHistory,
    columns_of,
    feature_scales,
    no_progress,
)
from forebear.learning.starts import Signs, start_weights
from forebear_lab.kernels.lines import (
    Borders,
    binary_line,
    choose_border,
    move_records,
    ranked_ndcg,
    real_line,
)

ROUNDING = 1e-9  # of the sum of NDCG; a smaller gain comes from the order of additions
WINDOW_PASSES = 3  # with any window but the last: a wide one may never settle
REST = 4  # a feature that gained nothing is tried again in every fourth pass
REACH = 4.0  # spreads of the scores to either side
# Scores may spread this many times as far as at the start.  A rare feature can raise the spread,
# and the next pass then reaches further: without a limit weights grow until small ones are lost.
MAX_GROWTH = 10.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactAscent:
    """A learner of weights; the seed decides the order in which features are tried."""

    seed: int
    start: str | Floats = "softmax"  # a name of STARTS, or the weights themselves
    smoothing: tuple[float, ...] = (0.3,)  # half windows, in spreads of the scores
    least_gain: float = 0.5  # of a step, in queries
    cutoff: int = 100
    tolerance: float = 0.0005  # a pass that gains less is the last of its window
    max_passes: int = 50
    patience: int = 3  # passes without a better validation value before it stops

    def fit(
        self,
        dataset: RankingDataset,
        *,
        signs: Signs | None = None,
        validation: RankingDataset | None = None,
        progress: Progress = no_progress,
    ) -> tuple[ClauseWeights, TrainingHistory]:
        """Return the weights and the history of the training.

        ``signs`` holds +1 or -1 for each feature.  With ``validation``, the weights are those after
        the pass that did best there; else those after the last.  ``progress`` is called after every
        pass.
        """
        check_fit(dataset, signs, validation)
        return _Search(self, dataset, signs, validation, progress).run()


class _Search:
    """One run of the learner: the current lists and the passes so far."""

    def __init__(
        self,
        settings: ExactAscent,
        dataset: RankingDataset,
        signs: Signs | None,
        validation: RankingDataset | None,
        progress: Progress,
    ) -> None:
        self._passes = Passes(
            validation,
            features=len(dataset.feature_names),
            cutoff=settings.cutoff,
            patience=settings.patience,
            progress=progress,
        )
        self._settings = settings
        self._names = dataset.feature_names
        self._queries = len(dataset.query_ids)
        self._signs = np.zeros(len(self._names), np.int64) if signs is None else signs
        self._random = np.random.default_rng(settings.seed)
        weights = start_weights(settings.start, dataset, signs, seed=settings.seed)
        self._line = LineSearch(dataset, weights, cutoff=settings.cutoff)
        self._max_spread = MAX_GROWTH * self._line.spread
        self._is_validated = validation is not None
        self._searches = 0

    def run(self) -> tuple[ClauseWeights, TrainingHistory]:
        """Make passes, window after window, until the last gains too little."""
        self._note()
        ended = "tolerance"
        windows = self._settings.smoothing
        for number, smoothing in enumerate(windows, start=1):
            ended = self._climb(smoothing, is_last=number == len(windows))
            if ended not in ("tolerance", "window"):
                break
        values = self._passes.best if self._is_validated else self._line.weights
        weights = ClauseWeights(names=self._names, values=values.copy())
        return weights, self._passes.history(ended)

    def _climb(self, smoothing: float, *, is_last: bool) -> str:
        resting = np.zeros(len(self._names), np.bool_)
        full = True
        number = 0
        while self._passes.count < self._settings.max_passes:
            gained = self._pass(smoothing, resting, full)
            self._note()
            number += 1
            if not is_last and number == WINDOW_PASSES:
                return "window"
            if self._passes.is_stale:
                return "validation"
            if gained < self._settings.tolerance:
                if full:
                    return "tolerance"
                full = True  # features that rested may gain now
            else:
                full = number % REST == 0
        return "max_passes"

    def _pass(self, smoothing: float, resting: NDArray[np.bool_], full: bool) -> float:
        spread = min(self._line.spread, self._max_spread)
        least = max(self._settings.least_gain, ROUNDING) / self._queries
        gained = 0.0
        for feature in self._random.permutation(len(self._names)):
            if resting[feature] and not full:
                continue
            sign = int(self._signs[feature])
            step, gain = self._line.best_step(
                int(feature), spread=spread, smoothing=smoothing, sign=sign
            )
            self._searches += 1
            moves = gain > least and step != 0.0
            if moves:
                self._line.take(int(feature), step)
                gained += gain
            resting[feature] = not moves
        return gained

    def _note(self) -> None:
        self._passes.note(self._line.weights, train=self._line.value, evaluations=self._searches)


class LineSearch:
    """A dataset's lists, sorted, and the steps that would improve them."""

    def __init__(
        self,
        dataset: RankingDataset,
        weights: Floats,
        *,
        cutoff: int,
        bins: int = 1024,
    ) -> None:
        if not dataset.query_ids:
            raise InputError("a dataset without queries has nothing to learn from")
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
            Borders(low, width, self._bins),
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

    def _sort(self, scores: Floats, labels: Floats) -> None:
        owners = np.repeat(np.arange(self._ideals.size), np.diff(self._offsets))
        self._ranked = np.lexsort((-scores, owners)).astype(np.int64)
        self._scores = scores[self._ranked]
        self._gains = labels[self._ranked]
        self._values = self._measure(np.arange(self._ideals.size))

    def _measure(self, queries: Integers) -> Floats:
        return ranked_ndcg(
            self._scores, self._gains, self._offsets, queries, self._ideals, self._discounts
        )


def _varying_queries(features: Features, offsets: Integers, ideals: Floats) -> list[Integers]:
    """Return, for each feature, the queries in which it can change the order."""
    filled = np.flatnonzero(np.diff(offsets) > 0)
    starts = offsets[filled]
    least = np.minimum.reduceat(features, starts, axis=0)
    most = np.maximum.reduceat(features, starts, axis=0)
    varies = (least != most) & (ideals[filled] > 0)[:, None]
    return [filled[varies[:, feature]] for feature in range(features.shape[1])]

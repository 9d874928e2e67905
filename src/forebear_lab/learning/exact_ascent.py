"""Exact coordinate ascent: each weight moved to its best place, not to the best of some steps.

The order of the search is coordinate ascent's (`coordinate_ascent.py`); the step is found by
looking at every crossing of two records (`line_search.py`), which costs about as much as a
single evaluation.

Three things make it generalize.  NDCG is smoothed over a window of steps, so the search stops
on high ground and not on a needle; the windows may shrink (`smoothing` of several values),
each used until a pass gains too little.  A step that gains less than half a query's NDCG, all
queries together, is noise and not taken.  And where the search starts matters: the convex
start is near the end already.  For the highest training value instead, let the window shrink
to 0 and `least_gain` be 0.  Features that gained nothing rest for some passes.

One line search counts as one evaluation in the history.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.learning.coordinate_ascent import ClauseWeights, Passes, check_fit
from forebear.learning.dataset import RankingDataset
from forebear.learning.history import Progress, TrainingHistory, no_progress
from forebear.learning.starts import Signs, start_weights
from forebear_lab.learning.line_search import LineSearch

ROUNDING = 1e-9  # of the sum of NDCG; a gain below this is the order of additions
WINDOW_PASSES = 3  # with any window but the last: a wide one may never settle
REST = 4  # a feature that gained nothing is looked at again in every fourth pass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactAscent:
    """A learner of weights; the seed decides the order in which features are tried."""

    seed: int
    start: str | NDArray[np.float64] = "softmax"  # a name of STARTS, or the weights themselves
    smoothing: tuple[float, ...] = (0.3,)  # half windows, in spreads of the scores
    least_gain: float = 0.5  # of a step, in queries
    cutoff: int = 100
    tolerance: float = 0.0005  # a pass that gains less is the last of its window
    max_passes: int = 50
    patience: int = 3  # passes without a better validation value before giving up

    def fit(
        self,
        dataset: RankingDataset,
        *,
        signs: Signs | None = None,
        validation: RankingDataset | None = None,
        progress: Progress = no_progress,
    ) -> tuple[ClauseWeights, TrainingHistory]:
        """Return the weights found, and how they were found.

        ``signs`` holds +1 or -1 for each feature.  With ``validation``, the weights are
        those after the pass that did best there; else those after the last.  ``progress``
        is told every pass.
        """
        check_fit(dataset, signs, validation)
        return _Search(self, dataset, signs, validation, progress).run()


class _Search:
    """One run of the learner: the lists as they stand, and the passes so far."""

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
                full = True  # what rested may have something to say
            else:
                full = number % REST == 0
        return "max_passes"

    def _pass(self, smoothing: float, resting: NDArray[np.bool_], full: bool) -> float:
        spread = self._line.spread
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

"""Coordinate ascent: the weights of a linear ranking that maximize NDCG itself.

NDCG has no useful gradient, so one weight is tried at a time: small steps up, doubled again
and again, then small steps down, then none of it at all; the best is kept (Metzler and
Croft 2007).  The steps are RankLib's, so results can be compared, without three faults
found in RankLib: a small weight's downward steps do go down, leaving a feature out is
really tried, and the tolerance looks at the last pass, not at the whole run.

A weight bound by a sign stops at 0 where it would cross: evidence for a record must not
be learned, from few examples, as evidence against it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import RankingDataset
from forebear.learning.history import Progress, TrainingHistory, no_progress
from forebear.learning.linear_scores import LinearScores, on_grid
from forebear.learning.passes import Passes
from forebear.learning.starts import Signs, check_signs, start_weights

SMALLEST_STEP = 0.001
RELATIVE_STEP = 0.05  # of a weight that is small beside the smallest step
DOUBLINGS = 25
_ROUNDING = 1e-10  # a gain below this is the order of additions, not an improvement


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClauseWeights:
    """A weight for each feature; only their ratios mean anything until a slope is fitted."""

    names: tuple[str, ...]
    values: NDArray[np.float64]

    def as_dict(self) -> dict[str, float]:
        """Return the weight of each feature by its name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoordinateAscent:
    """A learner of weights; the seed decides the order in which features are tried."""

    seed: int
    start: str | NDArray[np.float64] = "customized"  # a name of STARTS, or the weights themselves
    cutoff: int = 100
    tolerance: float = 0.001  # a pass that gains less is the last
    max_passes: int = 50
    patience: int = 2  # passes without a better validation value before giving up

    def fit(
        self,
        dataset: RankingDataset,
        *,
        signs: Signs | None = None,
        validation: RankingDataset | None = None,
        progress: Progress = no_progress,
    ) -> tuple[ClauseWeights, TrainingHistory]:
        """Return the best weights found, and how they were found.

        ``signs`` holds +1 or -1 for each feature.  With ``validation``, the weights are
        those after the pass that did best there.  ``progress`` is told every pass.
        """
        check_fit(dataset, signs, validation)
        return _Ascent(self, dataset, signs, validation, progress).run()


def check_fit(
    dataset: RankingDataset, signs: Signs | None, validation: RankingDataset | None
) -> None:
    """Refuse signs and validation queries that do not fit the training queries."""
    if signs is not None:
        check_signs(signs, len(dataset.feature_names))
    if validation and validation.feature_names != dataset.feature_names:
        raise InputError("the validation queries have other features than the training queries")


class _Ascent:
    """One run of the learner: the scores as they stand, and the passes so far."""

    def __init__(
        self,
        settings: CoordinateAscent,
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
        self._signs = signs
        self._random = np.random.default_rng(settings.seed)
        weights = start_weights(settings.start, dataset, signs, seed=settings.seed)
        self._scores = LinearScores(dataset, weights, cutoff=settings.cutoff)
        self._evaluations = 1

    def run(self) -> tuple[ClauseWeights, TrainingHistory]:
        """Make passes until one gains too little."""
        self._note()
        ended = "max_passes"
        for _ in range(self._settings.max_passes):
            before = self._scores.value
            for feature in self._random.permutation(len(self._names)):
                self._try_feature(int(feature))
            self._note()
            if self._passes.is_stale:
                ended = "validation"
                break
            if self._scores.value - before < self._settings.tolerance:
                ended = "tolerance"
                break
        weights = ClauseWeights(names=self._names, values=self._passes.best)
        return weights, self._passes.history(ended)

    def _try_feature(self, feature: int) -> None:
        sign = 0 if self._signs is None else int(self._signs[feature])
        for candidates in candidate_weights(float(self._scores.weights[feature]), sign):
            values = self._scores.values_at(feature, candidates)
            self._evaluations += candidates.size
            best = int(np.argmax(values))
            if values[best] > self._scores.value + _ROUNDING:
                self._accept(feature, float(candidates[best]))
                return

    def _accept(self, feature: int, weight: float) -> None:
        weights = self._scores.weights.copy()
        weights[feature] = weight
        self._scores.set_weights(weights)
        self._evaluations += 1

    def _note(self) -> None:
        self._passes.note(
            self._scores.weights, train=self._scores.value, evaluations=self._evaluations
        )


def candidate_weights(weight: float, sign: int = 0) -> Iterator[NDArray[np.float64]]:
    """Yield what to try in place of a weight: doubled steps up, doubled steps down, nothing.

    With a ``sign`` of 1 or -1 no candidate has the other sign; one that would is 0.
    """
    first = SMALLEST_STEP
    if weight and first > 0.5 * abs(weight):
        first = RELATIVE_STEP * abs(weight)
    steps = first * (np.exp2(np.arange(1.0, DOUBLINGS + 1)) - 1)
    for direction in (steps, -steps, np.array([-weight])):
        candidates = on_grid(weight + direction)
        if sign:
            candidates = np.maximum(candidates * sign, 0.0) * sign + 0.0
        # A small weight's steps may round to nothing, and those beyond 0 are one candidate.
        new = np.diff(candidates, prepend=weight) != 0
        if new.any():
            yield candidates[new]

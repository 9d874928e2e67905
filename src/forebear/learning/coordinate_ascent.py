"""Which weights of a linear ranking maximize NDCG?  Coordinate ascent, one weight at a time.

NDCG has no useful gradient, so each weight is tried with small steps up, doubled repeatedly, then
small steps down, then without the feature; the best candidate is taken (Metzler and Croft 2007).
The steps are RankLib's, so results can be compared, without three faults of RankLib: a small
weight's downward steps do go down, removing a feature is really tried, and the tolerance applies
to the last pass, not to the whole run.

A weight with a sign stops at 0 where it would cross: evidence for a record must not be learned,
from few examples, as evidence against it.

A record's score is the sum of the weights of its features, so another weight for one feature moves
only the records that have it, and only in queries where others lack it.  Weights lie on a fine
grid on which their sums are exact: the order of additions cannot untie records whose weights sum
to the same.  (Real-valued features have no such grid; there sums are exact up to rounding.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import (
    Floats,
    ideal_dcgs,
    ndcg_by_query,
    ndcg_sums_after_steps,
    summed_discounts,
    summed_weights,
)
from forebear.learning.dataset import (
    Progress,
    RankingDataset,
    TrainingHistory,
    TrainingStep,
    columns_of,
    no_progress,
)
from forebear.learning.starts import Signs, check_signs, start_weights

SMALLEST_STEP = 0.001
RELATIVE_STEP = 0.05  # of a weight that is small beside the smallest step
DOUBLINGS = 25
_ROUNDING = 1e-10  # a smaller gain comes from the order of additions
# Sums below 2^16 in units of 2^-36 fit a double's 53 bits; a step of coordinate ascent reaches
# 0.001 * 2^25 < 2^16.
_GRID = 2.0**36


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClauseWeights:
    """A weight for each feature; only their ratios mean anything until a slope is fitted."""

    names: tuple[str, ...]
    values: Floats

    def as_dict(self) -> dict[str, float]:
        """Return the weight of each feature by its name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoordinateAscent:
    """A learner of weights; the seed decides the order in which features are tried."""

    seed: int
    start: str | Floats = "customized"  # a name of STARTS, or the weights themselves
    cutoff: int = 100
    tolerance: float = 0.001  # a pass that gains less is the last
    max_passes: int = 50
    patience: int = 2  # passes without a better validation value before it stops
    target: float | None = None  # the training NDCG at which it stops at once

    def fit(
        self,
        dataset: RankingDataset,
        *,
        signs: Signs | None = None,
        validation: RankingDataset | None = None,
        progress: Progress = no_progress,
    ) -> tuple[ClauseWeights, TrainingHistory]:
        """Return the best weights and the history of the training.

        ``signs`` holds +1 or -1 for each feature.  With ``validation``, the weights are those after
        the pass that did best there.  ``progress`` is called after every pass.
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
    """One run of the learner: the current scores and the passes so far."""

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
                if self._is_at_target():
                    break
                self._try_feature(int(feature))
            self._note()
            if self._is_at_target():
                ended = "target"
                break
            if self._passes.is_stale:
                ended = "validation"
                break
            if self._scores.value - before < self._settings.tolerance:
                ended = "tolerance"
                break
        weights = ClauseWeights(names=self._names, values=self._passes.best)
        return weights, self._passes.history(ended)

    def _is_at_target(self) -> bool:
        target = self._settings.target
        return target is not None and self._scores.value >= target

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


def candidate_weights(weight: float, sign: int = 0) -> Iterator[Floats]:
    """Yield what to try in place of a weight: doubled steps up, doubled steps down, 0.

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


class LinearScores:
    """A dataset's scores and their mean NDCG, for weights whose sizes sum to 1."""

    def __init__(self, dataset: RankingDataset, weights: Floats, *, cutoff: int) -> None:
        if not dataset.query_ids:
            raise InputError("a dataset without queries has nothing to learn from")
        self._columns = columns_of(dataset)
        self._gains = dataset.labels.astype(np.float64)
        self._offsets = dataset.offsets
        longest = int(np.diff(dataset.offsets).max())
        self._discounts = summed_discounts(longest, cutoff=cutoff)
        ideals = ideal_dcgs(self._gains, self._offsets, self._discounts)
        # A query's NDCG, divided by its ideal, then is multiplied by the query's weight.
        self._ideals = np.divide(
            ideals,
            dataset.weights,
            out=np.full(ideals.size, np.inf),
            where=dataset.weights > 0,
        )
        self._total = float(dataset.weights.sum())
        self.set_weights(weights)

    @property
    def value(self) -> float:
        """Return the mean NDCG, expected over ties; a query without relevant records has 0."""
        return float(self._values.sum() / self._total)

    def values_at(self, feature: int, candidates: Floats) -> Floats:
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
        return sums / self._total

    def set_weights(self, weights: Floats) -> None:
        """Use these weights, scaled so that their sizes sum to 1, which changes no order."""
        size = np.abs(weights).sum()
        self.weights = on_grid(weights / size if size else weights)
        self._scores = summed_weights(self._columns, self.weights)
        self._values = ndcg_by_query(
            self._scores, self._gains, self._offsets, self._ideals, self._discounts
        )


def on_grid(weights: Floats) -> Floats:
    """Round to the grid on which sums of weights are exact."""
    return np.round(weights * _GRID) / _GRID + 0.0  # + 0.0 turns -0.0 into 0.0


def mean_ndcg(dataset: RankingDataset, weights: Floats, *, cutoff: int = 100) -> float:
    """Return the mean NDCG, expected over ties, that these weights give on a dataset."""
    if weights.shape != (len(dataset.feature_names),):
        raise InputError(f"{weights.size} weights for {len(dataset.feature_names)} features")
    return LinearScores(dataset, weights, cutoff=cutoff).value


def ndcg_of_scores(dataset: RankingDataset, scores: Floats, *, cutoff: int = 100) -> float:
    """Return the mean NDCG, expected over ties, that these scores of its records give."""
    if scores.shape != dataset.labels.shape:
        raise InputError(f"{scores.size} scores for {dataset.labels.size} records")
    gains = dataset.labels.astype(np.float64)
    discounts = summed_discounts(int(np.diff(dataset.offsets).max(initial=0)), cutoff=cutoff)
    ideals = ideal_dcgs(gains, dataset.offsets, discounts)
    values = ndcg_by_query(scores, gains, dataset.offsets, ideals, discounts)
    return float(np.average(values, weights=dataset.weights)) if values.size else 0.0


class Passes:
    """The weights and measures after each pass, beginning with the start.

    Weights are judged by the validation queries if there are any, else by the training queries.
    """

    def __init__(
        self,
        validation: RankingDataset | None,
        *,
        features: int,
        cutoff: int,
        patience: int,
        progress: Progress,
    ) -> None:
        self._began = perf_counter()
        self._progress = progress
        self._patience = patience
        self.best = np.zeros(features)  # the weights
        self._held = LinearScores(validation, self.best, cutoff=cutoff) if validation else None
        self._steps: list[TrainingStep] = []
        self._best_value = -1.0
        self._best_pass = 0

    @property
    def count(self) -> int:
        """Return how many passes were recorded, without the start."""
        return len(self._steps) - 1

    @property
    def is_stale(self) -> bool:
        """Return whether the validation value has not improved for too many passes."""
        return self._held is not None and self.count - self._best_pass >= self._patience

    def note(self, weights: Floats, *, train: float, evaluations: int) -> None:
        """Record the weights after a pass and report progress."""
        held = None
        if self._held:
            self._held.set_weights(weights)
            held = self._held.value
        step = TrainingStep(
            move=f"pass {len(self._steps)}" if self._steps else "start",
            train=train,
            validation=held,
            evaluations=evaluations,
            seconds=perf_counter() - self._began,
        )
        self._steps.append(step)
        judged = train if held is None else held
        if judged > self._best_value:
            self.best, self._best_value, self._best_pass = weights.copy(), judged, self.count
        self._progress(step)

    def history(self, ended: str) -> TrainingHistory:
        """Return all passes, and why the last was the last."""
        return TrainingHistory(steps=tuple(self._steps), ended=ended)

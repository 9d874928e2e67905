"""Coordinate ascent as RankLib ships it, faults included, and on the weights of fused lists."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.coordinate_ascent import (
    DOUBLINGS,
    RELATIVE_STEP,
    SMALLEST_STEP,
    ClauseWeights,
    LinearScores,
    candidate_weights,
    mean_ndcg,
)
from forebear.learning.dataset import FusionDataset, RankingDataset, TrainingHistory, TrainingStep
from forebear.learning.starts import start_weights
from forebear.learning.stochastic_search import FusedScores
from forebear_lab.baselines.fuser import CurvePoint, Fitted, in_bits, named

TOLERANCE = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class RanklibAscent:
    """RankLib's coordinate ascent as versions from 2.7 on ship it, which ranks with a wrong cache.

    It is here only to measure what its faults cost.  Read from `CoorAscent.java`:

    - every feature is tried upward, downward, and then removed (direction 0).  The removal's trial
      adds a step of 0 to the cached scores, so it evaluates what was there before; when it fails,
      as it must, the cache is "restored" by adding the weight.  From then on the cache ranks with
      that feature counted once more than the weights say;
    - a weight that is small beside the first step is tried with 0.05 of its size, upward in both
      directions: the sign is lost;
    - training ends when a pass fails for all features but one in a row, or when everything since
      the start of the restart gained less than the tolerance: the last pass is never tested.

    RankLib ranks ties in the order of the file; here they are averaged.
    """

    seed: int
    start: str = "uniform"  # RankLib knows no other
    restarts: int = 5
    cutoff: int = 100
    max_passes: int = 50

    def fit(self, dataset: RankingDataset) -> tuple[ClauseWeights, TrainingHistory]:
        """Return the weights RankLib would return; the history has their true value."""
        began = perf_counter()
        random = np.random.default_rng(self.seed)
        best, reported, evaluations = np.zeros(0), -1.0, 0
        steps: list[TrainingStep] = []
        for number in range(1, self.restarts + 1):
            start = start_weights(self.start, dataset, None, seed=self.seed)
            run = CachedAscent(dataset, start, cutoff=self.cutoff)
            run.climb(random, self.max_passes)
            evaluations += run.evaluations
            if run.reported > reported:
                best, reported = run.weights, run.reported
            step = TrainingStep(
                move=f"restart {number}, believed {reported:.4f}",
                train=mean_ndcg(dataset, best, cutoff=self.cutoff),
                evaluations=evaluations,
                seconds=perf_counter() - began,
            )
            steps.append(step)
        weights = ClauseWeights(names=dataset.feature_names, values=best)
        return weights, TrainingHistory(steps=tuple(steps), ended="restarts")


class CachedAscent:
    """One restart: the weights, and those that the cached scores really rank with."""

    def __init__(self, dataset: RankingDataset, weights: Floats, *, cutoff: int) -> None:
        self._cache = LinearScores(dataset, weights, cutoff=cutoff)
        self.weights = weights / np.abs(weights).sum()
        self._cached = self.weights.copy()
        self._scale = 1.0  # the size of the cached weights, which `LinearScores` divides by
        self.reported = self._cache.value
        self.evaluations = 1

    def climb(self, random: np.random.Generator, max_passes: int) -> None:
        """Make passes until RankLib would stop."""
        started, fails = self.reported, 0
        for _ in range(max_passes):
            for feature in random.permutation(self.weights.size):
                fails = 0 if self.try_feature(int(feature)) else fails + 1
            if fails >= self.weights.size - 1 or self.reported - started < TOLERANCE:
                return

    def try_feature(self, feature: int) -> bool:
        """Try a feature in all directions and return whether one succeeded."""
        weight = float(self.weights[feature])
        for cached, meant in ranklib_steps(weight):
            held = self._cache.weights[feature] + cached / self._scale
            values = self._cache.values_at(feature, held)
            self.evaluations += cached.size
            best = int(np.argmax(values))
            if values[best] > self.reported:
                self.reported = float(values[best])
                self._accept(feature, weight + float(meant[best]), float(cached[best]))
                return True
        self._add_to_cache(feature, weight)  # the failed removal, "undone"
        return False

    def _accept(self, feature: int, weight: float, cached: float) -> None:
        self.weights[feature] = weight
        self._add_to_cache(feature, cached)
        size = float(np.abs(self.weights).sum()) or 1.0
        self.weights /= size
        self._cached /= size
        self._scale /= size

    def _add_to_cache(self, feature: int, change: float) -> None:
        self._cached[feature] += change
        self._cache.set_weights(self._cached)
        self._scale = float(np.abs(self._cached).sum()) or 1.0


def ranklib_steps(weight: float) -> Iterator[tuple[Floats, Floats]]:
    """Yield, for each direction, the steps the cache takes and those the weight is meant to take.

    They are the same upward and "downward"; the removal leaves the cache where it is.
    """
    doubled = np.exp2(np.arange(1.0, DOUBLINGS + 1)) - 1
    for direction in (1, -1):
        step = SMALLEST_STEP * direction
        if weight and abs(step) > 0.5 * abs(weight):
            step = RELATIVE_STEP * abs(weight)
        yield step * doubled, step * doubled
    yield np.zeros(1), np.array([-weight])


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedAscent:
    """Coordinate ascent on the weights of fused lists: the paper's CA row.

    RankLib's steps without its faults (`forebear.learning.coordinate_ascent`), from equal weights.
    No weight goes below 0: a list would be reversed.
    """

    seed: int
    tolerance: float = 0.001  # a pass that gains less is the last
    max_passes: int = 25

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Make passes until one gains too little."""
        ascent = _Ascent(in_bits(dataset), self.seed)
        curve = [CurvePoint(work=1, train=ascent.value)]
        for _ in range(self.max_passes):
            before = ascent.value
            ascent.make_pass()
            curve.append(CurvePoint(work=ascent.evaluations, train=ascent.value))
            if ascent.value - before < self.tolerance:
                break
        weights = ascent.weights
        return Fitted(
            score=lambda lists: in_bits(lists).scores + np.log2(weights)[lists.lists_of_records()],
            curve=tuple(curve),
            unit="evaluations",
            settings={"restarts": 1, "tolerance": self.tolerance, "start": "equal weights"},
            weights=named(dataset, weights),
        )


class _Ascent:
    """The current weights; in bits, so that multiplying is shifting."""

    def __init__(self, dataset: FusionDataset, seed: int) -> None:
        self._scores = FusedScores(dataset)
        self._random = np.random.default_rng(seed)
        self.weights = np.full(len(dataset.list_names), 1 / len(dataset.list_names))
        self.value = self._evaluate(self.weights)
        self.evaluations = 1

    def make_pass(self) -> None:
        """Try every weight once, in random order."""
        for number in self._random.permutation(self.weights.size):
            self._try(int(number))

    def _try(self, number: int) -> None:
        for candidates in candidate_weights(float(self.weights[number])):
            tried = [self._moved(number, one) for one in candidates[candidates > 0]]
            values = [self._evaluate(weights) for weights in tried]
            self.evaluations += len(values)
            if values and max(values) > self.value:
                best = int(np.argmax(values))
                self.value = values[best]
                self.weights = tried[best] / tried[best].sum()
                return

    def _moved(self, number: int, weight: float) -> Floats:
        weights = self.weights.copy()
        weights[number] = weight
        return weights

    def _evaluate(self, weights: Floats) -> float:
        return self._scores.value(np.log2(weights))

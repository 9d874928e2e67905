"""RankLib's coordinate ascent as versions from 2.7 on ship it, its faults included.

Kept only to say what they cost.  Read from `CoorAscent.java`:

- every feature is tried upward, downward, and then removed (direction 0).  The removal's trial
  adds a step of 0 to the cached scores, so it looks at what was there before; when it fails, as
  it must, the cache is "restored" by adding the weight.  From then on the cache ranks with that
  feature counted once more than the weights say;
- a weight that is small beside the first step is tried with 0.05 of its size, upward in both
  directions: the sign is lost;
- training ends when a pass fails for all features but one in a row, or when everything since
  the start of the restart gained less than the tolerance: the last pass is never asked.

RankLib ranks ties in the order of the file; here they are averaged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from forebear.learning.coordinate_ascent import (
    DOUBLINGS,
    RELATIVE_STEP,
    SMALLEST_STEP,
    ClauseWeights,
    LinearScores,
    mean_ndcg,
)
from forebear.learning.dataset import RankingDataset
from forebear.learning.history import TrainingHistory, TrainingStep
from forebear.learning.starts import start_weights
from forebear_lab.experiments.fuser import Row

TOLERANCE = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class RanklibAscent:
    """A learner of weights that believes a wrong cache."""

    seed: int
    start: str = "uniform"  # RankLib knows no other
    restarts: int = 5
    cutoff: int = 100
    max_passes: int = 50

    def fit(self, dataset: RankingDataset) -> tuple[ClauseWeights, TrainingHistory]:
        """Return the weights RankLib would return; the history tells their true value."""
        began = perf_counter()
        random = np.random.default_rng(self.seed)
        best, believed, evaluations = np.zeros(0), -1.0, 0
        steps: list[TrainingStep] = []
        for number in range(1, self.restarts + 1):
            start = start_weights(self.start, dataset, None, seed=self.seed)
            run = CachedAscent(dataset, start, cutoff=self.cutoff)
            run.climb(random, self.max_passes)
            evaluations += run.evaluations
            if run.believed > believed:
                best, believed = run.weights, run.believed
            step = TrainingStep(
                move=f"restart {number}, believed {believed:.4f}",
                train=mean_ndcg(dataset, best, cutoff=self.cutoff),
                evaluations=evaluations,
                seconds=perf_counter() - began,
            )
            steps.append(step)
        weights = ClauseWeights(names=dataset.feature_names, values=best)
        return weights, TrainingHistory(steps=tuple(steps), ended="restarts")


class CachedAscent:
    """One restart: the weights, and those that the cached scores really rank with."""

    def __init__(self, dataset: RankingDataset, weights: Row, *, cutoff: int) -> None:
        self._cache = LinearScores(dataset, weights, cutoff=cutoff)
        self.weights = weights / np.abs(weights).sum()
        self._cached = self.weights.copy()
        self._scale = 1.0  # the size of the cached weights, which `LinearScores` divides by
        self.believed = self._cache.value
        self.evaluations = 1

    def climb(self, random: np.random.Generator, max_passes: int) -> None:
        """Make passes until RankLib would stop."""
        started, fails = self.believed, 0
        for _ in range(max_passes):
            for feature in random.permutation(self.weights.size):
                fails = 0 if self.try_feature(int(feature)) else fails + 1
            if fails >= self.weights.size - 1 or self.believed - started < TOLERANCE:
                return

    def try_feature(self, feature: int) -> bool:
        """Try a feature in all directions; say whether one succeeded."""
        weight = float(self.weights[feature])
        for cached, meant in ranklib_steps(weight):
            held = self._cache.weights[feature] + cached / self._scale
            values = self._cache.values_at(feature, held)
            self.evaluations += cached.size
            best = int(np.argmax(values))
            if values[best] > self.believed:
                self.believed = float(values[best])
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


def ranklib_steps(weight: float) -> Iterator[tuple[Row, Row]]:
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

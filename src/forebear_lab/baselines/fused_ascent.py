"""Coordinate ascent on the weights of fused lists: the paper's CA row.

RankLib's steps without its faults (`learning/coordinate_ascent.py`), from equal weights; NDCG is
evaluated by the objective that never sorts.  No weight goes below 0: a list would be turned
around.
"""

from dataclasses import dataclass

import numpy as np

from forebear.learning.coordinate_ascent import candidate_weights
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear_lab.experiments.bits import in_bits
from forebear_lab.experiments.fuser import CurvePoint, Fitted, Row, named


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedAscent:
    """Learn a weight a list, one at a time."""

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
    """The weights as they stand; in bits, so that multiplying is shifting."""

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

    def _moved(self, number: int, weight: float) -> Row:
        weights = self.weights.copy()
        weights[number] = weight
        return weights

    def _evaluate(self, weights: Row) -> float:
        return self._scores.value(np.log2(weights))

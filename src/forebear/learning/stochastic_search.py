"""Stochastic search: the shifts of fused lists that maximize NDCG itself.

A rank SVM on a sample of the queries finds a start, and Nelder and Mead's simplex walks on
from there, looking at the NDCG of all queries ("Ranking in Genealogy", section 3.2).

The paper multiplies each list's score by a weight; so do we where scores are positive and not
in bits (`scale="weights"`).  There the simplex walks among weights that are 1 on average, for
its first step of 0.1 means nothing without a scale, and a weight of 0 or less, which would
turn a list around, is infinitely bad.  Scores in bits are logarithms to base 2, so the weight
is a shift added to the score; only differences between shifts matter, and all are given
relative to the first list's.  Should the SVM's start be worse than raw scores, as it may be on
very few queries, the simplex starts at those.

With an `AnnealedSimplex` in place of the simplex this is NDCG-Annealing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear.learning.fusion_weights import FusionWeights
from forebear.learning.history import Progress, TrainingHistory, TrainingStep, no_progress
from forebear.learning.nelder_mead import Minimizer, Minimum, NelderMead
from forebear.learning.rank_svm import RankSvm

Scale = Literal["bits", "weights"]
Value = Callable[[NDArray[np.float64]], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticSearch:
    """A learner of shifts; the seed decides which queries and pairs the start is learned from."""

    seed: int
    scale: Scale = "bits"
    cutoff: int = 100
    query_count: int = 1000  # for the start
    simplex: Minimizer = field(default_factory=NelderMead)

    def fit(
        self, dataset: FusionDataset, *, progress: Progress = no_progress
    ) -> tuple[FusionWeights, TrainingHistory]:
        """Return the best shifts found, relative to the first list, and how they were found.

        ``progress`` is told every evaluation.
        """
        began = perf_counter()
        value = self._value(FusedScores(dataset, cutoff=self.cutoff))
        clock = _Clock(value, began, progress)
        starts = self._starts(dataset)
        steps = _note_starts(clock, starts)
        start = max(steps, key=lambda step: step.train)
        found = self.simplex.minimize(clock.loss, starts[start.move])
        history = TrainingHistory(steps=(*steps, *_note_moves(found, clock)), ended=found.ended)
        shifts = found.point if self.scale == "bits" else np.log2(found.point)
        return FusionWeights.named(dataset.list_names, shifts), history

    def _starts(self, dataset: FusionDataset) -> dict[str, NDArray[np.float64]]:
        machine = RankSvm(seed=self.seed, query_count=self.query_count)
        count = len(dataset.list_names)
        if self.scale == "bits":
            return {"raw": np.zeros(count), "rank_svm": machine.fit(dataset)}
        if dataset.scores.size and dataset.scores.min() <= 0:
            raise InputError(
                f"a score is {dataset.scores.min()}, and weights multiply only scores above 0",
                hint="scores that may be 0 or less are shifted: say that they are bits",
            )
        return {"raw": np.ones(count), "rank_svm": machine.fit_weights(dataset)}

    def _value(self, scores: FusedScores) -> Value:
        if self.scale == "bits":
            return scores.value
        return lambda weights: scores.weighted_value(weights) if weights.min() > 0 else -np.inf


class _Clock:
    """The value, the loss, and when each evaluation was done."""

    def __init__(self, value: Value, began: float, progress: Progress) -> None:
        self._value = value
        self._began = began
        self._progress = progress
        self.seconds: list[float] = []

    def value(self, point: NDArray[np.float64]) -> float:
        found = self._value(point)
        seconds = perf_counter() - self._began
        self.seconds.append(seconds)
        count = len(self.seconds)
        self._progress(
            TrainingStep(move="evaluation", train=found, evaluations=count, seconds=seconds)
        )
        return found

    def loss(self, point: NDArray[np.float64]) -> float:
        return -self.value(point)


def _note_starts(clock: _Clock, starts: Mapping[str, NDArray[np.float64]]) -> list[TrainingStep]:
    return [
        TrainingStep(
            move=name,
            train=clock.value(point),
            evaluations=number,
            seconds=clock.seconds[-1],
        )
        for number, (name, point) in enumerate(starts.items(), start=1)
    ]


def _note_moves(found: Minimum, clock: _Clock) -> list[TrainingStep]:
    return [
        TrainingStep(
            move=move.operation,
            train=-move.best,
            evaluations=2 + move.evaluations,  # after the two starts
            seconds=clock.seconds[1 + move.evaluations],
        )
        for move in found.moves
    ]

"""Stochastic search: the shifts of fused lists that maximize NDCG itself.

A rank SVM on a sample of the queries finds a start, and Nelder and Mead's simplex walks on
from there, looking at the NDCG of all queries ("Ranking in Genealogy", section 3.2).

The paper multiplies each list's score by a weight.  Our scores are in bits, logarithms to
base 2, so the weight is a shift added to the score; only differences between shifts matter,
and all are given relative to the first list's.  Should the SVM's shifts be worse than none,
as they may be on very few queries, the simplex starts at none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Self

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear.learning.history import TrainingHistory, TrainingStep
from forebear.learning.nelder_mead import Minimum, NelderMead
from forebear.learning.rank_svm import RankSvm
from forebear.learning.slope import to_grid


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionWeights:
    """The shift of each list, in bits."""

    shifts: Mapping[str, float]

    def relative_to(self, reference: str) -> Self:
        """Return the shifts that rank alike and leave this list where it is."""
        if reference not in self.shifts:
            raise InputError(f"no list is called {reference!r}")
        zero = self.shifts[reference]
        return type(self)(shifts={name: shift - zero for name, shift in self.shifts.items()})

    def on_grid(self) -> Self:
        """Return the shifts rounded to 64ths of a bit."""
        rounded = to_grid(np.array(list(self.shifts.values()), np.float64))
        return type(self)(shifts=dict(zip(self.shifts, rounded.tolist(), strict=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticSearch:
    """A learner of shifts; the seed decides which queries and pairs the start is learned from."""

    seed: int
    cutoff: int = 100
    query_count: int = 1000  # for the start
    simplex: NelderMead = field(default_factory=NelderMead)

    def fit(self, dataset: FusionDataset) -> tuple[FusionWeights, TrainingHistory]:
        """Return the best shifts found, relative to the first list, and how they were found."""
        began = perf_counter()
        scores = FusedScores(dataset, cutoff=self.cutoff)
        starts = {
            "raw": np.zeros(len(dataset.list_names)),
            "rank_svm": RankSvm(seed=self.seed, query_count=self.query_count).fit(dataset),
        }
        steps = _note_starts(scores, starts, began)
        start = max(steps, key=lambda step: step.train)
        clock = _Clock(scores, began)
        found = self.simplex.minimize(clock, starts[start.move])
        history = TrainingHistory(steps=(*steps, *_note_moves(found, clock)), ended=found.ended)
        return _name_shifts(dataset, found.point), history


class _Clock:
    """The loss, and when each evaluation was done."""

    def __init__(self, scores: FusedScores, began: float) -> None:
        self._scores = scores
        self._began = began
        self.seconds: list[float] = []

    def __call__(self, shifts: NDArray[np.float64]) -> float:
        loss = -self._scores.value(shifts)
        self.seconds.append(perf_counter() - self._began)
        return loss


def _name_shifts(dataset: FusionDataset, shifts: NDArray[np.float64]) -> FusionWeights:
    named = dict(zip(dataset.list_names, shifts.tolist(), strict=True))
    return FusionWeights(shifts=named).relative_to(dataset.list_names[0])


def _note_starts(
    scores: FusedScores, starts: Mapping[str, NDArray[np.float64]], began: float
) -> list[TrainingStep]:
    return [
        TrainingStep(
            move=name,
            train=scores.value(shifts),
            evaluations=number,
            seconds=perf_counter() - began,
        )
        for number, (name, shifts) in enumerate(starts.items(), start=1)
    ]


def _note_moves(found: Minimum, clock: _Clock) -> list[TrainingStep]:
    return [
        TrainingStep(
            move=move.operation,
            train=-move.best,
            evaluations=2 + move.evaluations,  # after the two starts
            seconds=clock.seconds[move.evaluations - 1],
        )
        for move in found.moves
    ]

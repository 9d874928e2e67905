"""Shifts for relevance and diversity together: NDCG + weight * NCE.

NCE depends on the whole order of the first records, not only on the relevant ones, so there is
no line search; the simplex of Nelder and Mead looks at both measures of every point it tries.
A decay after fusion usually gives more of both (`trade_off.py`); this is what weights alone
can do.
"""

from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusionWeights
from forebear.learning.history import Progress, TrainingHistory, TrainingStep, no_progress
from forebear.learning.measures import Ideal
from forebear.learning.stochastic_search import Minimizer, NelderMead
from forebear_lab.learning.trade_off import FusedLists


@dataclass(frozen=True, slots=True, kw_only=True)
class JointSearch:
    """A learner of shifts from a start, such as those that are best for NDCG alone."""

    weight: float  # of NCE beside NDCG
    cutoff: int = 100
    ideal: Ideal = "supply"
    simplex: Minimizer = field(default_factory=lambda: NelderMead(step=0.5, stagnation=30))

    def fit(
        self,
        dataset: FusionDataset,
        *,
        start: NDArray[np.float64],
        progress: Progress = no_progress,
    ) -> tuple[FusionWeights, TrainingHistory]:
        """Return the best shifts found; history and progress tell the joint value."""
        if self.weight < 0:
            raise InputError(f"the weight of NCE is {self.weight}, not 0 or more")
        began = perf_counter()
        lists = FusedLists(dataset, cutoff=self.cutoff, ideal=self.ideal)
        tried: list[TrainingStep] = []

        def loss(shifts: NDArray[np.float64]) -> float:
            found = lists.trade_off(shifts)
            step = TrainingStep(
                move="evaluation",
                train=found.ndcg + self.weight * found.nce,
                evaluations=len(tried) + 1,
                seconds=perf_counter() - began,
            )
            tried.append(step)
            progress(step)
            return -step.train

        minimum = self.simplex.minimize(loss, start)
        steps = tuple(
            replace(tried[move.evaluations - 1], move=move.operation, train=-move.best)
            for move in minimum.moves
        )
        weights = FusionWeights.named(dataset.list_names, minimum.point)
        return weights, TrainingHistory(steps=steps, ended=minimum.ended)

"""Conditions: a list's shift moved by which facts the query has.

A query that names a spouse makes marriages likelier, one without a surname makes them less so;
one shift a list cannot say that.  So each fact may move each list, and the shift of list j in
query q is

    shift_j + sum over the facts f that q has of condition_jf

Every condition is one line search over the queries that have the fact, from a start that is
good already: the shifts that are best without any, or those of a logistic regression.  A pull
toward 0 keeps what few queries say from being believed.  (In the literature gating, as in
LambdaMerge: Sheldon et al. 2011.)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.calibrate import QueryFacts
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusionWeights
from forebear.learning.history import TrainingHistory, TrainingStep
from forebear_lab.learning.fused_line_search import FusedLineSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionedWeights:
    """The shift of each list, and what each fact adds to it, in bits."""

    shifts: FusionWeights
    conditions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by list, by fact

    def table(self, list_names: tuple[str, ...], facts: QueryFacts) -> NDArray[np.float64]:
        """Return the conditions: a row a fact, a column a list."""
        rows = [
            [self.conditions.get(name, {}).get(fact, 0.0) for name in list_names]
            for fact in facts.names
        ]
        return np.array(rows, np.float64).reshape(len(facts.names), len(list_names))

    def rows(self, list_names: tuple[str, ...], facts: QueryFacts) -> NDArray[np.float64]:
        """Return the shifts of each query: a row a query, a column a list."""
        moved = facts.values.astype(np.float64) @ self.table(list_names, facts)
        return self.shifts.array(list_names) + moved


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionedFusion:
    """A learner of conditions; the seed decides the order in which they are tried."""

    seed: int
    cutoff: int = 100
    smoothing: float = 0.05  # half the window, in spreads of the scores
    least_gain: float = 0.5  # of a step, in queries
    pull: float = 1e-5  # what a condition of one bit costs, squared, in mean NDCG
    tolerance: float = 0.0002  # a pass that gains less is the last
    max_passes: int = 10

    def fit(
        self, dataset: FusionDataset, facts: QueryFacts, *, start: ConditionedWeights
    ) -> tuple[ConditionedWeights, TrainingHistory]:
        """Return the shifts and conditions found, and how they were found."""
        if facts.values.shape[0] != len(dataset.query_ids):
            raise InputError(
                f"facts of {facts.values.shape[0]} queries, but {len(dataset.query_ids)} queries"
            )
        return _Search(self, dataset, facts, start).run()


class _Search:
    """One run of the learner."""

    def __init__(
        self,
        settings: ConditionedFusion,
        dataset: FusionDataset,
        facts: QueryFacts,
        start: ConditionedWeights,
    ) -> None:
        self._began = perf_counter()
        self._settings = settings
        self._dataset = dataset
        self._facts = facts
        self._random = np.random.default_rng(settings.seed)
        # Row 0 moves a list in every query, the others in those that have the fact.
        self._moved = np.vstack(
            [start.shifts.array(dataset.list_names), start.table(dataset.list_names, facts)]
        )
        rows = start.rows(dataset.list_names, facts)
        self._line = FusedLineSearch(dataset, rows, cutoff=settings.cutoff)
        known = [self._line.numbers_of(column) for column in facts.values.T]
        self._numbers = [self._line.everywhere, *known]
        self._searches = 0

    def run(self) -> tuple[ConditionedWeights, TrainingHistory]:
        """Make passes over all shifts and conditions until one gains too little."""
        steps, ended = [self._step("start")], "max_passes"
        for number in range(1, self._settings.max_passes + 1):
            gained = sum(
                self._try(int(place)) for place in self._random.permutation(self._moved.size)
            )
            steps.append(self._step(f"pass {number}"))
            if gained < self._settings.tolerance:
                ended = "tolerance"
                break
        return self._weights(), TrainingHistory(steps=tuple(steps), ended=ended)

    def _try(self, place: int) -> float:
        row, name = divmod(place, self._moved.shape[1])
        numbers = self._numbers[row]
        if not numbers.size:
            return 0.0
        step, gain = self._line.best_step(
            name,
            numbers,
            smoothing=self._settings.smoothing,
            pull=self._settings.pull if row else 0.0,
            toward=-float(self._moved[row, name]),
        )
        self._searches += 1
        if gain <= self._settings.least_gain / len(self._dataset.query_ids):
            return 0.0
        self._line.take(name, step, numbers)
        self._moved[row, name] += step
        return gain

    def _weights(self) -> ConditionedWeights:
        names = self._dataset.list_names
        conditions = {
            name: dict(zip(self._facts.names, self._moved[1:, number].tolist(), strict=True))
            for number, name in enumerate(names)
        }
        shifts = dict(zip(names, self._moved[0].tolist(), strict=True))
        return ConditionedWeights(shifts=FusionWeights(shifts=shifts), conditions=conditions)

    def _step(self, move: str) -> TrainingStep:
        return TrainingStep(
            move=move,
            train=self._line.value,
            evaluations=self._searches,
            seconds=perf_counter() - self._began,
        )

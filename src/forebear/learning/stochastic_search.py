"""Which shifts of fused lists maximize NDCG?  The paper's stochastic search.

A rank SVM on a sample of the queries finds a start, and Nelder and Mead's simplex walks on from
there, evaluating NDCG on all queries ("Ranking in Genealogy", section 3.2).

Scores in bits are shifted; positive scores, as other systems give them, are multiplied by weights
(`scale="weights"`), as in the paper.  A weight is 2 to the power of the shift, so either way one
number per list is learned, and only the differences of shifts (the ratios of weights) decide the
order.  What does not depend on them (which records are relevant, where they are, what the best
order earns) is prepared once; an evaluation is then some binary searches per relevant record.

With weights, the simplex walks among weights that are 1 on average, because its first step of 0.1
means nothing without a scale, and a weight of 0 or less, which would reverse a list, is infinitely
bad.  Shifts are relative to the first list's.  If the SVM's start is worse than raw scores, as it
may be on very few queries, the simplex starts at raw scores.

With `AnnealedSimplex` (`forebear_lab.learning.simplexes`) as the simplex this is NDCG-Annealing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, Protocol, Self

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import (
    Floats,
    Scores,
    fused_ndcg_by_query,
    ideal_dcgs,
    summed_discounts,
    ties_in_list,
)
from forebear.learning.dataset import (
    FusionDataset,
    Progress,
    TrainingHistory,
    TrainingStep,
    no_progress,
)
from forebear.learning.rank_svm import RankSvm
from forebear.search.model import UNITS_PER_BIT, to_units

Scale = Literal["bits", "weights"]
Function = Callable[[Floats], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionWeights:
    """The shift of each list, in bits."""

    shifts: Mapping[str, float]

    @classmethod
    def named(cls, names: Sequence[str], shifts: Floats) -> Self:
        """Return these shifts relative to the first list's."""
        given = dict(zip(names, shifts.tolist(), strict=True))
        return cls(shifts=given).relative_to(names[0])

    @property
    def weights(self) -> dict[str, float]:
        """Return what positive scores are multiplied by, 1 on average."""
        powers = {name: 2.0**shift for name, shift in self.shifts.items()}
        mean = sum(powers.values()) / len(powers)
        return {name: power / mean for name, power in powers.items()}

    def array(self, names: Sequence[str]) -> Floats:
        """Return the shifts of these lists in their order; a list never seen has none."""
        return np.array([self.shifts.get(name, 0.0) for name in names], np.float64)

    def relative_to(self, reference: str) -> Self:
        """Return the shifts that rank alike and leave this list where it is."""
        if reference not in self.shifts:
            raise InputError(f"no list is called {reference!r}")
        zero = self.shifts[reference]
        return type(self)(shifts={name: shift - zero for name, shift in self.shifts.items()})

    def on_grid(self) -> Self:
        """Return the shifts rounded to 64ths of a bit."""
        return type(self)(
            shifts={name: to_units(shift) / UNITS_PER_BIT for name, shift in self.shifts.items()}
        )


class FusedScores:
    """A dataset's fused NDCG as a function of shifts, or of weights."""

    def __init__(self, dataset: FusionDataset, *, cutoff: int = 100) -> None:
        if not dataset.query_ids or not dataset.list_names:
            raise InputError("a dataset without queries or lists has nothing to learn from")
        by_query = np.ascontiguousarray(dataset.offsets[:: len(dataset.list_names)])
        self.dataset = dataset
        self.scores = _narrow(dataset.scores)
        self.cutoff = cutoff
        self.relevant = np.flatnonzero(dataset.labels)
        self.gains = dataset.labels[self.relevant].astype(np.float64)
        self.cells = np.searchsorted(dataset.offsets, self.relevant, side="right") - 1
        self.firsts, self.ties = ties_in_list(
            self.scores, dataset.offsets, self.relevant, self.cells
        )
        self.discounts = summed_discounts(int(np.diff(by_query).max()), cutoff=cutoff)
        bounds = np.searchsorted(self.relevant, by_query)
        self.ideals = ideal_dcgs(self.gains, bounds, self.discounts)
        for query, grades in dataset.unfound.items():
            gains = np.array([*self.gains[bounds[query] : bounds[query + 1]], *grades], np.float64)
            discounts = summed_discounts(gains.size, cutoff=cutoff)
            self.ideals[query] = ideal_dcgs(gains, np.array([0, gains.size]), discounts)[0]

    def by_query(self, shifts: Floats) -> Floats:
        """Return each query's NDCG, expected over ties, under shifts: one row, or one per query."""
        rows = np.atleast_2d(np.ascontiguousarray(shifts, dtype=np.float64))
        count = len(self.dataset.list_names)
        if rows.shape not in ((1, count), (len(self.dataset.query_ids), count)):
            raise InputError(f"{rows.shape[1]} shifts for {count} lists")
        return self._by_query(np.ones(count), rows)

    def by_query_weighted(self, weights: Floats) -> Floats:
        """Return each query's NDCG when scores are multiplied by weights above 0."""
        count = len(self.dataset.list_names)
        if weights.shape != (count,):
            raise InputError(f"{weights.size} weights for {count} lists")
        if not (weights > 0).all():
            raise InputError(f"a weight is {weights.min()}; a list would be reversed")
        return self._by_query(np.ascontiguousarray(weights), np.zeros((1, count)))

    def value(self, shifts: Floats) -> float:
        """Return the mean NDCG over all queries under shifts."""
        return float(np.average(self.by_query(shifts), weights=self.dataset.weights))

    def weighted_value(self, weights: Floats) -> float:
        """Return the mean NDCG over all queries under weights."""
        return float(np.average(self.by_query_weighted(weights), weights=self.dataset.weights))

    def _by_query(self, slopes: Floats, shifts: Floats) -> Floats:
        return fused_ndcg_by_query(
            self.scores,
            self.gains,
            self.dataset.offsets,
            self.relevant,
            self.cells,
            self.firsts,
            self.ties,
            self.ideals,
            self.discounts,
            slopes,
            shifts,
            self.cutoff,
        )


def _narrow(scores: Scores) -> Scores:
    """Return the scores in 32 bits if nothing is lost: half the memory to search through."""
    if scores.dtype == np.float32:
        return scores
    narrow = scores.astype(np.float32)
    return narrow if (narrow == scores).all() else scores


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplexMove:
    """What one iteration did, and where that left the best vertex."""

    operation: str  # "reflect", "expand", "contract", "shrink"
    best: float
    evaluations: int  # so far


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Minimum:
    """The lowest point and the moves that led there."""

    point: Floats
    value: float
    evaluations: int
    moves: tuple[SimplexMove, ...]
    ended: str  # "stagnation", "max_iterations" or "max_evaluations"


class Minimizer(Protocol):
    """A method that finds a low point of a function from a start."""

    def minimize(self, function: Function, start: Floats) -> Minimum:
        """Return the lowest point."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NelderMead:
    """Nelder and Mead's downhill simplex: a minimum without derivatives.

    N + 1 points of an N-dimensional space (the vertices of a simplex) walk downhill.  In each
    iteration the worst vertex is moved through the centroid of the others:

        reflect   to the other side, as far as it was; taken if better than the second worst
        expand    twice as far, if the reflection was better than the best; the better is taken
        contract  half way to the centroid, if the reflection did not help
        shrink    all vertices half way to the best, if nothing else helped

    It ends when the best value has not improved for some iterations.  The method may stop where
    there is no minimum (McKinnon 1998; our tests show it), so a good start matters.  The defaults
    are the paper's, where it gives any.

    The paper does not say what must improve.  With ``watched="worst"`` it is the value of the worst
    vertex, which improves for as long as the simplex moves or contracts.
    """

    step: float = 0.1  # from the start to each other vertex of the first simplex
    stagnation: int = 10  # iterations without improvement before it ends
    improvement: float = 1e-5  # what counts as one
    watched: Literal["best", "worst"] = "best"  # the vertex whose value must improve
    max_iterations: int = 1000  # the paper does not say
    reflection: float = 1.0
    expansion: float = 2.0
    contraction: float = 0.5
    shrinkage: float = 0.5

    def minimize(self, function: Function, start: Floats) -> Minimum:
        """Return the lowest point from a start; the first simplex is one step along each axis."""
        return self.minimize_from(function, simplex_at(start, self.step))

    def minimize_from(self, function: Function, vertices: Floats) -> Minimum:
        """Return the lowest point from a whole simplex, one row per vertex."""
        if vertices.ndim != 2 or vertices.shape[0] != vertices.shape[1] + 1:
            raise InputError(f"a simplex has one vertex more than axes, not {vertices.shape}")
        return _Walk(self, function, vertices).run()


def simplex_at(start: Floats, step: float) -> Floats:
    """Return a simplex, one row per vertex: the start, and a step from it along each axis."""
    if start.ndim != 1 or not start.size:
        raise InputError(f"a start is a row of numbers, not of shape {start.shape}")
    return np.vstack([start, start + step * np.eye(start.size)])


class _Walk:
    """The current simplex, its vertices sorted by value."""

    def __init__(self, settings: NelderMead, function: Function, vertices: Floats) -> None:
        self._settings = settings
        self._function = function
        self._evaluations = 0
        self._points = vertices.astype(np.float64)
        self._values = np.array([self._evaluate(point) for point in self._points])
        self._sort()

    def run(self) -> Minimum:
        moves: list[SimplexMove] = []
        watched = 0 if self._settings.watched == "best" else -1
        lowest, idle = float(self._values[watched]), 0
        while len(moves) < self._settings.max_iterations and idle < self._settings.stagnation:
            operation = self._move()
            self._sort()
            best = float(self._values[0])
            moves.append(SimplexMove(operation=operation, best=best, evaluations=self._evaluations))
            value = float(self._values[watched])
            improved = value < lowest - self._settings.improvement
            lowest, idle = (value, 0) if improved else (lowest, idle + 1)
        return Minimum(
            point=self._points[0],
            value=float(self._values[0]),
            evaluations=self._evaluations,
            moves=tuple(moves),
            ended="stagnation" if idle >= self._settings.stagnation else "max_iterations",
        )

    def _move(self) -> str:
        reflected, value = self._beyond(self._settings.reflection)
        if value < self._values[0]:
            expanded, expanded_value = self._beyond(self._settings.expansion)
            if expanded_value < value:
                return self._replace_worst(expanded, expanded_value, "expand")
            return self._replace_worst(reflected, value, "reflect")
        if value < self._values[-2]:
            return self._replace_worst(reflected, value, "reflect")
        contracted, value = self._beyond(-self._settings.contraction)
        if value < self._values[-1]:
            return self._replace_worst(contracted, value, "contract")
        return self._shrink()

    def _beyond(self, factor: float) -> tuple[Floats, float]:
        """Return the point beyond the centroid, at ``factor`` times the distance of the worst."""
        centroid = self._points[:-1].mean(axis=0)
        point = centroid + factor * (centroid - self._points[-1])
        return point, self._evaluate(point)

    def _replace_worst(self, point: Floats, value: float, operation: str) -> str:
        self._points[-1], self._values[-1] = point, value
        return operation

    def _shrink(self) -> str:
        best = self._points[0]
        self._points = best + self._settings.shrinkage * (self._points - best)
        self._values[1:] = [self._evaluate(point) for point in self._points[1:]]
        return "shrink"

    def _sort(self) -> None:
        order = np.argsort(self._values, kind="stable")
        self._points, self._values = self._points[order], self._values[order]

    def _evaluate(self, point: Floats) -> float:
        self._evaluations += 1
        return self._function(point)


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
        """Return the best shifts, relative to the first list, and the history of the training.

        ``progress`` is called after every evaluation.
        """
        began = perf_counter()
        value = self._value(FusedScores(dataset, cutoff=self.cutoff))
        clock = _Clock(value, began, progress)
        starts = self._starts(dataset)
        steps = [clock.step(name, clock.value(point)) for name, point in starts.items()]
        start = max(steps, key=lambda step: step.train)
        minimum = self.simplex.minimize(lambda point: -clock.value(point), starts[start.move])
        steps += [
            clock.step(move.operation, -move.best, evaluations=len(starts) + move.evaluations)
            for move in minimum.moves
        ]
        shifts = minimum.point if self.scale == "bits" else np.log2(minimum.point)
        history = TrainingHistory(steps=tuple(steps), ended=minimum.ended)
        return FusionWeights.named(dataset.list_names, shifts), history

    def _starts(self, dataset: FusionDataset) -> dict[str, Floats]:
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

    def _value(self, scores: FusedScores) -> Function:
        if self.scale == "bits":
            return scores.value
        return lambda weights: scores.weighted_value(weights) if weights.min() > 0 else -np.inf


class _Clock:
    """The value of points, and when each was evaluated."""

    def __init__(self, value: Function, began: float, progress: Progress) -> None:
        self._value = value
        self._began = began
        self._progress = progress
        self._seconds: list[float] = []

    def value(self, point: Floats) -> float:
        value = self._value(point)
        self._seconds.append(perf_counter() - self._began)
        self._progress(self.step("evaluation", value))
        return value

    def step(self, move: str, value: float, *, evaluations: int = 0) -> TrainingStep:
        """Return the state after this many evaluations (0: after the last)."""
        count = evaluations or len(self._seconds)
        return TrainingStep(
            move=move, train=value, evaluations=count, seconds=self._seconds[count - 1]
        )

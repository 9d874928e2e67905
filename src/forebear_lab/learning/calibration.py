"""How are scores of different lists made comparable?  By norms, isotonic lines, and conditions.

A norm rescales each list of each query by itself, as search engines do before fusing.  An isotonic
calibration turns a list's scores into bits and assumes only that a higher score is never less
likely to be right.  Conditions move a list's shift by which facts the query has.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.calibrate import MIN_SLOPE, FactTable
from forebear.learning.dataset import FusionDataset, TrainingHistory, TrainingStep
from forebear.learning.stochastic_search import FusionWeights
from forebear_lab.learning.fusion_search import FusedLineSearch

# Both norms are OpenSearch's, so that weights learned after them can run there:
#
#   min_max   (score - least) / (most - least), but never below 0.001; a list whose scores are all
#             the same has 1 throughout
#   l2        score / square root of the sum of the list's squared scores
#
# (OpenSearch raises only the last record to 0.001, which may then pass one that is a hair above
# it.)  They ignore how good a list is for the query as a whole, which is why learning on the
# scores as they are does better.
Norm = Literal["none", "min_max", "l2"]

MIN_SCORE = 0.001  # what OpenSearch gives the last record instead of 0


def normalize_list(scores: Floats, norm: Norm) -> Floats:
    """Return one list's scores for one query, normalized."""
    return NORMS[norm](scores) if scores.size else scores


def normalize_lists(dataset: FusionDataset, norm: Norm) -> FusionDataset:
    """Return the dataset with every list of every query normalized."""
    if norm == "none":
        return dataset
    scores = np.asarray(dataset.scores, np.float64)
    filled = np.flatnonzero(np.diff(dataset.offsets))
    starts, ends = dataset.offsets[filled], dataset.offsets[filled + 1]
    sizes = ends - starts
    if norm == "l2":
        squares = np.add.reduceat(scores**2, starts) if starts.size else np.zeros(0)
        lengths = np.repeat(np.sqrt(squares), sizes)
        return replace(dataset, scores=_divided(scores, lengths))
    # Lists are sorted: the first score is the most, the last the least.
    most, least = np.repeat(scores[starts], sizes), np.repeat(scores[ends - 1], sizes)
    return replace(dataset, scores=_between(scores, least, most))


def to_bits(dataset: FusionDataset) -> FusionDataset:
    """Return positive scores as bits, log2, in which a weight is a shift.

    They are rounded to 32 bits, which keeps their order and halves the memory to search through.
    """
    if dataset.scores.size and dataset.scores.min() <= 0:
        raise InputError(
            f"a score is {dataset.scores.min()}, and weights multiply only scores above 0",
            hint="scores that may be 0 or less are shifted: say that they are bits",
        )
    return replace(dataset, scores=np.log2(dataset.scores, dtype=np.float32, casting="same_kind"))


def _between(scores: Floats, least: Floats, most: Floats) -> Floats:
    same = most == least
    shares = (scores - least) / np.where(same, 1.0, most - least)
    return np.where(same, 1.0, np.maximum(shares, MIN_SCORE))


def _divided(scores: Floats, lengths: Floats) -> Floats:
    return np.asarray(scores / np.where(lengths == 0, 1.0, lengths), np.float64)


NORMS: dict[Norm, Callable[[Floats], Floats]] = {
    "none": lambda scores: scores,
    "min_max": lambda scores: _between(scores, scores.min(), scores.max()),
    "l2": lambda scores: _divided(scores, np.sqrt((scores**2).sum())),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class IsotonicCalibration:
    """Points through which the line from score to bits goes, both rising.

    Isotonic regression finds the rising staircase nearest to the labels (pooling neighbors that
    violate the order; Ayer et al. 1955).  Each stair becomes one point, its mean score and the log2
    odds of its records and of one more that is like the whole list, and between points the line is
    straight: stairs themselves would tie all their records and lose their order.  Beyond the last
    points the line continues with the list's usual slope.
    """

    scores: tuple[float, ...]
    levels: tuple[float, ...]  # bits

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.levels) or not self.scores:
            raise InputError(f"{len(self.scores)} scores and {len(self.levels)} levels, no line")
        if np.any(np.diff(self.scores) <= 0) or np.any(np.diff(self.levels) < 0):
            raise InputError("the points of a calibration must rise")

    def bits(self, scores: Floats) -> Floats:
        """Return the bits of scores; those between and beyond the points too."""
        inside = np.interp(scores, self.scores, self.levels)
        rise = self.levels[-1] - self.levels[0]
        width = self.scores[-1] - self.scores[0]
        slope = rise / width if width else 0.0
        below = np.minimum(scores - self.scores[0], 0.0)
        above = np.maximum(scores - self.scores[-1], 0.0)
        # MIN_SLOPE everywhere keeps records on one level apart, in the order of their scores.
        return np.asarray(inside + slope * (below + above) + MIN_SLOPE * scores, np.float64)


def calibrate_isotonic(dataset: FusionDataset) -> dict[str, IsotonicCalibration]:
    """Return the calibration of each list."""
    lists = dataset.lists_of_records()
    return {
        name: _fit_isotonic(dataset.scores[rows].astype(np.float64), dataset.labels[rows] > 0)
        for number, name in enumerate(dataset.list_names)
        for rows in [np.flatnonzero(lists == number)]
    }


def _fit_isotonic(scores: Floats, relevant: NDArray[np.bool_]) -> IsotonicCalibration:
    if not scores.size:
        return IsotonicCalibration(scores=(0.0, 1.0), levels=(0.0, 1.0))  # as they are
    values, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    hits = np.bincount(places, relevant, values.size)
    stairs = isotonic_regression(hits / counts, weights=counts).blocks[:-1]
    records = np.add.reduceat(counts, stairs)
    right = np.add.reduceat(hits, stairs)
    means = np.add.reduceat(counts * values, stairs) / records
    rate = (right.sum() + 0.5) / (records.sum() + 1)
    levels = np.log2((right + rate) / (records - right + 1 - rate))
    return IsotonicCalibration(
        scores=tuple(means.tolist()),
        levels=tuple(np.maximum.accumulate(levels).tolist()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionedWeights:
    """The shift of each list, and what each fact adds to it, in bits.

    A query that names a spouse makes marriages likelier, one without a surname makes them less so.
    The shift of list j in query q is

        shift_j + sum over the facts f that q has of condition_jf
    """

    shifts: FusionWeights
    conditions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by list, by fact

    def table(self, list_names: tuple[str, ...], facts: FactTable) -> Floats:
        """Return the conditions: one row per fact, one column per list."""
        rows = [
            [self.conditions.get(name, {}).get(fact, 0.0) for name in list_names]
            for fact in facts.names
        ]
        return np.array(rows, np.float64).reshape(len(facts.names), len(list_names))

    def rows(self, list_names: tuple[str, ...], facts: FactTable) -> Floats:
        """Return the shifts of each query: one row per query, one column per list."""
        moved = facts.values.astype(np.float64) @ self.table(list_names, facts)
        return self.shifts.array(list_names) + moved


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionedFusion:
    """A learner of conditions; the seed decides the order in which they are tried.

    Every condition is one line search over the queries that have the fact, from a good start: the
    shifts that are best without any, or those of a logistic regression.  A pull toward 0 limits
    what few queries can change.  (In the literature gating, as in LambdaMerge: Sheldon et al.
    2011.)
    """

    seed: int
    cutoff: int = 100
    smoothing: float = 0.05  # half the window, in spreads of the scores
    least_gain: float = 0.5  # of a step, in queries
    pull: float = 1e-5  # what a condition of one bit costs, squared, in mean NDCG
    tolerance: float = 0.0002  # a pass that gains less is the last
    max_passes: int = 10

    def fit(
        self, dataset: FusionDataset, facts: FactTable, *, start: ConditionedWeights
    ) -> tuple[ConditionedWeights, TrainingHistory]:
        """Return shifts and conditions, and the history of the training."""
        if facts.values.shape[0] != len(dataset.query_ids):
            raise InputError(
                f"facts of {facts.values.shape[0]} queries, but {len(dataset.query_ids)} queries"
            )
        return _ConditionSearch(self, dataset, facts, start).run()


class _ConditionSearch:
    """One run of the learner."""

    def __init__(
        self,
        settings: ConditionedFusion,
        dataset: FusionDataset,
        facts: FactTable,
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
        with_fact = [self._line.numbers_of(column) for column in facts.values.T]
        self._numbers = [self._line.everywhere, *with_fact]
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

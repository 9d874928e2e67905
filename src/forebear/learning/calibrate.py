"""What is a score worth?  Scores of every list on one scale, log2 of the odds of being right.

A learned score has no scale: doubling every weight changes no order.  Regressing the label on the
score gives it one, because slope * score + level then is log2 of the odds that the record is the
right one: bits.  Each list has its own slope and level, because a point of one list's score may be
worth more than a point of another's, and facts of the query may move the level.  (Platt 1999; the
supervised relative of Si and Callan's semi-supervised merging.)

Labels are moved a little toward the middle, to (n + 1) / (n + 2) for the n relevant records and
1 / (m + 2) for the m others (Platt 1999), and coefficients are pulled a little toward 0, so scores
that separate records perfectly, or records of one kind only, still give finite numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, LoggedList
from forebear.kernels.ndcg import Floats, Integers, fuse_scores
from forebear.kernels.regression import logistic_sums
from forebear.learning.dataset import FusionDataset, check_names, check_types
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.trec import read_lines, refuse

SLOPE_RIDGE = 1e-6  # decides the slope where all scores are equal: 0
RIDGE = 1.0  # beside a sum over all records of a list
MIN_SLOPE = 1e-3  # a list whose scores mislead keeps its order, and they hardly count
RECORDS_PER_LIST = 50_000  # irrelevant ones, on average
MAX_STEPS = 50  # of Newton's method; it needs about 8
ACCURACY = 1e-9  # of the loss, relative


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FactTable:
    """Which facts each query has, such as a spouse or a year of birth."""

    names: tuple[str, ...]
    values: NDArray[np.bool_]  # one row per query, one column per fact

    def __post_init__(self) -> None:
        check_names(self.names, "fact")
        check_types(facts=(self.values, np.bool_))
        if self.values.ndim != 2 or self.values.shape[1] != len(self.names):
            raise InputError(f"facts of shape {self.values.shape} for {len(self.names)} names")

    @classmethod
    def of(cls, query_ids: Sequence[str], facts: Mapping[str, frozenset[str]]) -> Self:
        """Return the facts of these queries; a query that is not listed has none."""
        names = sorted({fact for of_query in facts.values() for fact in of_query})
        values = [[name in facts.get(query, ()) for name in names] for query in query_ids]
        table = np.array(values, np.bool_).reshape(len(query_ids), len(names))
        return cls(names=tuple(names), values=table)

    def take(self, queries: Sequence[int] | Integers) -> Self:
        """Return the facts of these queries only, given by number."""
        return type(self)(names=self.names, values=self.values[np.asarray(queries, np.int64)])


def read_facts(path: Path) -> dict[str, frozenset[str]]:
    """Read a file with a query and its facts on each line: ``q17 birth.year spouse``."""
    facts: dict[str, frozenset[str]] = {}
    for number, line in read_lines(path):
        words = line.split()
        if not words:
            continue
        if words[0] in facts:
            refuse(path, number, actual=words[0], expected="each query once")
        facts[words[0]] = frozenset(words[1:])
    return facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """log2 of the odds of being relevant = slope * score + intercept.

    A slope of 0 or less means that higher scores were not likelier to be relevant; such weights
    should not be put in bits.
    """

    slope: float
    intercept: float


def fit_slope(scores: Floats, labels: Integers, weights: Floats | None = None) -> Slope:
    """Return the line that turns scores into log2 odds of being relevant.

    ``weights`` say how often each record counts, by default once.
    """
    if scores.shape != labels.shape or scores.ndim != 1 or not scores.size:
        raise InputError(f"{scores.size} scores and {labels.size} labels give no slope")
    if not np.isfinite(scores).all():
        raise InputError("a score is not a finite number")
    relevant = labels > 0
    counted = np.ones(scores.size) if weights is None else weights
    right, wrong = float(counted[relevant].sum()), float(counted[~relevant].sum())
    targets = np.where(relevant, (right + 1) / (right + 2), 1 / (wrong + 2))
    center, spread = float(scores.mean()), float(scores.std()) or 1.0
    natural, offset = _fit_line((scores - center) / spread, targets, counted)
    slope = natural / spread
    return Slope(slope=slope / log(2), intercept=(offset - slope * center) / log(2))


def _fit_line(scores: Floats, targets: Floats, weights: Floats) -> tuple[float, float]:
    counted = weights * targets

    def loss(line: Floats) -> tuple[float, Floats]:
        logits = line[0] * scores + line[1]
        value = (weights * np.logaddexp(0, logits)).sum() - counted @ logits
        errors = weights * (expit(logits) - targets)
        slope = np.array([errors @ scores + SLOPE_RIDGE * line[0], errors.sum()])
        return float(value + SLOPE_RIDGE / 2 * line[0] ** 2), slope

    base_rate = np.average(targets, weights=weights)
    start = np.array([0.0, np.log(base_rate / (1 - base_rate))])
    minimum = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-8})
    return float(minimum.x[0]), float(minimum.x[1])


class Calibration(Protocol):
    """Turns a list's scores into bits without changing their order."""

    def bits(self, scores: Floats) -> Floats:
        """Return log2 of the odds that records of these scores are relevant."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticCalibration:
    """log2 odds = slope * score + level, and what each fact of the query adds."""

    slope: float
    level: float
    conditions: Mapping[str, float] = field(default_factory=dict)

    def bits(self, scores: Floats) -> Floats:
        """Return the bits of scores, without any fact."""
        return self.slope * scores + self.level


def calibrate_logistic(
    dataset: FusionDataset,
    facts: FactTable | None = None,
    *,
    seed: int = 1,
) -> dict[str, LogisticCalibration]:
    """Return the calibration of each list.

    Of very many irrelevant records a sample stands for all; the seed decides which.
    """
    count = len(dataset.list_names)
    table = facts or FactTable(names=(), values=np.zeros((len(dataset.query_ids), 0), np.bool_))
    rows, share = _sample_records(dataset.labels, count * RECORDS_PER_LIST, seed)
    cells = np.searchsorted(dataset.offsets, rows, side="right") - 1
    lines = {}
    for number, name in enumerate(dataset.list_names):
        of_list = cells % count == number
        relevant = dataset.labels[rows[of_list]] > 0
        queries = cells[of_list] // count
        counted = np.where(relevant, 1.0, 1 / share)
        lines[name] = _fit_logistic(
            dataset.scores[rows[of_list]].astype(np.float64),
            relevant,
            counted,
            queries,
            table,
        )
    return lines


def calibrated(dataset: FusionDataset, calibrations: Mapping[str, Calibration]) -> FusionDataset:
    """Return the dataset with every list's scores in bits, without any fact.

    They are rounded to 32 bits, which keeps their order and halves the memory to search through.
    """
    lines = [calibrations[name] for name in dataset.list_names]
    straight = [line for line in lines if isinstance(line, LogisticCalibration)]
    if len(straight) == len(lines):
        slopes = np.array([line.slope for line in straight], np.float64)
        levels = np.array([line.level for line in straight], np.float64)
        scores = fuse_scores(dataset.scores, dataset.offsets, slopes, levels)
    else:
        scores = np.empty(dataset.scores.size, np.float32)
        lists = dataset.lists_of_records()
        for number, line in enumerate(lines):
            rows = np.flatnonzero(lists == number)
            scores[rows] = line.bits(dataset.scores[rows].astype(np.float64))
    return replace(dataset, scores=scores)


def rescore(shown: LoggedList, model: Model) -> Integers:
    """Return the scores of a logged list under a model, in 64ths of a bit."""
    weights = model.weights_of(shown.record_type, shown.clauses)
    scores: Integers = shown.bits.astype(np.int64) @ np.array(weights, np.int64)
    return scores


def score_searches(
    judged: Sequence[JudgedSearch],
    model: Model,
    *,
    shifts: Mapping[str, int] | None = None,
    weights: Floats | None = None,
) -> FusionDataset:
    """Return the lists of logged searches scored by a model, in bits, with their shifts added."""
    added = shifts or {}
    names = sorted({shown.name for search in judged for shown in search.search.lists})
    return FusionDataset.from_lists(
        names,
        [
            (
                search.search.id,
                {
                    shown.name: (
                        (rescore(shown, model) + added.get(shown.name, 0)) / UNITS_PER_BIT,
                        [record in search.attached for record in shown.records],
                    )
                    for shown in search.search.lists
                },
            )
            for search in judged
        ],
        weights=weights,
    )


def _sample_records(labels: Integers, limit: int, seed: int) -> tuple[Integers, float]:
    """Return all relevant records, a sample of the irrelevant ones, and its share of these."""
    if labels.size <= limit:
        return np.arange(labels.size), 1.0
    is_relevant = labels > 0
    is_sampled = is_relevant.copy()
    is_sampled[np.random.default_rng(seed).integers(0, labels.size, limit)] = True
    rows = np.flatnonzero(is_sampled)
    relevant = int(is_relevant.sum())
    return rows, (rows.size - relevant) / (labels.size - relevant)


def _fit_logistic(
    scores: Floats,
    relevant: NDArray[np.bool_],
    weights: Floats,
    queries: Integers,
    facts: FactTable,
) -> LogisticCalibration:
    if not weights.any():
        return LogisticCalibration(slope=1.0, level=0.0)
    right, wrong = float(weights[relevant].sum()), float(weights[~relevant].sum())
    targets = np.where(relevant, (right + 1) / (right + 2), 1 / (wrong + 2))
    center, spread = float(scores.mean()), float(scores.std()) or 1.0
    coefficients = _newton((scores - center) / spread, queries, facts.values, targets, weights)
    slope = max(coefficients[0] / spread / log(2), MIN_SLOPE)
    return LogisticCalibration(
        slope=slope,
        level=coefficients[1] / log(2) - slope * center,
        conditions=dict(zip(facts.names, (coefficients[2:] / log(2)).tolist(), strict=True)),
    )


def _newton(
    scores: Floats,
    queries: Integers,
    facts: NDArray[np.bool_],
    targets: Floats,
    weights: Floats,
) -> Floats:
    """Return the coefficients of least loss: of the score, of 1, of each fact."""
    rate = float(np.average(targets, weights=weights))
    coefficients = np.zeros(2 + facts.shape[1])
    coefficients[1] = log(rate / (1 - rate))
    pull = np.full(coefficients.size, RIDGE)
    pull[1] = 0.0  # the level is not pulled
    columns, last, step = facts.astype(np.float64), np.inf, np.zeros(coefficients.size)
    for _ in range(MAX_STEPS):
        loss, gradient, curvature = logistic_sums(
            scores, queries, columns, targets, weights, coefficients
        )
        loss += float(pull @ coefficients**2) / 2
        if loss > last:  # too far: half way back
            step /= 2
            coefficients = coefficients - step
            continue
        if last - loss < ACCURACY * abs(loss):
            break
        last = loss
        step = -np.linalg.solve(curvature + np.diag(pull + 1e-12), gradient + pull * coefficients)
        coefficients = coefficients + step
    return coefficients

"""What is a list's score worth?  Scores of every list on one scale: log2 of the odds.

A shift moves a list as a whole; but a point of one list's score may also be worth more than a
point of another's.  A logistic regression of the labels on the score gives each list a slope
and a level of its own, so that the fused score estimates the probability that the record is
the right one.  Facts of the query may move the level.  (Platt 1999; the supervised relative of
Si and Callan's semi-supervised merging.)

Labels are drawn a little toward the middle as in `slope.py`, and coefficients a little toward
0, so lists of few records and perfect separation give finite numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.fused_ndcg import fuse_scores
from forebear.kernels.logistic import logistic_sums
from forebear.learning.dataset import FusionDataset
from forebear.learning.query_facts import QueryFacts

RIDGE = 1.0  # beside a sum over all records of a list
LEAST_SLOPE = 1e-3  # a list whose scores mislead keeps its order, and hardly counts it
RECORDS_OF_A_LIST = 50_000  # irrelevant ones, on average
STEPS = 50  # of Newton's method; it needs about 8
ACCURACY = 1e-9  # of the loss, relative


class Calibration(Protocol):
    """What turns a list's scores into bits, never changing their order."""

    def bits(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log2 of the odds that records of these scores are relevant."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticCalibration:
    """log2 odds = slope * score + level, and what each fact of the query adds."""

    slope: float
    level: float
    conditions: Mapping[str, float] = field(default_factory=dict)

    def bits(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the bits of scores, without any fact."""
        return self.slope * scores + self.level


def calibrate_logistic(
    dataset: FusionDataset, facts: QueryFacts | None = None, *, seed: int = 1
) -> dict[str, LogisticCalibration]:
    """Return the calibration of each list.

    Of very many irrelevant records some are drawn and counted for all; the seed decides which.
    """
    count = len(dataset.list_names)
    known = facts or QueryFacts(names=(), values=np.zeros((len(dataset.query_ids), 0), np.bool_))
    rows, share = _draw_records(dataset.labels, count * RECORDS_OF_A_LIST, seed)
    cells = np.searchsorted(dataset.offsets, rows, side="right") - 1
    found = {}
    for number, name in enumerate(dataset.list_names):
        mine = cells % count == number
        relevant = dataset.labels[rows[mine]] > 0
        found[name] = _fit(
            dataset.scores[rows[mine]].astype(np.float64),
            relevant,
            np.where(relevant, 1.0, 1 / share),
            cells[mine] // count,
            known,
        )
    return found


def calibrated(dataset: FusionDataset, calibrations: Mapping[str, Calibration]) -> FusionDataset:
    """Return the dataset with every list's scores in bits, without any fact.

    They are rounded to 32 bits, which keeps their order and halves what is searched through.
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


def _draw_records(
    labels: NDArray[np.int64], most: int, seed: int
) -> tuple[NDArray[np.int64], float]:
    """Return all relevant records, some irrelevant ones, and which share of these was drawn."""
    if labels.size <= most:
        return np.arange(labels.size), 1.0
    is_relevant = labels > 0
    looked_at = is_relevant.copy()
    looked_at[np.random.default_rng(seed).integers(0, labels.size, most)] = True
    rows = np.flatnonzero(looked_at)
    relevant = int(is_relevant.sum())
    return rows, (rows.size - relevant) / (labels.size - relevant)


def _fit(
    scores: NDArray[np.float64],
    relevant: NDArray[np.bool_],
    weights: NDArray[np.float64],
    queries: NDArray[np.int64],
    facts: QueryFacts,
) -> LogisticCalibration:
    if not scores.size:
        return LogisticCalibration(slope=1.0, level=0.0)
    right, wrong = float(weights[relevant].sum()), float(weights[~relevant].sum())
    targets = np.where(relevant, (right + 1) / (right + 2), 1 / (wrong + 2))
    center, spread = float(scores.mean()), float(scores.std()) or 1.0
    coefficients = _newton((scores - center) / spread, queries, facts.values, targets, weights)
    slope = max(coefficients[0] / spread / log(2), LEAST_SLOPE)
    return LogisticCalibration(
        slope=slope,
        level=coefficients[1] / log(2) - slope * center,
        conditions=dict(zip(facts.names, (coefficients[2:] / log(2)).tolist(), strict=True)),
    )


def _newton(
    scores: NDArray[np.float64],
    queries: NDArray[np.int64],
    facts: NDArray[np.bool_],
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the coefficients of least loss: of the score, of 1, of each fact."""
    rate = float(np.average(targets, weights=weights))
    coefficients = np.zeros(2 + facts.shape[1])
    coefficients[1] = log(rate / (1 - rate))
    pull = np.full(coefficients.size, RIDGE)
    pull[1] = 0.0  # the level is not drawn anywhere
    columns, last, step = facts.astype(np.float64), np.inf, np.zeros(coefficients.size)
    for _ in range(STEPS):
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

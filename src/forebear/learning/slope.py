"""How many bits is a score worth?

A learned score has no scale: doubling every weight changes no order.  Regressing the label
on the score gives it one, because slope * score + intercept then is the logarithm of the
odds that the record is the right one, to base 2: bits.

Labels are drawn a little toward the middle, to (n + 1) / (n + 2) for the n relevant records
and 1 / (m + 2) for the m others (Platt 1999), so scores that separate them perfectly, or
records of one kind only, still give finite numbers.  The total of the estimated
probabilities stays close to n.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from forebear.errors import InputError

_RIDGE = 1e-6  # decides the slope where all scores are equal: 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """log2 of the odds of being relevant = slope * score + intercept.

    A slope of 0 or less says that higher scores were not likelier to be relevant; such
    weights should not be put in bits.
    """

    slope: float
    intercept: float


def fit_slope(scores: NDArray[np.float64], labels: NDArray[np.int64]) -> Slope:
    """Return the line that turns scores into log2 odds of being relevant."""
    if scores.shape != labels.shape or scores.ndim != 1 or not scores.size:
        raise InputError(f"{scores.size} scores and {labels.size} labels give no slope")
    if not np.isfinite(scores).all():
        raise InputError("a score is not a finite number")
    center, spread = float(scores.mean()), float(scores.std()) or 1.0
    natural, offset = _fit_logistic((scores - center) / spread, _targets(labels > 0))
    slope = natural / spread
    return Slope(slope=slope / log(2), intercept=(offset - slope * center) / log(2))


def _targets(relevant: NDArray[np.bool_]) -> NDArray[np.float64]:
    count = int(relevant.sum())
    return np.where(relevant, (count + 1) / (count + 2), 1 / (relevant.size - count + 2))


def _fit_logistic(scores: NDArray[np.float64], targets: NDArray[np.float64]) -> tuple[float, float]:
    def loss(line: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = line[0] * scores + line[1]
        value = np.logaddexp(0, logits).sum() - targets @ logits + _RIDGE / 2 * line[0] ** 2
        errors = expit(logits) - targets
        return float(value), np.array([errors @ scores + _RIDGE * line[0], errors.sum()])

    base_rate = targets.mean()
    start = np.array([0.0, np.log(base_rate / (1 - base_rate))])
    found = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-8})
    return float(found.x[0]), float(found.x[1])

"""Calibration that assumes only this: a higher score is never less likely to be right.

Isotonic regression finds the rising staircase nearest to the labels (pooling neighbors that
violate the order; Ayer et al. 1955).  Each stair becomes one point, its mean score and the
log2 odds of its records and of one more that is like the whole list, and between points the
line is straight: stairs themselves would tie every record that stands on one, and forget which
of them scored higher.  Beyond the last points it goes on as a line of the list's usual slope.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from forebear.errors import InputError
from forebear.learning.calibrate import MIN_SLOPE
from forebear.learning.dataset import FusionDataset


@dataclass(frozen=True, slots=True, kw_only=True)
class IsotonicCalibration:
    """Points through which the line from score to bits goes, both rising."""

    scores: tuple[float, ...]
    levels: tuple[float, ...]  # bits

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.levels) or not self.scores:
            raise InputError(f"{len(self.scores)} scores and {len(self.levels)} levels, no line")
        if np.any(np.diff(self.scores) <= 0) or np.any(np.diff(self.levels) < 0):
            raise InputError("the points of a calibration must rise")

    def bits(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
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
        name: _fit(dataset.scores[rows].astype(np.float64), dataset.labels[rows] > 0)
        for number, name in enumerate(dataset.list_names)
        for rows in [np.flatnonzero(lists == number)]
    }


def _fit(scores: NDArray[np.float64], relevant: NDArray[np.bool_]) -> IsotonicCalibration:
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

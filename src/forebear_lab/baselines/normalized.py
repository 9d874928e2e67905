"""Merging by normalized scores: every list of every query put on one scale by itself.

    min_max   (s - least) / (most - least)
    max       s / most
    sum       s / sum of the list's scores
    z         (s - mean) / standard deviation
    rank      1 - (rank - 1) / length

A list whose scores are all the same, one of a single record too, has 1 throughout for min_max
and z.  Each of these forgets whether the list has anything good for this query: every list has
a record at the top of the scale.  (Powell et al. 2000; the first row of the paper's table, raw
scores, is `none`.)
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear_lab.experiments.fuser import Fitted, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizedMerge:
    """Sort the union of the lists by their normalized scores; nothing is learned."""

    norm: str

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Return the merge; the lists teach it nothing."""
        del dataset
        return Fitted(score=lambda lists: normalize(lists, self.norm), settings={"norm": self.norm})


def normalize(dataset: FusionDataset, norm: str) -> Row:
    """Return each record's normalized score."""
    scores = dataset.scores.astype(np.float64)
    return NORMS[norm](scores, _Cells(dataset)) if scores.size else scores


def ranks_in_lists(dataset: FusionDataset) -> Row:
    """Return each record's rank in its own list, from 1."""
    return np.asarray(_Cells(dataset).places + 1, np.float64)


class _Cells:
    """The lists that hold any record, and sums over each, spread over its records."""

    def __init__(self, dataset: FusionDataset) -> None:
        filled = np.flatnonzero(np.diff(dataset.offsets))
        self.starts = dataset.offsets[filled]
        self.ends = dataset.offsets[filled + 1]
        self.sizes = self.ends - self.starts
        self.places = np.arange(dataset.scores.size) - np.repeat(self.starts, self.sizes)

    def spread(self, values: Row) -> Row:
        return np.repeat(values, self.sizes)

    def sums(self, values: Row) -> Row:
        return self.spread(np.add.reduceat(values, self.starts))

    def most(self, scores: Row) -> Row:
        return self.spread(scores[self.starts])  # lists are sorted

    def least(self, scores: Row) -> Row:
        return self.spread(scores[self.ends - 1])

    def lengths(self) -> Row:
        return self.spread(self.sizes.astype(np.float64))


def _min_max(scores: Row, cells: _Cells) -> Row:
    most, least = cells.most(scores), cells.least(scores)
    return _divide(scores - least, most - least)


def _z(scores: Row, cells: _Cells) -> Row:
    centered = scores - cells.sums(scores) / cells.lengths()
    deviations = np.sqrt(cells.sums(centered**2) / cells.lengths())
    same = cells.most(scores) == cells.least(scores)
    return _divide(centered, np.where(same, 0.0, deviations))


def _divide(values: Row, by: Row) -> Row:
    return np.where(by == 0, 1.0, values / np.where(by == 0, 1.0, by))


NORMS: dict[str, Callable[[Row, _Cells], Row]] = {
    "none": lambda scores, _: scores,
    "min_max": _min_max,
    "max": lambda scores, cells: _divide(scores, cells.most(scores)),
    "sum": lambda scores, cells: _divide(scores, cells.sums(scores)),
    "z": _z,
    "rank": lambda _, cells: 1 - cells.places / cells.lengths(),
}

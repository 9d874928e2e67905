"""Ranking by regression on the top: Cossock and Zhang, "Subset ranking using regression", 2006.

A record's prediction f is linear in its list's score, with a slope and a level for each list.
Errors count squared for the records that matter (the relevant ones, and the irrelevant
ones ranked near the top); of all others only a prediction above a threshold counts:

    relevant and top:  weight * (f - label)²        rest:  weight * max(0, f - threshold)²

each kind weighing 1 a query.  That bounds the loss of DCG at the top.  It is convex, so L-BFGS
finds its one minimum.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import (
    Fitted,
    MeasuredLists,
    in_bits,
    minimize_followed,
    query_offsets,
    sample_queries,
)
from forebear_lab.baselines.merging import normalize

RIDGE = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class CossockZhang:
    """Learn a slope and a level per list by weighted regression."""

    seed: int
    queries: int = 2000  # sampled at most
    top: int = 100  # irrelevant records of a query that matter
    threshold: float = 0.1  # a prediction below it is harmless elsewhere

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Regress the labels."""
        sample = in_bits(sample_queries(dataset, self.queries, self.seed))
        loss = _Loss(sample, top=self.top, threshold=self.threshold)
        measured = MeasuredLists(sample)
        count = len(dataset.list_names)

        def predict(lists: FusionDataset, parameters: Floats) -> Floats:
            numbers = lists.lists_of_records()
            return parameters[numbers] + parameters[count + numbers] * lists.scores

        parameters, curve = minimize_followed(
            loss.value,
            np.zeros(2 * count),
            lambda point: float(measured.ndcg(predict(sample, point)).mean()),
        )
        return Fitted(
            score=lambda lists: predict(in_bits(lists), parameters),
            curve=curve,
            unit="steps of L-BFGS",
            settings={"queries": self.queries, "top": self.top, "threshold": self.threshold},
        )


class _Loss:
    """The regression's loss and its gradient."""

    def __init__(self, dataset: FusionDataset, *, top: int, threshold: float) -> None:
        self._lists = dataset.lists_of_records()
        self._count = len(dataset.list_names)
        self._scores = dataset.scores
        self._threshold = threshold
        self._labels = np.minimum(dataset.labels, 1).astype(np.float64)
        matters = (dataset.labels > 0) | _top_of_queries(dataset, top)
        self._matters = matters
        sizes = np.diff(query_offsets(dataset))
        owners = np.repeat(np.arange(sizes.size), sizes)
        kinds = owners * 3 + np.where(dataset.labels > 0, 0, np.where(matters, 1, 2))
        self._weights = 1 / np.bincount(kinds, minlength=3 * sizes.size)[kinds]

    def value(self, parameters: Floats) -> tuple[float, Floats]:
        predicted = parameters[self._lists] + parameters[self._count + self._lists] * self._scores
        errors = np.where(
            self._matters, predicted - self._labels, np.maximum(0, predicted - self._threshold)
        )
        pulls = 2 * self._weights * errors
        levels = np.bincount(self._lists, pulls, self._count)
        slopes = np.bincount(self._lists, pulls * self._scores, self._count)
        loss = float(self._weights @ errors**2) + RIDGE * float(parameters @ parameters)
        return loss, np.concatenate((levels, slopes)) + 2 * RIDGE * parameters


def _top_of_queries(dataset: FusionDataset, top: int) -> NDArray[np.bool_]:
    """Mark the highest records of each query by z-normalized score."""
    heights = normalize(dataset, "z")
    marked = np.zeros(heights.size, np.bool_)
    offsets = query_offsets(dataset)
    for first, last in pairwise(offsets.tolist()):
        if last - first <= top:
            marked[first:last] = True
        else:
            cut = last - first - top
            marked[first + np.argpartition(heights[first:last], cut)[cut:]] = True
    return marked

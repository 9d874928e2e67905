"""ListNet: the scores of a query, through a softmax, should look like its labels.

    loss = cross entropy of  softmax(w_j * s)  to  the target

For linear scores it is convex, and L-BFGS finds its one minimum where RankLib takes 1,500 small
steps.  The target is softmax(labels), as published (Cao et al. 2007); with binary labels and
hundreds of records it is nearly even, so the loss hardly depends on the relevant ones.  With
`shares` the target is each label's share of the query's sum instead.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import (
    Fitted,
    MeasuredLists,
    linear,
    minimize_followed,
    named,
    query_offsets,
    sample_queries,
)

Target = Literal["softmax", "shares"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNet:
    """Learn a weight per list."""

    seed: int
    target: Target = "softmax"
    queries: int = 2000  # sampled at most

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Minimize the cross entropy."""
        sample = sample_queries(dataset, self.queries, self.seed)
        loss, measured = ListLoss(sample, self.target), MeasuredLists(sample)
        scales = loss.scales
        scaled, curve = minimize_followed(
            loss.value,
            np.zeros(len(dataset.list_names)),
            lambda weights: float(measured.ndcg(linear(weights / scales)(sample)).mean()),
        )
        weights = scaled / scales
        return Fitted(
            score=linear(weights),
            curve=curve,
            unit="steps of L-BFGS",
            settings={"target": self.target, "queries": self.queries, "inputs": "scaled"},
            weights=named(dataset, weights),
        )


class ListLoss:
    """The mean cross entropy over queries, and its gradient."""

    def __init__(self, dataset: FusionDataset, target: Target) -> None:
        self._lists = dataset.lists_of_records()
        self._count = len(dataset.list_names)
        squares = np.bincount(self._lists, dataset.scores**2, self._count)
        sizes = np.maximum(np.bincount(self._lists, minlength=self._count), 1)
        self.scales = np.where(squares > 0, np.sqrt(squares / sizes), 1.0)
        self._scores = dataset.scores / self.scales[self._lists]
        offsets = query_offsets(dataset)
        filled = np.flatnonzero(np.diff(offsets))
        self._starts = offsets[filled]
        lengths = np.diff(offsets)[filled]
        self._owners = np.repeat(np.arange(filled.size), lengths)
        labels = dataset.labels.astype(np.float64)
        powers = np.exp(labels) if target == "softmax" else labels
        sums = np.add.reduceat(powers, self._starts)
        self._targets = powers / np.where(sums > 0, sums, 1.0)[self._owners]

    def value(self, weights: Floats) -> tuple[float, Floats]:
        """Return the loss of these weights of scaled scores, and its gradient."""
        scores = weights[self._lists] * self._scores
        highest = np.maximum.reduceat(scores, self._starts)
        powers = np.exp(scores - highest[self._owners])
        sums = np.add.reduceat(powers, self._starts)
        masses = np.add.reduceat(self._targets, self._starts)
        loss = float(masses @ (np.log(sums) + highest) - self._targets @ scores)
        pulls = masses[self._owners] * powers / sums[self._owners] - self._targets
        gradient = np.bincount(self._lists, pulls * self._scores, self._count)
        return loss / self._starts.size, gradient / self._starts.size

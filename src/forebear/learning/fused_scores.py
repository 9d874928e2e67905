"""The NDCG of fused lists: what learners of fusion maximize.

What does not depend on what is learned (which records are relevant, where they stand, what
the best order would earn) is prepared once; an evaluation then is some binary searches a
relevant record.

Fusion is done in one of two ways: scores in bits are shifted, and positive scores, as other
systems give them, are multiplied by weights.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.fused_ndcg import Scores, fused_ndcg_by_query, tied_in_own_list
from forebear.kernels.ndcg import ideal_dcgs, summed_discounts
from forebear.learning.dataset import FusionDataset

Row = NDArray[np.float64]


class FusedScores:
    """A dataset's fused NDCG as a function of shifts, or of weights."""

    def __init__(self, dataset: FusionDataset, *, cutoff: int = 100) -> None:
        if not dataset.query_ids or not dataset.list_names:
            raise InputError("a dataset without queries or lists teaches nothing")
        by_query = np.ascontiguousarray(dataset.offsets[:: len(dataset.list_names)])
        self.dataset = dataset
        self.scores = _narrow(dataset.scores)
        self.cutoff = cutoff
        self.relevant = np.flatnonzero(dataset.labels)
        self.gains = dataset.labels[self.relevant].astype(np.float64)
        self.cells = np.searchsorted(dataset.offsets, self.relevant, side="right") - 1
        self.firsts, self.ties = tied_in_own_list(
            self.scores, dataset.offsets, self.relevant, self.cells
        )
        self.discounts = summed_discounts(int(np.diff(by_query).max()), cutoff=cutoff)
        bounds = np.searchsorted(self.relevant, by_query)
        self.ideals = ideal_dcgs(self.gains, bounds, self.discounts)
        for query, grades in dataset.unfound.items():
            gains = np.array([*self.gains[bounds[query] : bounds[query + 1]], *grades], np.float64)
            discounts = summed_discounts(gains.size, cutoff=cutoff)
            self.ideals[query] = ideal_dcgs(gains, np.array([0, gains.size]), discounts)[0]

    def by_query(self, shifts: Row) -> Row:
        """Return each query's NDCG, expected over ties, under shifts: one row, or one a query."""
        rows = np.atleast_2d(np.ascontiguousarray(shifts, dtype=np.float64))
        count = len(self.dataset.list_names)
        if rows.shape not in ((1, count), (len(self.dataset.query_ids), count)):
            raise InputError(f"{rows.shape[1]} shifts for {count} lists")
        return self._by_query(np.ones(count), rows)

    def by_query_weighted(self, weights: Row) -> Row:
        """Return each query's NDCG when scores are multiplied by weights above 0."""
        count = len(self.dataset.list_names)
        if weights.shape != (count,):
            raise InputError(f"{weights.size} weights for {count} lists")
        if not (weights > 0).all():
            raise InputError(f"a weight is {weights.min()}; a list would be turned around")
        return self._by_query(np.ascontiguousarray(weights), np.zeros((1, count)))

    def value(self, shifts: Row) -> float:
        """Return the mean NDCG over all queries under shifts."""
        return float(self.by_query(shifts).mean())

    def weighted_value(self, weights: Row) -> float:
        """Return the mean NDCG over all queries under weights."""
        return float(self.by_query_weighted(weights).mean())

    def _by_query(self, slopes: Row, shifts: Row) -> Row:
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

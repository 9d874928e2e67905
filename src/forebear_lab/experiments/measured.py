"""How good is a number for every record?  NDCG and NCE of each query, from scores in any order.

NDCG is averaged over ties.  NCE looks at one order; records of equal score are shuffled for it,
by a seed, for neither the order of the file nor that of the lists is a merit.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from forebear.learning.dataset import FusionDataset, bounds
from forebear.learning.fused_scores import FusedScores
from forebear.learning.measures import Ideal, nce_of_arrays, ndcg_of_arrays
from forebear.learning.trial import split_groups
from forebear_lab.experiments.fuser import Row

CUTOFF = 100
HELD = 0.2  # of the queries


def query_offsets(dataset: FusionDataset) -> NDArray[np.int64]:
    """Return where the records of each query begin and, last, where they end."""
    return np.ascontiguousarray(dataset.offsets[:: len(dataset.list_names)])


class MeasuredLists:
    """Judged lists, and what rankings of all their records are worth."""

    def __init__(self, dataset: FusionDataset, *, cutoff: int = CUTOFF, seed: int = 1) -> None:
        self.dataset = dataset
        self._cutoff = cutoff
        self._offsets = query_offsets(dataset)
        self._ideals = FusedScores(dataset, cutoff=cutoff).ideals
        self._lists = dataset.lists_of_records()
        self._shuffle = np.random.default_rng(seed).random(dataset.scores.size)
        self._supply = np.diff(dataset.offsets).reshape(-1, len(dataset.list_names))

    def ndcg(self, scores: Row) -> Row:
        """Return each query's NDCG, averaged over ties."""
        return ndcg_of_arrays(
            scores, self.dataset.labels, self._offsets, cutoff=self._cutoff, ideals=self._ideals
        )

    def nce(self, scores: Row, *, ideal: Ideal = "paper") -> Row:
        """Return each query's NCE; a list's name is its type."""
        tops = [
            first + self._top(scores[first:last], self._shuffle[first:last])
            for first, last in pairwise(self._offsets.tolist())
        ]
        return nce_of_arrays(
            self._lists[np.concatenate(tops)],
            bounds([top.size for top in tops]),
            type_count=len(self.dataset.list_names),
            cutoff=self._cutoff,
            ideal=ideal,
            supply=self._supply,
        )

    def _top(self, scores: Row, shuffle: Row) -> NDArray[np.int64]:
        """Return the places of the best records, best first."""
        if scores.size > 2 * self._cutoff:
            least = np.partition(scores, scores.size - self._cutoff)[scores.size - self._cutoff]
            kept = np.flatnonzero(scores >= least)
        else:
            kept = np.arange(scores.size)
        order = np.lexsort((shuffle[kept], -scores[kept]))[: self._cutoff]
        return kept[order]


def sample_queries(dataset: FusionDataset, count: int, seed: int) -> FusionDataset:
    """Return the dataset of at most so many of its queries, drawn by a seed."""
    total = len(dataset.query_ids)
    if total <= count:
        return dataset
    drawn = np.random.default_rng(seed).permutation(total)[:count]
    return dataset.take(np.sort(drawn))


def hold_out(dataset: FusionDataset, seed: int) -> tuple[FusionDataset, FusionDataset]:
    """Return what to learn from, and a fifth of the queries to say when to stop."""
    kept, held = split_groups(dataset.query_ids, HELD, seed)
    return dataset.take(kept), dataset.take(held)

"""Lists of a dataset two at a time, as the sweep wants them."""

from collections.abc import Iterator, Sequence

import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear_lab.baselines.exact_sweep import TwoLists
from forebear_lab.experiments.fuser import Row


class ListPairs:
    """Judged lists in bits, each query's taken apart and put together again."""

    def __init__(self, dataset: FusionDataset, *, cutoff: int = 100) -> None:
        self._dataset = dataset
        self._count = len(dataset.list_names)
        ideals = FusedScores(dataset, cutoff=cutoff).ideals
        sizes = np.diff(dataset.offsets[:: self._count])
        best = np.repeat(np.where(ideals > 0, ideals, 1.0), sizes)
        self._scores = dataset.scores.astype(np.float64)
        self._worths = dataset.labels / best

    def by_hits(self) -> list[int]:
        """Return the lists, those with the most relevant records first."""
        lists = self._dataset.lists_of_records()[self._dataset.labels > 0]
        hits = np.bincount(lists, minlength=self._count)
        return sorted(range(self._count), key=lambda number: -int(hits[number]))

    def pairs(self, fixed: Sequence[int], moved: int, shifts: Row) -> Iterator[TwoLists]:
        """Yield, of each query, the fixed lists merged under their shifts, and the moved one."""
        for query in range(len(self._dataset.query_ids)):
            parts = [self._part(query, number) for number in fixed]
            scores = np.concatenate(
                [part[0] + shifts[n] for part, n in zip(parts, fixed, strict=True)]
            )
            worths = np.concatenate([part[1] for part in parts])
            order = np.argsort(-scores, kind="stable")
            other = self._part(query, moved)
            if worths.any() or other[1].any():
                yield TwoLists(
                    fixed=scores[order],
                    fixed_worths=worths[order],
                    moved=other[0],
                    moved_worths=other[1],
                )

    def _part(self, query: int, number: int) -> tuple[Row, Row]:
        cell = query * self._count + number
        rows = slice(self._dataset.offsets[cell], self._dataset.offsets[cell + 1])
        return self._scores[rows], self._worths[rows]

"""The NDCG of lists fused by shifts: what learners of fusion maximize.

What does not depend on the shifts (which records are relevant, where they stand, what the
best order would earn) is prepared once; an evaluation then is some binary searches a
relevant record.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.fused_ndcg import fused_ndcg_by_query
from forebear.kernels.ndcg import ideal_dcgs, summed_discounts
from forebear.learning.dataset import FusionDataset


class FusedScores:
    """A dataset's fused NDCG as a function of the shifts."""

    def __init__(self, dataset: FusionDataset, *, cutoff: int = 100) -> None:
        if not dataset.query_ids or not dataset.list_names:
            raise InputError("a dataset without queries or lists teaches nothing")
        count = len(dataset.list_names)
        by_query = np.ascontiguousarray(dataset.offsets[::count])
        self._dataset = dataset
        self._gains = dataset.labels.astype(np.float64)
        self._relevant = np.flatnonzero(dataset.labels > 0)
        self._cells = np.searchsorted(dataset.offsets, self._relevant, side="right") - 1
        self._discounts = summed_discounts(int(np.diff(by_query).max()), cutoff=cutoff)
        self._ideals = ideal_dcgs(self._gains, by_query, self._discounts)

    def by_query(self, shifts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return each query's NDCG, expected over ties; 0 without a relevant record."""
        if shifts.shape != (len(self._dataset.list_names),):
            raise InputError(f"{shifts.size} shifts for {len(self._dataset.list_names)} lists")
        return fused_ndcg_by_query(
            self._dataset.scores,
            self._gains,
            self._dataset.offsets,
            self._relevant,
            self._cells,
            self._ideals,
            self._discounts,
            np.ascontiguousarray(shifts, dtype=np.float64),
        )

    def value(self, shifts: NDArray[np.float64]) -> float:
        """Return the mean NDCG over all queries."""
        return float(self.by_query(shifts).mean())

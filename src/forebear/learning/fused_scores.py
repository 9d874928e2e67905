"""How good are fused lists, and what is learned about them?

Scores in bits are shifted; positive scores, as other systems give them, are multiplied by weights.
A weight is 2 to the power of the shift, so either way one number per list is learned, and only the
differences of shifts (the ratios of weights) decide the order.

What does not depend on them (which records are relevant, where they are, what the best order
earns) is prepared once; an evaluation is then some binary searches per relevant record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import (
    Floats,
    Scores,
    fused_ndcg_by_query,
    ideal_dcgs,
    summed_discounts,
    ties_in_list,
)
from forebear.learning.dataset import FusionDataset
from forebear.search.model import UNITS_PER_BIT, to_units


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionWeights:
    """The shift of each list, in bits."""

    shifts: Mapping[str, float]

    @classmethod
    def named(cls, names: Sequence[str], shifts: Floats) -> Self:
        """Return these shifts relative to the first list's."""
        given = dict(zip(names, shifts.tolist(), strict=True))
        return cls(shifts=given).relative_to(names[0])

    @property
    def weights(self) -> dict[str, float]:
        """Return what positive scores are multiplied by, 1 on average."""
        powers = {name: 2.0**shift for name, shift in self.shifts.items()}
        mean = sum(powers.values()) / len(powers)
        return {name: power / mean for name, power in powers.items()}

    def array(self, names: Sequence[str]) -> Floats:
        """Return the shifts of these lists in their order; a list never seen has none."""
        return np.array([self.shifts.get(name, 0.0) for name in names], np.float64)

    def relative_to(self, reference: str) -> Self:
        """Return the shifts that rank alike and leave this list where it is."""
        if reference not in self.shifts:
            raise InputError(f"no list is called {reference!r}")
        zero = self.shifts[reference]
        return type(self)(shifts={name: shift - zero for name, shift in self.shifts.items()})

    def on_grid(self) -> Self:
        """Return the shifts rounded to 64ths of a bit."""
        return type(self)(
            shifts={name: to_units(shift) / UNITS_PER_BIT for name, shift in self.shifts.items()}
        )


class FusedScores:
    """A dataset's fused NDCG as a function of shifts, or of weights."""

    def __init__(self, dataset: FusionDataset, *, cutoff: int = 100) -> None:
        if not dataset.query_ids or not dataset.list_names:
            raise InputError("a dataset without queries or lists has nothing to learn from")
        by_query = np.ascontiguousarray(dataset.offsets[:: len(dataset.list_names)])
        self.dataset = dataset
        self.scores = _narrow(dataset.scores)
        self.cutoff = cutoff
        self.relevant = np.flatnonzero(dataset.labels)
        self.gains = dataset.labels[self.relevant].astype(np.float64)
        self.cells = np.searchsorted(dataset.offsets, self.relevant, side="right") - 1
        self.firsts, self.ties = ties_in_list(
            self.scores, dataset.offsets, self.relevant, self.cells
        )
        self.discounts = summed_discounts(int(np.diff(by_query).max()), cutoff=cutoff)
        bounds = np.searchsorted(self.relevant, by_query)
        self.ideals = ideal_dcgs(self.gains, bounds, self.discounts)
        for query, grades in dataset.unfound.items():
            gains = np.array([*self.gains[bounds[query] : bounds[query + 1]], *grades], np.float64)
            discounts = summed_discounts(gains.size, cutoff=cutoff)
            self.ideals[query] = ideal_dcgs(gains, np.array([0, gains.size]), discounts)[0]

    def by_query(self, shifts: Floats) -> Floats:
        """Return each query's NDCG, expected over ties, under shifts: one row, or one per query."""
        rows = np.atleast_2d(np.ascontiguousarray(shifts, dtype=np.float64))
        count = len(self.dataset.list_names)
        if rows.shape not in ((1, count), (len(self.dataset.query_ids), count)):
            raise InputError(f"{rows.shape[1]} shifts for {count} lists")
        return self._by_query(np.ones(count), rows)

    def by_query_weighted(self, weights: Floats) -> Floats:
        """Return each query's NDCG when scores are multiplied by weights above 0."""
        count = len(self.dataset.list_names)
        if weights.shape != (count,):
            raise InputError(f"{weights.size} weights for {count} lists")
        if not (weights > 0).all():
            raise InputError(f"a weight is {weights.min()}; a list would be reversed")
        return self._by_query(np.ascontiguousarray(weights), np.zeros((1, count)))

    def value(self, shifts: Floats) -> float:
        """Return the mean NDCG over all queries under shifts."""
        return float(np.average(self.by_query(shifts), weights=self.dataset.weights))

    def weighted_value(self, weights: Floats) -> float:
        """Return the mean NDCG over all queries under weights."""
        return float(np.average(self.by_query_weighted(weights), weights=self.dataset.weights))

    def _by_query(self, slopes: Floats, shifts: Floats) -> Floats:
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

"""Vogt's linear combination, two systems at a time: each list against the one with most hits.

For two systems only the angle between their weights matters, and the best angle is found by
looking at all (`exact_sweep.py`).  With more lists than two each is weighed against the same
reference, on the records of those two alone; what the other lists do is not seen.
"""

from dataclasses import dataclass

import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.exact_sweep import best_shift
from forebear_lab.baselines.list_pairs import ListPairs
from forebear_lab.experiments.bits import in_bits
from forebear_lab.experiments.fuser import Fitted, named
from forebear_lab.experiments.measured import sample_queries


@dataclass(frozen=True, slots=True, kw_only=True)
class VogtSweep:
    """Learn a weight a list, relative to one reference."""

    seed: int
    queries: int = 3000  # drawn at most

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Sweep every list against the reference."""
        pairs = ListPairs(in_bits(sample_queries(dataset, self.queries, self.seed)))
        shifts = np.zeros(len(dataset.list_names))
        reference, *others = pairs.by_hits()
        for number in others:
            shifts[number], _ = best_shift(list(pairs.pairs([reference], number, shifts)))
        return Fitted(
            score=lambda lists: in_bits(lists).scores + shifts[lists.lists_of_records()],
            settings={"queries": self.queries, "reference": dataset.list_names[reference]},
            weights=named(dataset, np.exp2(shifts)),
        )

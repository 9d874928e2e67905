"""Wu, Burges, Svore and Gao's combiner: rankers joined one by one, each at its best weight.

Two rankings are combined by (1 - a) * s1 + a * s2 with the a that maximizes NDCG, found by
looking at all crossings; the result is combined with the next, and so on ("Adapting boosting
for information retrieval measures", 2010).  The lists with the most relevant records come
first.  A weight once set is never looked at again, which is what separates this from coordinate
ascent.
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
class WuCombiner:
    """Learn a weight a list, one list after another, once."""

    seed: int
    queries: int = 3000  # drawn at most

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Join the lists one by one."""
        pairs = ListPairs(in_bits(sample_queries(dataset, self.queries, self.seed)))
        shifts = np.zeros(len(dataset.list_names))
        first, *others = pairs.by_hits()
        joined = [first]
        for number in others:
            shifts[number], _ = best_shift(list(pairs.pairs(joined, number, shifts)))
            joined.append(number)
        return Fitted(
            score=lambda lists: in_bits(lists).scores + shifts[lists.lists_of_records()],
            settings={"queries": self.queries},
            weights=named(dataset, np.exp2(shifts)),
        )

"""RankSVM as a fuser: the weights that put relevant records above irrelevant ones, pair by pair.

The learner is `forebear.learning.rank_svm`, which the stochastic search starts from.  Its loss
is smooth and convex, so only the data can be too little: the curve is over ever more queries.
"""

from dataclasses import dataclass, replace

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear.learning.rank_svm import RankSvm
from forebear_lab.baselines.fuser import (
    CurvePoint,
    Fitted,
    MeasuredLists,
    Score,
    linear,
    named,
    sample_queries,
    scale_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSvmWeights:
    """Learn a weight per list (a shift, where scores are not positive)."""

    seed: int
    queries: int = 2000  # sampled at most

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn from all sampled queries; the smaller samples are only for the curve."""
        machine = RankSvm(seed=self.seed, query_count=min(self.queries, len(dataset.query_ids)))
        measured = MeasuredLists(sample_queries(dataset, 500, self.seed))
        curve = []
        for parts in (16, 8, 4, 2, 1):
            count = max(1, machine.query_count // parts)
            weights, score = _fit(replace(machine, query_count=count), dataset)
            value = float(measured.ndcg(score(measured.dataset)).mean())
            curve.append(CurvePoint(work=count, train=value))
        return Fitted(
            score=score,
            curve=tuple(curve),
            unit="queries",
            settings={
                "queries": machine.query_count,
                "rivals": machine.opponents,
                "C": machine.cost,
            },
            weights=named(dataset, weights),
        )


def _fit(machine: RankSvm, dataset: FusionDataset) -> tuple[Floats, Score]:
    if scale_of(dataset) == "weights":
        weights = machine.fit_weights(dataset)
        return weights, linear(weights)
    shifts = machine.fit(dataset)
    return np.exp2(shifts), lambda lists: lists.scores + shifts[lists.lists_of_records()]

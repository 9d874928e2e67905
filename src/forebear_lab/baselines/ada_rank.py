"""AdaRank: features chosen one by one, each for the queries the others leave worst.

A weak ranker is a single feature; here feature j is the score of list j's records and 0 for all
others, so a weak ranker orders one list and ties the rest.  In each round the one with the best
weighted NDCG is added with the weight

    a = 1/2 ln( sum of P(q) (1 + E(q)) / sum of P(q) (1 - E(q)) )

and queries are weighted again, P(q) in proportion to exp(-NDCG(q)) of all so far (Xu and Li
2007).  As in RankLib, 500 rounds at most, a feature chosen five times in a row rests, and
training ends when that leaves none or nothing improves; the best ranker seen is returned.
"""

import math
from dataclasses import dataclass

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import (
    CurvePoint,
    Fitted,
    MeasuredLists,
    linear,
    named,
    sample_queries,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaRank:
    """Learn a weight per list by boosting."""

    seed: int
    queries: int = 2000  # sampled at most
    rounds: int = 500
    consecutive: int = 5  # choices of one feature in a row before it rests
    patience: int = 50  # rounds without anything better
    tolerance: float = 0.0  # RankLib's 0.002 would end it in the first rounds

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Boost the lists' scores."""
        measured = MeasuredLists(sample_queries(dataset, self.queries, self.seed))
        boosting = _Boosting(self, measured)
        curve = boosting.run()
        return Fitted(
            score=linear(boosting.best),
            curve=curve,
            unit="rounds",
            settings={"queries": self.queries, "rounds": self.rounds, "patience": self.patience},
            weights=named(dataset, boosting.best),
        )


def choice_weight(shares: Floats, values: Floats) -> float:
    """Return the weight of a weak ranker with these NDCG values under these query shares."""
    right, wrong = float(shares @ (1 + values)), float(shares @ (1 - values))
    return 0.5 * math.log(right / max(1e-12, wrong))


class _Boosting:
    """The weights so far, and the best."""

    def __init__(self, settings: AdaRank, measured: MeasuredLists) -> None:
        count = len(measured.dataset.list_names)
        self._settings = settings
        self._measured = measured
        self._weak = np.stack([self._values(np.eye(count)[number]) for number in range(count)])
        self._weights = np.zeros(count)
        self._resting: set[int] = set()
        self._chosen: list[int] = []
        self.best = np.ones(count)
        self._best_value = -1.0

    def run(self) -> tuple[CurvePoint, ...]:
        """Add weak rankers until nothing improves."""
        values = np.zeros(self._weak.shape[1])
        curve: list[CurvePoint] = []
        idle = 0
        while len(curve) < self._settings.rounds and idle < self._settings.patience:
            shares = np.exp(-values)
            self._add(shares / shares.sum())
            values = self._values(self._weights)
            value = float(values.mean())
            curve.append(CurvePoint(work=len(curve) + 1, train=max(value, self._best_value)))
            idle += 1
            if value > self._best_value + self._settings.tolerance:
                self.best, self._best_value, idle = self._weights.copy(), value, 0
        return tuple(curve)

    def _add(self, shares: Floats) -> None:
        merits = self._weak @ shares
        merits[list(self._resting)] = -np.inf
        chosen = int(np.argmax(merits))
        self._weights[chosen] += choice_weight(shares, self._weak[chosen])
        self._chosen.append(chosen)
        last = self._chosen[-self._settings.consecutive :]
        self._resting = {chosen} if last == [chosen] * self._settings.consecutive else set()

    def _values(self, weights: Floats) -> Floats:
        return self._measured.ndcg(linear(weights)(self._measured.dataset))

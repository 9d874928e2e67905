"""RankNet: a small network that should score the better record of every pair higher.

    loss = mean over pairs of log(1 + exp(-(f(relevant) - f(irrelevant))))

(Burges et al. 2005.)  The inputs are the paper's: one column per list, which holds the score of
the list's records and 0 for all others, standardized.  RankLib's defaults are a rate of
0.00005 for 100 rounds on inputs as they come; the paper's RankNet, which puts one type on top of
all lists, may never have been trained.  Here it is Adam, and rounds until the curve is flat.
"""

from dataclasses import dataclass

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear.learning.rank_svm import score_columns
from forebear_lab.baselines.fuser import (
    CurvePoint,
    Fitted,
    MeasuredLists,
    query_offsets,
    sample_queries,
)
from forebear_lab.baselines.networks import Adam, Network, Table

NOTES = 12  # points of the curve


@dataclass(frozen=True, slots=True, kw_only=True)
class RankNet:
    """Learn a network from pairs."""

    seed: int
    queries: int = 500  # sampled at most
    opponents: int = 10  # irrelevant records sampled for each relevant one in every round
    hidden: int = 10
    rounds: int = 300
    rate: float = 0.02

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train the network."""
        sample = sample_queries(dataset, self.queries, self.seed)
        columns = score_columns(sample)
        center, spread = columns.mean(axis=0), columns.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        inputs = (columns - center) / spread
        network = Network(inputs=columns.shape[1], hidden=self.hidden)
        parameters, curve = self._train(network, inputs, sample)
        return Fitted(
            score=lambda lists: network.predict(
                parameters, (score_columns(lists) - center) / spread
            ),
            curve=curve,
            unit="rounds",
            settings={
                "queries": self.queries,
                "pairs a round": self.opponents * int((sample.labels > 0).sum()),
                "hidden": self.hidden,
                "rounds": self.rounds,
                "rate": self.rate,
                "inputs": "standardized",
            },
        )

    def _train(
        self, network: Network, inputs: Table, sample: FusionDataset
    ) -> tuple[Floats, tuple[CurvePoint, ...]]:
        random = np.random.default_rng(self.seed)
        pairs, measured = OpponentSampler(sample), MeasuredLists(sample)
        parameters, adam = network.start(random), Adam(network.size, rate=self.rate)
        curve = []
        for number in range(1, self.rounds + 1):
            better, worse = pairs.sample(self.opponents, random)
            parameters = adam.step(
                parameters, _gradient(network, parameters, inputs, better, worse)
            )
            if number in (1, self.rounds) or number % max(1, self.rounds // NOTES) == 0:
                value = float(measured.ndcg(network.predict(parameters, inputs)).mean())
                curve.append(CurvePoint(work=number, train=value))
        return parameters, tuple(curve)


class OpponentSampler:
    """Samples irrelevant records to compare with the relevant ones of their queries."""

    def __init__(self, dataset: FusionDataset) -> None:
        offsets = query_offsets(dataset)
        self._labels = dataset.labels
        self.relevant = np.flatnonzero(dataset.labels > 0)
        queries = np.searchsorted(offsets, self.relevant, side="right") - 1
        self._first, self._last = offsets[queries], offsets[queries + 1]

    def sample(self, count: int, random: np.random.Generator) -> tuple[Floats, Floats]:
        """Return pairs of a relevant and an irrelevant record of one query."""
        shares = random.random((count, self.relevant.size))
        others = (self._first + shares * (self._last - self._first)).astype(np.int64).ravel()
        better = np.tile(self.relevant, count)
        irrelevant = self._labels[others] == 0
        return better[irrelevant], others[irrelevant]


def _gradient(
    network: Network, parameters: Floats, inputs: Table, better: Floats, worse: Floats
) -> Floats:
    rows = np.concatenate((inputs[better], inputs[worse]))
    scores = network.predict(parameters, rows)
    margins = scores[: better.size] - scores[better.size :]
    pulls = -1 / (1 + np.exp(np.clip(margins, -30, 30))) / max(1, better.size)
    return network.gradient(parameters, rows, np.concatenate((pulls, -pulls)))

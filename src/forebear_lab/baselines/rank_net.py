"""RankNet: a small network that should score the better record of every pair higher.

    loss = mean over pairs of log(1 + exp(-(f(relevant) - f(irrelevant))))

(Burges et al. 2005.)  The inputs are the paper's: one column a list, which holds the score of
the list's own records and 0 for all others, standardized.  RankLib's defaults are a rate of
0.00005 for 100 rounds on inputs as they come; the paper's RankNet, which puts one type on top of
all lists, may never have been trained.  Here it is Adam, and rounds until the curve is flat.
"""

from dataclasses import dataclass

import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear.learning.rank_svm import score_columns
from forebear_lab.baselines.dense_network import Adam, Network, Table
from forebear_lab.experiments.fuser import CurvePoint, Fitted, Row
from forebear_lab.experiments.measured import MeasuredLists, query_offsets, sample_queries

NOTES = 12  # points of the curve


@dataclass(frozen=True, slots=True, kw_only=True)
class RankNet:
    """Learn a network from pairs."""

    seed: int
    queries: int = 500  # drawn at most
    rivals: int = 10  # irrelevant records drawn for each relevant one, anew in every round
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
                "pairs a round": self.rivals * int((sample.labels > 0).sum()),
                "hidden": self.hidden,
                "rounds": self.rounds,
                "rate": self.rate,
                "inputs": "standardized",
            },
        )

    def _train(
        self, network: Network, inputs: Table, sample: FusionDataset
    ) -> tuple[Row, tuple[CurvePoint, ...]]:
        random = np.random.default_rng(self.seed)
        rivals, measured = Rivals(sample), MeasuredLists(sample)
        parameters, adam = network.start(random), Adam(network.size, rate=self.rate)
        curve = []
        for number in range(1, self.rounds + 1):
            better, worse = rivals.draw(self.rivals, random)
            parameters = adam.step(
                parameters, _gradient(network, parameters, inputs, better, worse)
            )
            if number in (1, self.rounds) or number % max(1, self.rounds // NOTES) == 0:
                value = float(measured.ndcg(network.predict(parameters, inputs)).mean())
                curve.append(CurvePoint(work=number, train=value))
        return parameters, tuple(curve)


class Rivals:
    """Irrelevant records to hold against the relevant ones of their queries."""

    def __init__(self, dataset: FusionDataset) -> None:
        offsets = query_offsets(dataset)
        self._labels = dataset.labels
        self.relevant = np.flatnonzero(dataset.labels > 0)
        queries = np.searchsorted(offsets, self.relevant, side="right") - 1
        self._first, self._last = offsets[queries], offsets[queries + 1]

    def draw(self, count: int, random: np.random.Generator) -> tuple[Row, Row]:
        """Return pairs of a relevant and an irrelevant record of one query."""
        shares = random.random((count, self.relevant.size))
        drawn = (self._first + shares * (self._last - self._first)).astype(np.int64).ravel()
        better = np.tile(self.relevant, count)
        kept = self._labels[drawn] == 0
        return better[kept], drawn[kept]


def _gradient(network: Network, parameters: Row, inputs: Table, better: Row, worse: Row) -> Row:
    rows = np.concatenate((inputs[better], inputs[worse]))
    scores = network.predict(parameters, rows)
    margins = scores[: better.size] - scores[better.size :]
    pulls = -1 / (1 + np.exp(np.clip(margins, -30, 30))) / max(1, better.size)
    return network.gradient(parameters, rows, np.concatenate((pulls, -pulls)))

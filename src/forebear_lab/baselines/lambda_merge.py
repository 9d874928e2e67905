"""A merge like LambdaMerge: the weight of each list depends on its result for the query.

    score(record of list k) = softmax over the query's lists (g · z)_k * f(x)

x is what is known of the record in its list (score, normalized score, rank), f a small network,
z what is known of the list for the query (which list, its top score, its length), g the gate.
Trained with LambdaRank's gradients: every pair counts by the NDCG that swapping it would change
(Sheldon, Shokouhi, Szummer and Craswell 2011).  There a document may be in several lists and its
scores are added; in disjoint lists one term is left.  A fifth of the queries is held out, and
the parameters that rank them best are used.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import (
    HELD,
    CurvePoint,
    Fitted,
    MeasuredLists,
    best_work,
    hold_out,
    in_bits,
    query_offsets,
    sample_queries,
)
from forebear_lab.baselines.merging import normalize, ranks_in_lists
from forebear_lab.baselines.networks import Adam, Network, Table, lambda_pulls

NOTES = 20  # points of the curve


@dataclass(frozen=True, slots=True, kw_only=True)
class LambdaMerge:
    """Learn a network of records and a gate of lists."""

    seed: int
    queries: int = 300  # sampled at most
    depth: int = 10  # below it only every eighth record of a list is trained on
    hidden: int = 6
    rounds: int = 300
    rate: float = 0.05

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train network and gate together."""
        train, held = hold_out(sample_queries(dataset, self.queries, self.seed), self.seed)
        merge = GatedNetwork(train, self.hidden)
        parameters, curve = self._train(merge, train, held)
        return Fitted(
            score=lambda lists: merge.predict(parameters, merge.inputs(lists)),
            curve=curve,
            unit="rounds",
            settings={
                "queries": self.queries,
                "held out": HELD,
                "depth": self.depth,
                "hidden": self.hidden,
                "rounds": self.rounds,
                "kept": best_work(curve),
                "rate": self.rate,
                "inputs": "standardized",
            },
        )

    def _train(
        self, merge: "GatedNetwork", train: FusionDataset, held: FusionDataset
    ) -> tuple[Floats, tuple[CurvePoint, ...]]:
        inputs, labels, offsets = self._training_inputs(merge, train)
        measures = [_Measure(merge, part) for part in (train, held)]
        parameters = merge.start(np.random.default_rng(self.seed))
        adam, noted = Adam(parameters.size, rate=self.rate), []
        for number in range(1, self.rounds + 1):
            pulls = lambda_pulls(merge.predict(parameters, inputs), labels, offsets)
            parameters = adam.step(parameters, merge.gradient(parameters, inputs, pulls))
            if number in (1, self.rounds) or number % max(1, self.rounds // NOTES) == 0:
                seen, unseen = (measure.value(parameters) for measure in measures)
                noted.append((parameters, CurvePoint(work=number, train=seen, held=unseen)))
        best = max(noted, key=lambda one: one[1].judged)[0]
        return best, tuple(point for _, point in noted)

    def _training_inputs(
        self, merge: "GatedNetwork", train: FusionDataset
    ) -> tuple["MergeInputs", NDArray[np.int64], NDArray[np.int64]]:
        """Return inputs, labels and query bounds of the records trained on."""
        ranks = ranks_in_lists(train)
        rows = np.flatnonzero((ranks <= self.depth) | (ranks % 8 == 0) | (train.labels > 0))
        offsets = np.searchsorted(rows, query_offsets(train))
        return merge.inputs(train).take(rows), train.labels[rows], offsets


class _Measure:
    """NDCG of some lists as a function of the parameters."""

    def __init__(self, merge: "GatedNetwork", lists: FusionDataset) -> None:
        self._merge, self._inputs, self._measured = merge, merge.inputs(lists), MeasuredLists(lists)

    def value(self, parameters: Floats) -> float:
        scores = self._merge.predict(parameters, self._inputs)
        return float(self._measured.ndcg(scores).mean())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MergeInputs:
    """The inputs of network and gate."""

    records: Table  # one row per record
    lists: Table  # one row per list of a query; empty lists too
    cells: NDArray[np.int64]  # each record's list of its query
    empty: NDArray[np.bool_]

    def take(self, rows: NDArray[np.int64]) -> "MergeInputs":
        """Return the inputs of these records only; the lists stay."""
        return replace(self, records=self.records[rows], cells=self.cells[rows])


class GatedNetwork:
    """The merge as a function of one flat array of parameters: the network's, then the gate's."""

    def __init__(self, dataset: FusionDataset, hidden: int) -> None:
        self._names = len(dataset.list_names)
        raw = self._records(dataset)
        self._center = raw.mean(axis=0)
        self._spread = np.where(raw.std(axis=0) > 0, raw.std(axis=0), 1.0)
        self._network = Network(inputs=raw.shape[1] + self._names, hidden=hidden)

    def start(self, random: np.random.Generator) -> Floats:
        """Return random parameters of the network, and a gate that favors no list."""
        return np.concatenate((self._network.start(random), np.zeros(self._names + 2)))

    def inputs(self, dataset: FusionDataset) -> MergeInputs:
        """Return the inputs of records and lists."""
        sizes = np.diff(dataset.offsets)
        cells = np.repeat(np.arange(sizes.size), sizes)
        records = (self._records(dataset) - self._center) / self._spread
        which = np.eye(self._names)
        tops = np.zeros(sizes.size)
        tops[sizes > 0] = records[dataset.offsets[:-1][sizes > 0], 0]
        lists = np.column_stack(
            (np.tile(which, (sizes.size // self._names, 1)), tops, np.log1p(sizes) / 5)
        )
        return MergeInputs(
            records=np.column_stack((records, which[cells % self._names])),
            lists=lists,
            cells=cells,
            empty=sizes == 0,
        )

    def predict(self, parameters: Floats, inputs: MergeInputs) -> Floats:
        """Return each record's merged score."""
        network, gate = self._parts(parameters)
        answers = self._positive(self._network.predict(network, inputs.records))
        return np.asarray(self._gates(gate, inputs)[inputs.cells] * answers, np.float64)

    def gradient(self, parameters: Floats, inputs: MergeInputs, pulls: Floats) -> Floats:
        """Return the gradient of sum of pulls * log score."""
        network, gate = self._parts(parameters)
        answers = self._network.predict(network, inputs.records)
        gates = self._gates(gate, inputs)
        # log score = log gate + log positive(answer)
        slopes = 1 / (1 + np.exp(-answers)) / self._positive(answers)
        inner = self._network.gradient(network, inputs.records, pulls * slopes)
        by_list = np.bincount(inputs.cells, pulls, gates.size).reshape(-1, self._names)
        shares = gates.reshape(by_list.shape)
        back = by_list - shares * by_list.sum(axis=1, keepdims=True)
        return np.concatenate((inner, back.ravel() @ inputs.lists))

    def _gates(self, gate: Floats, inputs: MergeInputs) -> Floats:
        raised = np.where(inputs.empty, -np.inf, inputs.lists @ gate).reshape(-1, self._names)
        highest = raised.max(axis=1, keepdims=True)
        powers = np.exp(raised - np.where(np.isfinite(highest), highest, 0.0))
        sums = powers.sum(axis=1, keepdims=True)
        return np.asarray((powers / np.where(sums > 0, sums, 1.0)).ravel(), np.float64)

    def _parts(self, parameters: Floats) -> tuple[Floats, Floats]:
        return parameters[: self._network.size], parameters[self._network.size :]

    @staticmethod
    def _positive(answers: Floats) -> Floats:
        return np.asarray(np.logaddexp(0.0, answers) + 1e-6, np.float64)

    @staticmethod
    def _records(dataset: FusionDataset) -> Table:
        bits = in_bits(dataset)
        ranks = np.log(ranks_in_lists(dataset))
        return np.column_stack((bits.scores, normalize(bits, "z"), ranks))

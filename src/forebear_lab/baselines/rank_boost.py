"""RankBoost: thresholds on scores, each added for the pairs that are still wrong.

A weak ranker says 1 for records of list j that score above a threshold, else 0.  Every pair of
a relevant and an irrelevant record of a query has a weight, exp(H(irrelevant) - H(relevant)),
and the weak ranker with the greatest |r|,

    r = sum of weight * (h(relevant) - h(irrelevant)) / sum of weights

is added with the weight 1/2 ln((1 + r) / (1 - r)) (Freund, Iyer, Schapire and Singer 2003).

RankLib stops after 300 rounds, which is far from the end.  Here a fifth of the queries is held
out, and the round that ranks them best is used.

H is constant between thresholds, and pair weights are products; so a query is counts of records
by list and step, and a round is some matrix products.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
    query_offsets,
    sample_queries,
)

POINTS = 14  # of the curve


@dataclass(frozen=True, slots=True, kw_only=True)
class RankBoost:
    """Learn a staircase per list by boosting."""

    seed: int
    queries: int = 2000  # sampled at most
    rounds: int = 30_000
    thresholds: int = 40  # for each list; RankLib has 10

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Boost thresholds on the lists' scores."""
        train, held = hold_out(sample_queries(dataset, self.queries, self.seed), self.seed)
        borders = list_thresholds(train, self.thresholds)
        noted = {1, 10, 100, *np.linspace(1, self.rounds, POINTS).astype(int).tolist()}
        tables = _boost(train, steps_of(train, borders), borders.shape, sorted(noted))
        values = [_values(part, steps_of(part, borders), tables) for part in (train, held)]
        curve = tuple(
            CurvePoint(work=number, train=seen, held=unseen)
            for number, seen, unseen in zip(tables, *values, strict=True)
        )
        table = tables[best_work(curve)]
        return Fitted(
            score=lambda lists: table.ravel()[steps_of(lists, borders)],
            curve=curve,
            unit="rounds",
            settings={
                "queries": self.queries,
                "held out": HELD,
                "rounds": self.rounds,
                "kept": best_work(curve),
                "thresholds": self.thresholds,
            },
        )


def _values(
    part: FusionDataset, steps: NDArray[np.int64], tables: Mapping[int, Floats]
) -> list[float]:
    measured = MeasuredLists(part)
    return [float(measured.ndcg(table.ravel()[steps]).mean()) for table in tables.values()]


def list_thresholds(dataset: FusionDataset, count: int) -> NDArray[np.float64]:
    """Return thresholds for each list: quantiles of its scores, denser where relevant ones are."""
    lists = dataset.lists_of_records()
    shares = np.linspace(0, 1, count // 2 + 2)[1:-1]
    rows = []
    for number in range(len(dataset.list_names)):
        scores = dataset.scores[lists == number].astype(np.float64)
        relevant = scores[dataset.labels[lists == number] > 0]
        parts = [np.quantile(part, shares) for part in (scores, relevant) if part.size]
        row = np.sort(np.concatenate(parts)) if parts else np.zeros(0)
        rows.append(np.pad(row, (0, 2 * shares.size - row.size), constant_values=np.inf))
    return np.stack(rows)


def steps_of(dataset: FusionDataset, borders: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return each record's place in the table of lists and steps, flattened."""
    lists = dataset.lists_of_records()
    steps = np.zeros(lists.size, np.int64)
    for number, row in enumerate(borders):
        mine = np.flatnonzero(lists == number)
        steps[mine] = np.searchsorted(row, dataset.scores[mine], side="left")
    return np.asarray(lists * (borders.shape[1] + 1) + steps, np.int64)


def _boost(
    dataset: FusionDataset, steps: NDArray[np.int64], shape: tuple[int, ...], noted: Sequence[int]
) -> dict[int, Floats]:
    """Return the table of H after each of the noted rounds; training ends with the last."""
    width = shape[1] + 1
    right, wrong = _counts(dataset, steps, shape[0] * width)
    table = np.zeros((shape[0], width))
    tables: dict[int, Floats] = {}
    for number in range(1, noted[-1] + 1):
        merits = pair_merits(table.ravel(), right, wrong).reshape(table.shape)
        above = np.cumsum(merits[:, ::-1], axis=1)[:, ::-1][:, 1:]  # of all steps past a border
        best = np.unravel_index(int(np.argmax(np.abs(above))), above.shape)
        r = float(np.clip(above[best], -1 + 1e-9, 1 - 1e-9))
        table[best[0], best[1] + 1 :] += 0.5 * np.log((1 + r) / (1 - r))
        if number in noted:
            tables[number] = table.copy()
    return tables


def pair_merits(heights: Floats, right: Floats, wrong: Floats) -> Floats:
    """Return, for each step, the weighted share of pairs it wins minus the share it loses.

    ``right`` and ``wrong`` count relevant and irrelevant records, by query (row) and step (column).
    """
    low, high = np.exp(-heights), np.exp(heights)
    relevant, irrelevant = right @ low, wrong @ high
    total = float(relevant @ irrelevant)
    return np.asarray((low * (irrelevant @ right) - high * (relevant @ wrong)) / total)


def _counts(dataset: FusionDataset, steps: NDArray[np.int64], width: int) -> tuple[Floats, Floats]:
    sizes = np.diff(query_offsets(dataset))
    places = np.repeat(np.arange(sizes.size), sizes) * width + steps
    relevant = dataset.labels > 0
    right = np.bincount(places[relevant], minlength=sizes.size * width).reshape(-1, width)
    wrong = np.bincount(places[~relevant], minlength=sizes.size * width).reshape(-1, width)
    return right.astype(np.float64), wrong.astype(np.float64)

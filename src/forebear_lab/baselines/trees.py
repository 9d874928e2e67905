"""How well do trees rank: LambdaMART, MART and a random forest by LightGBM?

On lists, the features are the paper's: one column per list, holding the score of the list's records
and nothing for others; as a sparse table it costs one number per record. More trees always fit the
training queries better, so a fifth of the queries is held out and decides how many trees are used.

On records of every list at once, the features are the clauses of a record, the number of its list,
and the score that the engine's model gives it. So trees start from what the engine knows, and may
use any clause of any list (Wu, Burges, Svore and Gao, Adapting boosting for information retrieval
measures, 2010).

LightGBM is optional (`pip install 'forebear[lab]'`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats, Integers
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

POINTS = 8  # of the curve
CLAUSE_TREES = 150
CLAUSE_PATIENCE = 30  # trees without a gain on the queries held out, after which no more are tried
CLAUSE_SETTINGS = {
    "objective": "lambdarank",
    "label_gain": [0, 1],
    "lambdarank_truncation_level": 100,
    "metric": "ndcg",
    "eval_at": [100],
    "num_leaves": 10,
    "learning_rate": 0.1,
    "min_data_in_leaf": 20,
    "verbosity": -1,
    "num_threads": 1,
    "deterministic": True,
}


def fit_trees(
    dataset: FusionDataset, parameters: Mapping[str, Any], *, trees: int, queries: int, seed: int
) -> Fitted:
    """Train trees on a sample of the queries, and use as many as do best on those held out."""
    sample = sample_queries(dataset, queries, seed)
    train, held = hold_out(sample, seed)
    settings = {"num_leaves": 10, "learning_rate": 0.2, **parameters}
    booster = _train(train, settings, trees, seed)
    curve = _curve(booster, sample_queries(train, len(held.query_ids), seed), held, trees)
    best = best_work(curve)

    def score(lists: FusionDataset) -> Floats:
        return _Distinct(lists).predict(booster, best)

    return Fitted(
        score=score,
        curve=curve,
        unit="trees",
        settings={"trees": trees, "kept": best, "queries": queries, "held out": HELD}
        | {name: str(value) for name, value in settings.items()},
    )


def sparse_columns(dataset: FusionDataset) -> csr_matrix:
    """Return, for each record, its score in the column of its list."""
    lists = dataset.lists_of_records().astype(np.int32)
    rows = np.arange(lists.size + 1, dtype=np.int32)
    shape = (lists.size, len(dataset.list_names))
    return csr_matrix(csr_array((dataset.scores, lists, rows), shape=shape))


def _train(dataset: FusionDataset, settings: Mapping[str, Any], trees: int, seed: int) -> Any:
    lightgbm = load_lightgbm()
    data = lightgbm.Dataset(
        sparse_columns(dataset),
        label=np.minimum(dataset.labels, 1),
        group=np.diff(query_offsets(dataset)),
        params={"verbosity": -1},
    )
    quiet = {"verbosity": -1, "num_threads": 1, "seed": seed, "deterministic": True}
    return lightgbm.train({**settings, **quiet}, data, num_boost_round=trees)


def _curve(
    booster: Any, train: FusionDataset, held: FusionDataset, trees: int
) -> tuple[CurvePoint, ...]:
    counts = sorted({1, *np.linspace(1, trees, POINTS).astype(int).tolist()})
    values = []
    for lists in (train, held):
        measured, distinct = MeasuredLists(lists), _Distinct(lists)
        values.append([measured.ndcg(distinct.predict(booster, n)).mean() for n in counts])
    return tuple(
        CurvePoint(work=count, train=float(seen), held=float(unseen))
        for count, seen, unseen in zip(counts, *values, strict=True)
    )


class _Distinct:
    """The records that trees can distinguish: each score of each list once."""

    def __init__(self, dataset: FusionDataset) -> None:
        pairs = np.stack((dataset.lists_of_records().astype(np.float64), dataset.scores))
        order = np.lexsort(pairs[::-1])
        new = (np.diff(pairs[:, order], prepend=np.nan) != 0).any(axis=0)
        self._places = np.empty(order.size, np.int64)
        self._places[order] = np.cumsum(new) - 1
        firsts = order[new]
        rows = np.arange(firsts.size + 1, dtype=np.int32)
        lists = pairs[0, firsts].astype(np.int32)
        shape = (firsts.size, len(dataset.list_names))
        self._columns = csr_matrix(csr_array((dataset.scores[firsts], lists, rows), shape=shape))

    def predict(self, booster: Any, trees: int) -> Floats:
        scores = booster.predict(self._columns, num_iteration=trees, num_threads=1)
        return np.asarray(scores, np.float64)[self._places]


def load_lightgbm() -> Any:
    """Return LightGBM, or say how to install it."""
    try:
        import lightgbm
    except ImportError as error:
        raise InputError(
            "this learner is LightGBM's, which is not installed",
            hint="pip install 'forebear[lab]', or leave the learner out with --methods",
        ) from error
    return lightgbm


@dataclass(frozen=True, slots=True, kw_only=True)
class LambdaMart:
    """Boosted trees that follow LambdaRank's gradients (Wu, Burges, Svore and Gao 2010).

    They aim at NDCG@100; LightGBM's usual truncation at 30 would aim at less.
    """

    seed: int
    queries: int = 300  # sampled at most
    trees: int = 150

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train the trees."""
        parameters = {
            "objective": "lambdarank",
            "label_gain": [0, 1],
            "lambdarank_truncation_level": 100,
        }
        return fit_trees(
            dataset, parameters, trees=self.trees, queries=self.queries, seed=self.seed
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Mart:
    """Boosted regression trees on the labels, record by record (Friedman 2001)."""

    seed: int
    queries: int = 300  # sampled at most
    trees: int = 150

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train the trees."""
        return fit_trees(
            dataset,
            {"objective": "regression"},
            trees=self.trees,
            queries=self.queries,
            seed=self.seed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomForest:
    """A random forest: large trees on random parts of records and features, averaged.

    LightGBM's `boosting=rf`: every tree on 63 % of the records, as sampling with replacement
    leaves, and 30 % of the features, with 100 leaves, as in RankLib (Breiman 2001).
    """

    seed: int
    queries: int = 300  # sampled at most
    trees: int = 80

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train the trees."""
        parameters = {
            "objective": "regression",
            "boosting": "rf",
            "bagging_freq": 1,
            "bagging_fraction": 0.632,
            "feature_fraction": 0.3,
            "num_leaves": 100,
        }
        return fit_trees(
            dataset, parameters, trees=self.trees, queries=self.queries, seed=self.seed
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClauseTrees:
    """Trained trees."""

    booster: Any

    def scores(self, features: csr_matrix) -> Floats:
        """Return the score of each record."""
        return np.asarray(self.booster.predict(features, num_threads=1), np.float64)


def fit_clause_trees(
    features: csr_matrix, right: NDArray[np.bool_], offsets: Integers, *, seed: int
) -> ClauseTrees:
    """Learn trees; query q has the records ``offsets[q]:offsets[q + 1]``."""
    lightgbm = load_lightgbm()
    order = np.random.default_rng(seed).permutation(offsets.size - 1)
    held = np.sort(order[: max(1, round(HELD * order.size))])
    learned = np.sort(order[held.size :])
    train, judge = (
        _dataset(lightgbm, features, right, offsets, queries) for queries in (learned, held)
    )
    booster = lightgbm.train(
        {**CLAUSE_SETTINGS, "seed": seed},
        train,
        num_boost_round=CLAUSE_TREES,
        valid_sets=[judge],
        callbacks=[lightgbm.early_stopping(CLAUSE_PATIENCE, verbose=False)],
    )
    return ClauseTrees(booster=booster)


def _dataset(
    lightgbm: Any,
    features: csr_matrix,
    right: NDArray[np.bool_],
    offsets: Integers,
    queries: Integers,
) -> Any:
    rows = np.concatenate([np.arange(offsets[query], offsets[query + 1]) for query in queries])
    return lightgbm.Dataset(
        features[rows],
        label=right[rows].astype(np.int32),
        group=np.diff(offsets)[queries],
        params={"verbosity": -1},
    )

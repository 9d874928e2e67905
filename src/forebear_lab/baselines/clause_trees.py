"""LambdaMART on the clauses of every record of every list at once.

The features of a record are its clauses, the number of its list, and the score that the engine's
model gives it.  So trees start from what the engine knows, and may use any clause of any list
(Wu, Burges, Svore and Gao, Adapting boosting for information retrieval measures, 2010).  A fifth of
the queries is held out and decides how many trees are used.

LightGBM is optional (`pip install 'forebear[lab]'`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from forebear.kernels.ndcg import Floats, Integers
from forebear_lab.baselines.fuser import HELD
from forebear_lab.baselines.trees import load_lightgbm

TREES = 150
WAIT = 30  # trees without a gain on the queries held out, after which no more are tried
SETTINGS = {
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
        {**SETTINGS, "seed": seed},
        train,
        num_boost_round=TREES,
        valid_sets=[judge],
        callbacks=[lightgbm.early_stopping(WAIT, verbose=False)],
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

"""Where coordinate ascent starts: equal weights, weights drawn, or weights read from the labels.

A feature seen only on relevant records deserves a high weight, one seen only on
irrelevant records a low one.  Starting there instead of at equal weights is the
whole of the paper's "customized" coordinate ascent (section 3.1), and it needs
one pass over the data.  The logarithm of the two frequencies' ratio is as cheap, and signed:
a feature that speaks against a record starts below 0.

The paper's features all speak for a record.  Where some speak against it, ``signs`` says
so with -1, and such a feature starts at the paper's value minus 1: at -1 if it fires on
irrelevant records only, near 0 if it fires on relevant ones.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import Features, RankingDataset
from forebear.learning.listwise_softmax import softmax_weights
from forebear.learning.pairwise_ridge import ridge_weights

UNSEEN_WEIGHT = 0.5  # a feature that never fires tells us nothing either way

Weights = NDArray[np.float64]
Signs = NDArray[np.integer[Any]]  # 1 or -1 for each feature
Start = Callable[[RankingDataset, Signs | None, int], Weights]


def start_weights(
    start: str | Weights, dataset: RankingDataset, signs: Signs | None, *, seed: int
) -> Weights:
    """Return the weights to start from, given by name or themselves; none against its sign."""
    if isinstance(start, str):
        if start not in STARTS:
            raise InputError(f"no start is called {start!r}", hint=f"known: {', '.join(STARTS)}")
        weights = STARTS[start](dataset, signs, seed)
    else:
        weights = start
    names = len(dataset.feature_names)
    if weights.shape != (names,):
        raise InputError(f"{weights.size} weights to start from, but {names} features")
    return weights if signs is None else np.where(weights * signs > 0, weights, 0.0)


def uniform_weights(feature_count: int, signs: Signs | None = None) -> Weights:
    """Return equal weights whose sizes sum to 1."""
    weights = np.full(feature_count, 1 / max(1, feature_count))
    return weights if signs is None else weights * check_signs(signs, feature_count)


def random_weights(feature_count: int, seed: int, signs: Signs | None = None) -> Weights:
    """Return weights drawn evenly from -1 to 1, or from 0 to each one's sign."""
    drawn = np.random.default_rng(seed).uniform(-1, 1, feature_count)
    return drawn if signs is None else np.abs(drawn) * check_signs(signs, feature_count)


def frequency_weights(
    features: Features, relevant: NDArray[np.bool_], signs: Signs | None = None
) -> Weights:
    """Return, for each feature, the share of its firings that are on relevant records.

    ``features`` has one row for each record and one column for each feature;
    ``relevant`` has one entry for each record.
    """
    fired, fired_relevant = _count_firings(features, relevant, "customized")
    weights = np.full(features.shape[1], UNSEEN_WEIGHT)
    np.divide(fired_relevant, fired, out=weights, where=fired > 0)
    if signs is None:
        return weights
    return weights - (check_signs(signs, features.shape[1]) < 0)


def log_odds_weights(features: Features, relevant: NDArray[np.bool_]) -> Weights:
    """Return log2 of how much likelier each feature fires on a relevant record.

    Both frequencies are taken with one firing more and two records more than were seen
    (Laplace), so a feature that never fired weighs little.
    """
    fired, fired_relevant = _count_firings(features, relevant, "log_odds")
    count = int(relevant.sum())
    with_it = (fired_relevant + 1) / (count + 2)
    against = (fired - fired_relevant + 1) / (relevant.size - count + 2)
    return np.asarray(np.log2(with_it / against), np.float64)


def check_signs(signs: Signs, feature_count: int) -> Signs:
    """Return the signs if there is a +1 or a -1 for every feature."""
    if signs.shape != (feature_count,) or not np.isin(signs, (1, -1)).all():
        raise InputError(f"signs must be {feature_count} numbers, each 1 or -1")
    return signs


def _count_firings(
    features: Features, relevant: NDArray[np.bool_], start: str
) -> tuple[Weights, Weights]:
    if features.dtype != np.bool_:
        raise InputError(
            f"the {start} start counts how often features fire, but these are real numbers",
            hint="start from uniform, random, ridge or softmax instead",
        )
    if features.shape[0] != relevant.shape[0]:
        raise InputError(f"{features.shape[0]} records but {relevant.shape[0]} labels")
    fired = features.sum(axis=0, dtype=np.float64)
    return fired, features[relevant].sum(axis=0, dtype=np.float64)


STARTS: dict[str, Start] = {
    "uniform": lambda data, signs, _: uniform_weights(len(data.feature_names), signs),
    "random": lambda data, signs, seed: random_weights(len(data.feature_names), seed, signs),
    "customized": lambda data, signs, _: frequency_weights(data.features, data.labels > 0, signs),
    "log_odds": lambda data, _, __: log_odds_weights(data.features, data.labels > 0),
    "ridge": lambda data, _, __: ridge_weights(data),
    "softmax": lambda data, _, __: softmax_weights(data),
}

"""Where does coordinate ascent start?  At equal or random weights, or at weights from the labels.

``customized``, the paper's start (section 3.1), gives each feature the share of its firings that
are on relevant records, in one pass over the data.  ``log_odds`` takes the logarithm of the two
frequencies' ratio, which is as cheap, and signed.  ``ridge`` and ``softmax`` minimize a convex
loss over pairs and over lists, and start near the end.

The paper's features all speak for a record.  Where a feature speaks against it, ``signs`` has -1,
and the feature starts at the paper's value minus 1: at -1 if it fires on irrelevant records only,
near 0 if it fires on relevant ones.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from forebear.errors import InputError
from forebear.kernels.regression import list_loss, present_features, weighted_squares, weighted_sums
from forebear.learning.dataset import Features, RankingDataset, feature_scales

UNSEEN_WEIGHT = 0.5  # a feature that never fires is evidence of nothing
PAIR_RIDGE = 0.01  # relative to the mean of the diagonal of A
LIST_RIDGE = 10.0  # beside a sum over hundreds of queries
ACCURACY = 1e-6  # of the listwise loss, relative; a start need not be better

Weights = NDArray[np.float64]
Signs = NDArray[np.integer[Any]]  # 1 or -1 for each feature
Start = Callable[[RankingDataset, Signs | None, int], Weights]


def start_weights(
    start: str | Weights, dataset: RankingDataset, signs: Signs | None, *, seed: int
) -> Weights:
    """Return the weights to start from, given by name or as they are; none against its sign."""
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
    """Return random weights from -1 to 1, or from 0 to each one's sign."""
    weights = np.random.default_rng(seed).uniform(-1, 1, feature_count)
    return weights if signs is None else np.abs(weights) * check_signs(signs, feature_count)


def frequency_weights(
    features: Features,
    relevant: NDArray[np.bool_],
    signs: Signs | None = None,
    *,
    record_weights: Weights | None = None,
) -> Weights:
    """Return, for each feature, the share of its firings that are on relevant records.

    ``features`` has one row for each record and one column for each feature;
    ``relevant`` and ``record_weights`` have one entry for each record.
    """
    fired, fired_relevant = _count_firings(features, relevant, "customized", record_weights)
    weights = np.full(features.shape[1], UNSEEN_WEIGHT)
    np.divide(fired_relevant, fired, out=weights, where=fired > 0)
    if signs is None:
        return weights
    return weights - (check_signs(signs, features.shape[1]) < 0)


def log_odds_weights(
    features: Features, relevant: NDArray[np.bool_], *, record_weights: Weights | None = None
) -> Weights:
    """Return log2 of how much likelier each feature fires on a relevant record.

    Both frequencies are taken with one firing more and two records more than were seen
    (Laplace), so a feature that never fired weighs little.
    """
    fired, fired_relevant = _count_firings(features, relevant, "log_odds", record_weights)
    counted = np.ones(relevant.size) if record_weights is None else record_weights
    count = float(counted[relevant].sum())
    with_it = (fired_relevant + 1) / (count + 2)
    against = (fired - fired_relevant + 1) / (float(counted.sum()) - count + 2)
    return np.asarray(np.log2(with_it / against), np.float64)


def check_signs(signs: Signs, feature_count: int) -> Signs:
    """Return the signs if there is a +1 or a -1 for every feature."""
    if signs.shape != (feature_count,) or not np.isin(signs, (1, -1)).all():
        raise InputError(f"signs must be {feature_count} numbers, each 1 or -1")
    return signs


def _count_firings(
    features: Features, relevant: NDArray[np.bool_], start: str, record_weights: Weights | None
) -> tuple[Weights, Weights]:
    if features.dtype != np.bool_:
        raise InputError(
            f"the {start} start counts how often features fire, but these are real numbers",
            hint="start from uniform, random, ridge or softmax instead",
        )
    if features.shape[0] != relevant.shape[0]:
        raise InputError(f"{features.shape[0]} records but {relevant.shape[0]} labels")
    if record_weights is None:
        fired = features.sum(axis=0, dtype=np.float64)
        return fired, features[relevant].sum(axis=0, dtype=np.float64)
    return record_weights @ features, record_weights[relevant] @ features[relevant]


def _weights_of(dataset: RankingDataset) -> Weights | None:
    return None if dataset.given_weights is None else dataset.record_weights


def _unweighted(dataset: RankingDataset) -> RankingDataset:
    if dataset.given_weights is not None:
        raise InputError(
            "this start counts every query alike, but these have weights",
            hint="start from customized, log_odds, uniform or random instead",
        )
    return dataset


STARTS: dict[str, Start] = {
    "uniform": lambda data, signs, _: uniform_weights(len(data.feature_names), signs),
    "random": lambda data, signs, seed: random_weights(len(data.feature_names), seed, signs),
    "customized": lambda data, signs, _: frequency_weights(
        data.features, data.labels > 0, signs, record_weights=_weights_of(data)
    ),
    "log_odds": lambda data, _, __: log_odds_weights(
        data.features, data.labels > 0, record_weights=_weights_of(data)
    ),
    "ridge": lambda data, _, __: ridge_weights(_unweighted(data)),
    "softmax": lambda data, _, __: softmax_weights(_unweighted(data)),
}


def ridge_weights(dataset: RankingDataset, *, ridge: float = PAIR_RIDGE) -> Weights:
    """Return the weights with the least squared shortfall over all pairs, in closed form.

    Within each query every relevant record r should beat every irrelevant record o by 1, and the
    shortfall is squared, whatever its sign:

        sum over queries of the mean over pairs of (1 - w·(x_r - x_o))²  +  ridge * |w|²

    It is least where A w = b.  The pairs need not be listed: with r̄ and ō the means of a query's
    relevant and irrelevant records,

        A = sum of  mean(x_r x_r') + mean(x_o x_o') - r̄ ō' - ō r̄'      b = sum of  r̄ - ō

    Where labels have several grades, the sum runs over the grades too, and a record is relevant
    if it has at least that grade.
    """
    count = len(dataset.feature_names)
    scales = feature_scales(dataset)
    matrix, vector = np.zeros((count, count)), np.zeros(count)
    for grade in np.unique(dataset.labels[dataset.labels > 0]):
        part, side = _normal_equations(dataset, dataset.labels >= grade)
        matrix += part / np.outer(scales, scales)
        vector += side / scales
    # Without any pair the matrix is 0; a pull of 1 then makes the weights 0.
    pull = ridge * float(np.trace(matrix)) / max(1, count) or 1.0
    solved = np.linalg.solve(matrix + pull * np.eye(count), vector)
    return np.asarray(solved / scales, np.float64)


def _normal_equations(
    dataset: RankingDataset, relevant: NDArray[np.bool_]
) -> tuple[Weights, Weights]:
    sizes = np.diff(dataset.offsets)
    owners = np.repeat(np.arange(sizes.size), sizes)
    hits = np.bincount(owners, relevant, sizes.size)
    # Each side of a query sums to 1; a query without a pair counts for nothing.
    paired = ((hits > 0) & (hits < sizes))[owners]
    shares = np.where(relevant, 1 / np.maximum(hits, 1)[owners], 0.0) * paired
    others = np.where(relevant, 0.0, 1 / np.maximum(sizes - hits, 1)[owners]) * paired
    better = weighted_sums(dataset.features, shares, dataset.offsets)
    worse = weighted_sums(dataset.features, others, dataset.offsets)
    crossed = better.T @ worse
    squares = weighted_squares(dataset.features, shares + others)
    return squares - crossed - crossed.T, (better - worse).sum(axis=0)


def softmax_weights(dataset: RankingDataset, *, ridge: float = LIST_RIDGE) -> Weights:
    """Return the weights with the least cross entropy over whole lists.

    The scores of a query's records, through a softmax, are read as the chance that each is the
    right one; the loss is the cross entropy between that and the labels, each divided by their sum
    (ListNet with top-one probabilities: Cao et al. 2007).  For linear scores it is convex:

        sum over queries of  log sum exp(w·x) - sum of y·(w·x)  +  ridge * |w|² / 2
    """
    scales = feature_scales(dataset)
    starts, columns, values = present_features(dataset.features, scales)
    sizes = np.diff(dataset.offsets)
    owners = np.repeat(np.arange(sizes.size), sizes)
    totals = np.bincount(owners, dataset.labels, sizes.size)
    targets = dataset.labels / np.maximum(totals, 1)[owners]  # all 0 if nothing is relevant

    def loss(weights: Weights) -> tuple[float, Weights]:
        entropy, slope = list_loss(starts, columns, values, dataset.offsets, targets, weights)
        return entropy + ridge / 2 * float(weights @ weights), slope + ridge * weights

    start = np.zeros(len(dataset.feature_names))
    minimum = minimize(loss, start, jac=True, method="L-BFGS-B", options={"ftol": ACCURACY})
    return np.asarray(minimum.x, np.float64) / scales

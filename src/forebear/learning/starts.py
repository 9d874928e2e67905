"""Where coordinate ascent starts: equal weights, or weights guessed from the labels.

A feature seen only on relevant records deserves a high weight, one seen only on
irrelevant records a low one.  Starting there instead of at equal weights is the
whole of the paper's "customized" coordinate ascent (section 3.1), and it needs
one pass over the data.

The paper's features all speak for a record.  Where some speak against it, ``signs`` says
so with -1, and such a feature starts at the paper's value minus 1: at -1 if it fires on
irrelevant records only, near 0 if it fires on relevant ones.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import RankingDataset

UNSEEN_WEIGHT = 0.5  # a feature that never fires tells us nothing either way

Signs = NDArray[np.integer[Any]]  # 1 or -1 for each feature
Start = Callable[[RankingDataset, Signs | None], NDArray[np.float64]]


def uniform_weights(feature_count: int, signs: Signs | None = None) -> NDArray[np.float64]:
    """Return equal weights whose sizes sum to 1."""
    weights = np.full(feature_count, 1 / max(1, feature_count))
    return weights if signs is None else weights * check_signs(signs, feature_count)


def frequency_weights(
    features: NDArray[np.bool_], relevant: NDArray[np.bool_], signs: Signs | None = None
) -> NDArray[np.float64]:
    """Return, for each feature, the share of its firings that are on relevant records.

    ``features`` has one row for each record and one column for each feature;
    ``relevant`` has one entry for each record.
    """
    if features.shape[0] != relevant.shape[0]:
        raise InputError(f"{features.shape[0]} records but {relevant.shape[0]} labels")
    fired = features.sum(axis=0, dtype=np.float64)
    fired_relevant = features[relevant].sum(axis=0, dtype=np.float64)
    weights = np.full(features.shape[1], UNSEEN_WEIGHT)
    np.divide(fired_relevant, fired, out=weights, where=fired > 0)
    if signs is None:
        return weights
    return weights - (check_signs(signs, features.shape[1]) < 0)


def check_signs(signs: Signs, feature_count: int) -> Signs:
    """Return the signs if there is a +1 or a -1 for every feature."""
    if signs.shape != (feature_count,) or not np.isin(signs, (1, -1)).all():
        raise InputError(f"signs must be {feature_count} numbers, each 1 or -1")
    return signs


STARTS: dict[str, Start] = {
    "uniform": lambda data, signs: uniform_weights(len(data.feature_names), signs),
    "customized": lambda data, signs: frequency_weights(data.features, data.labels > 0, signs),
}

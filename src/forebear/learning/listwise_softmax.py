"""Weights from whole lists: the convex start.

The scores of a query's records, through a softmax, are read as the chance that each is the
one that is wanted; the loss is the cross entropy between that and the labels, each divided by
their sum (ListNet with top-one probabilities: Cao et al. 2007).  For linear scores it is
convex, so L-BFGS finds its one minimum:

    sum over queries of  log sum exp(w·x) - sum of y·(w·x)  +  ridge * |w|² / 2
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from forebear.kernels.list_loss import list_loss, present_features
from forebear.learning.dataset import RankingDataset, feature_scales

RIDGE = 10.0  # beside a sum over hundreds of queries
ACCURACY = 1e-6  # of the loss, relative; a start need not be better


def softmax_weights(dataset: RankingDataset, *, ridge: float = RIDGE) -> NDArray[np.float64]:
    """Return the weights with the least cross entropy."""
    scales = feature_scales(dataset)
    starts, columns, values = present_features(dataset.features, scales)
    targets = _shares(dataset)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        entropy, slope = list_loss(starts, columns, values, dataset.offsets, targets, weights)
        return entropy + ridge / 2 * float(weights @ weights), slope + ridge * weights

    start = np.zeros(len(dataset.feature_names))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"ftol": ACCURACY})
    return np.asarray(found.x, np.float64) / scales


def _shares(dataset: RankingDataset) -> NDArray[np.float64]:
    """Return each label over the sum of its query's; 0 in a query without a relevant record."""
    sizes = np.diff(dataset.offsets)
    owners = np.repeat(np.arange(sizes.size), sizes)
    totals = np.bincount(owners, dataset.labels, sizes.size)
    return dataset.labels / np.maximum(totals, 1)[owners]

"""The sum of records' outer products, each weighted: what closed-form regressions solve.

Most binary features are absent from most records, so the products of those present are
added one by one; a dense matrix product would mostly add zeros.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats


@compiled
def weighted_squares(features: NDArray[np.bool_] | Floats, weights: Floats) -> Floats:
    """Return the sum over records of weight * x x', for x the record's row of features."""
    count = features.shape[1]
    total = np.zeros((count, count))
    present = np.empty(count, np.int64)
    for record in range(features.shape[0]):
        if weights[record] != 0:
            found = 0
            for feature in range(count):
                present[found] = feature
                found += features[record, feature] != 0
            for place in range(found):
                row = present[place]
                worth = weights[record] * features[record, row]
                for column in present[: place + 1]:  # all of the lower half; the matrix is even
                    total[row, column] += worth * features[record, column]
    for row in range(count):
        for column in range(row):
            total[column, row] = total[row, column]
    return total


@compiled
def weighted_sums(
    features: NDArray[np.bool_] | Floats, weights: Floats, offsets: NDArray[np.int64]
) -> Floats:
    """Return, for each query, the sum over its records of weight * x."""
    sums = np.zeros((offsets.size - 1, features.shape[1]))
    for query in range(offsets.size - 1):
        for record in range(offsets[query], offsets[query + 1]):
            if weights[record] != 0:
                for feature in range(features.shape[1]):
                    sums[query, feature] += weights[record] * features[record, feature]
    return sums

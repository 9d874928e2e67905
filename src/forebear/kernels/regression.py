"""How are regressions over millions of records summed?  In one pass, without temporary arrays.

A logistic regression needs the loss, its gradient and its second derivatives; a closed-form
regression needs weighted sums of products; a listwise loss needs the cross entropy of whole lists.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def logistic_sums(
    scores: Floats,
    rows: Integers,
    facts: Floats,
    targets: Floats,
    weights: Floats,
    coefficients: Floats,
) -> tuple[float, Floats, Floats]:
    """Return the loss, its gradient and its second derivatives.

    The columns are the score, 1, and the facts of the record's row: ``rows`` says which row of
    ``facts`` each record has.  The loss is the cross entropy between targets and estimates,
    each record counted as many times as its weight says.
    """
    size = coefficients.size
    loss = 0.0
    gradient, curvature = np.zeros(size), np.zeros((size, size))
    column = np.ones(size)
    for record in range(scores.size):
        column[0] = scores[record]
        logit = coefficients[0] * scores[record] + coefficients[1]
        for fact in range(2, size):
            column[fact] = facts[rows[record], fact - 2]
            logit += coefficients[fact] * column[fact]
        # exp of a negative number only: nothing overflows.
        power = np.exp(-abs(logit))
        chance = 1 / (1 + power) if logit > 0 else power / (1 + power)
        weight = weights[record]
        loss += weight * (np.log1p(power) + max(logit, 0.0) - targets[record] * logit)
        error, slack = weight * (chance - targets[record]), weight * chance * (1 - chance)
        for first in range(size):
            gradient[first] += error * column[first]
            for second in range(first + 1):
                curvature[first, second] += slack * column[first] * column[second]
    for first in range(size):
        for second in range(first):
            curvature[second, first] = curvature[first, second]
    return loss, gradient, curvature


# Weighted sums of outer products, which closed-form regressions solve.  Most binary features are
# absent from most records, so the products of those present are added one by one; a dense matrix
# product would mostly add zeros.


@compiled
def weighted_squares(features: NDArray[np.bool_] | Floats, weights: Floats) -> Floats:
    """Return the sum over records of weight * x x', for x the record's row of features."""
    count = features.shape[1]
    total = np.zeros((count, count))
    present = np.empty(count, np.int64)
    for record in range(features.shape[0]):
        if weights[record] != 0:
            width = 0
            for feature in range(count):
                present[width] = feature
                width += features[record, feature] != 0
            for place in range(width):
                row = present[place]
                worth = weights[record] * features[record, row]
                for column in present[: place + 1]:  # the lower half; the matrix is symmetric
                    total[row, column] += worth * features[record, column]
    for row in range(count):
        for column in range(row):
            total[column, row] = total[row, column]
    return total


@compiled
def weighted_sums(
    features: NDArray[np.bool_] | Floats, weights: Floats, offsets: Integers
) -> Floats:
    """Return, for each query, the sum over its records of weight * x."""
    sums = np.zeros((offsets.size - 1, features.shape[1]))
    for query in range(offsets.size - 1):
        for record in range(offsets[query], offsets[query + 1]):
            if weights[record] != 0:
                for feature in range(features.shape[1]):
                    sums[query, feature] += weights[record] * features[record, feature]
    return sums


# The cross entropy of whole lists under linear scores.  Features that are 0 are not stored: record
# r has the features ``columns[starts[r]:starts[r + 1]]`` with their ``values``.  Query q holds the
# records ``offsets[q]:offsets[q + 1]``; its ``targets`` sum to 1, or are all 0 where nothing is
# relevant, and then the query is skipped.


@compiled
def present_features(
    features: NDArray[np.bool_] | Floats, scales: Floats
) -> tuple[Integers, NDArray[np.int32], NDArray[np.float32]]:
    """Return where each record's features begin, their columns, and their values over scales."""
    starts = np.zeros(features.shape[0] + 1, np.int64)
    for record in range(features.shape[0]):
        size = 0
        for feature in range(features.shape[1]):
            size += features[record, feature] != 0
        starts[record + 1] = starts[record] + size
    # 32 bits each: the pass is as quick as these can be read from memory.
    columns, values = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
    for record in range(features.shape[0]):
        place = starts[record]
        for feature in range(features.shape[1]):
            if features[record, feature] != 0:
                columns[place] = feature
                values[place] = features[record, feature] / scales[feature]
                place += 1
    return starts, columns, values


@compiled
def list_loss(
    starts: Integers,
    columns: NDArray[np.int32],
    values: NDArray[np.float32],
    offsets: Integers,
    targets: Floats,
    weights: Floats,
) -> tuple[float, Floats]:
    """Return the sum over queries of log sum exp(score) - sum of target * score, and its slope."""
    loss, gradient = 0.0, np.zeros(weights.size)
    scores = np.empty(targets.size)
    for query in range(offsets.size - 1):
        first, last = offsets[query], offsets[query + 1]
        if not targets[first:last].any():
            continue
        highest = -np.inf
        for record in range(first, last):
            score = 0.0
            for place in range(starts[record], starts[record + 1]):
                score += values[place] * weights[columns[place]]
            scores[record] = score
            highest = max(highest, score)
        total = 0.0
        for record in range(first, last):
            loss -= targets[record] * scores[record]
            scores[record] = np.exp(scores[record] - highest)
            total += scores[record]
        loss += np.log(total) + highest
        for record in range(first, last):
            error = scores[record] / total - targets[record]
            for place in range(starts[record], starts[record + 1]):
                gradient[columns[place]] += error * values[place]
    return loss, gradient

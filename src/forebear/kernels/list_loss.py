"""The cross entropy of whole lists under linear scores, and its gradient, in one pass.

Records are kept without the features they lack: record r has the features
``columns[starts[r]:starts[r + 1]]`` with the values beside them, so a pass looks at nothing
that is 0.  Query q holds the records ``offsets[q]:offsets[q + 1]``; its ``targets`` sum to 1,
or are all 0 where nothing is relevant, and then the query says nothing.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def present_features(
    features: NDArray[np.bool_] | Floats, scales: Floats
) -> tuple[Integers, NDArray[np.int32], NDArray[np.float32]]:
    """Return where each record's features begin, which it has, and their values over scales."""
    starts = np.zeros(features.shape[0] + 1, np.int64)
    for record in range(features.shape[0]):
        found = 0
        for feature in range(features.shape[1]):
            found += features[record, feature] != 0
        starts[record + 1] = starts[record] + found
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

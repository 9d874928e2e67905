"""One Newton step of a logistic regression over millions of records.

The gradient and the second derivatives are summed in one pass, without the temporary arrays
that array expressions would write for each of them.
"""

import numpy as np

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

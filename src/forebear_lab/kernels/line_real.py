"""NDCG along one weight, everywhere at once: the line search for features that are numbers.

Each record moves at its own speed, the value of its feature, so a relevant record meets every
other record of its query at one step: where the gap between their scores is the step times
the difference of their values.  What it changes is counted by the bin of steps in which it
happens; a walk over the bins then knows the rank at every border.  `kernels/line_binary.py`
does the same for binary features, several times as fast, and explains the shapes.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def real_line(
    ranked: Integers,
    scores: Floats,
    gains: Floats,
    column: Floats,
    offsets: Integers,
    queries: Integers,
    ideals: Floats,
    discounts: Floats,
    low: float,
    width: float,
    count: int,
) -> Floats:
    """Return the sum of NDCG over these queries at each of ``count`` borders."""
    jumps = np.zeros(count)
    moves = np.empty(count + 1, np.int64)  # of the rank; the last is never looked at
    for query in queries:
        first, last = offsets[query], offsets[query + 1]
        for place in range(first, last):
            if gains[place] > 0:
                worth = gains[place] / ideals[query]
                rank, tied = _count_moves(
                    scores[first:last],
                    column,
                    ranked[first:last],
                    place - first,
                    low,
                    width,
                    moves,
                )
                earned = 0.0
                for border in range(count):
                    if border == 0 or moves[border] != 0:
                        rank += moves[border]
                        later = (discounts[rank + tied] - discounts[rank]) / tied
                        jumps[border] += worth * (later - earned)
                        earned = later
    return np.cumsum(jumps)


@compiled
def _count_moves(
    scores: Floats,
    column: Floats,
    ranked: Integers,
    place: int,
    low: float,
    width: float,
    moves: Integers,
) -> tuple[int, int]:
    """Count the moves of one record's rank; return its rank before all and how many tie.

    Records of one speed never meet: those above stay above, those tied stay tied.
    """
    moves[:] = 0
    rank = tied = 0
    beyond = moves.size - 1
    for other in range(scores.size):
        faster = column[ranked[place]] - column[ranked[other]]
        gap = scores[other] - scores[place]
        if faster == 0:
            rank += gap > 0
            tied += gap == 0
            continue
        met = np.ceil((gap / faster - low) / width)
        border = int(min(max(met, 0.0), float(beyond)))
        # A slower record lies above until they meet, a faster one from then on.
        rank += faster > 0
        moves[border] += -1 if faster > 0 else 1
    return rank, tied

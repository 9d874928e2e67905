"""The first records of fused lists in order, by merging: what a measure of diversity needs.

The head of each list is compared, the best is taken, and its list's next record becomes its
head.  With a decay, every record already taken from a list lowers what is left of it by as
much (in bits; as a factor on positive scores), which keeps each list's own order and makes the
lists alternate.

Shapes as in `kernels/fused_ndcg.py`; ``bounds`` says where each query's records go: as many of
the first as there are places.  Between equals the list that is named first goes first.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.fused_ndcg import Scores
from forebear.kernels.ndcg import Floats, Integers


@compiled
def fused_order(
    scores: Scores, offsets: Integers, shifts: Floats, bounds: Integers, decay: float
) -> Integers:
    """Return the records of each query in fused order."""
    count = shifts.shape[1]
    order = np.empty(bounds[-1], np.int64)
    heads = np.empty(count, np.int64)
    values = np.empty(count)
    for query in range(bounds.size - 1):
        row = shifts[query % shifts.shape[0]]
        for name in range(count):
            cell = query * count + name
            heads[name] = offsets[cell]
            values[name] = -np.inf
            if offsets[cell] < offsets[cell + 1]:
                values[name] = scores[heads[name]] + row[name]
        for place in range(bounds[query], bounds[query + 1]):
            best = int(np.argmax(values))
            cell = query * count + best
            order[place] = heads[best]
            heads[best] += 1
            values[best] = -np.inf
            if heads[best] < offsets[cell + 1]:
                lost = decay * (heads[best] - offsets[cell])
                values[best] = scores[heads[best]] + row[best] - lost
    return order

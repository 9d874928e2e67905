"""How much does each judged search count, so that no searcher decides the ranking?

One searcher may make a thousand judgments in a minute.  So all searches of one searcher together
have at most a twentieth of the weight of everything that is learned from, or compared on.  The
owner ("") has no limit: the owner decides what the archive learns from.

The limit is a share of the total *after* it was applied, so the weights are a fixed point.  Of the
searchers in order of their searches, the k busiest are limited to w each; all others count in full:

    total = (searches of all others) + k * w   and   w = total / 20
    so    w = (searches of all others) / (20 - k)

k is the least number at which none of the others has more than w searches.  There is such a number
if the owner has searches, or there are at least twenty searchers.  Without either, some searcher
must count for more than a twentieth, whatever the weights: then there are none.

The limit holds wherever a share can be concentrated: among the searches that attached a record of
one list, among those that did not, and in the whole.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats

OWNER = ""
ROUNDING = 1e-9  # of summed weights
LEAST_SEARCHERS = 20  # each counts for at most this part of the whole


def searcher_weights(judges: Sequence[str]) -> Floats | None:
    """Return the weight of each search, given who judged it; None if the limit cannot hold.

    >>> searcher_weights(["", "", "", "u1", "u1", "u2"]).round(3).tolist()
    [1.0, 1.0, 1.0, 0.083, 0.083, 0.167]
    """
    searches = Counter(judge for judge in judges if judge != OWNER)
    others, limit = len(judges), None
    for limited, (_, count) in enumerate([*searches.most_common(), (OWNER, 0)]):
        if limited >= LEAST_SEARCHERS or not others:
            return None
        # Whole numbers: w = others / (20 - k) is at least the searches of the next searcher.
        if count * (LEAST_SEARCHERS - limited) <= others:
            limit = others / (LEAST_SEARCHERS - limited)
            break
        others -= count
    if limit is None:
        return None
    return np.array([min(1.0, limit / searches[j]) if j in searches else 1.0 for j in judges])


def list_weights(judges: Sequence[str], attached: NDArray[np.bool_]) -> Floats | None:
    """Return the weight of each search for one list; ``attached`` says which attached of it.

    The limit holds among those that did and among the others.  If it cannot hold among the
    others, they count for nothing; if it cannot among those that did, nothing is learned: None.
    """
    weights = np.zeros(len(judges))
    for chosen in (attached, ~attached):
        limited = searcher_weights([judges[i] for i in np.flatnonzero(chosen).tolist()])
        if limited is None and chosen is attached:
            return None
        weights[chosen] = 0.0 if limited is None else limited
    return weights


def largest_share(judges: Sequence[str], weights: Floats) -> float:
    """Return which share of the weight the searcher has who has most; the owner is none."""
    shares: Counter[str] = Counter()
    for judge, weight in zip(judges, weights.tolist(), strict=True):
        shares[judge] += weight
    shares.pop(OWNER, None)
    return max(shares.values(), default=0.0) / float(weights.sum())

"""NDCG along one weight, everywhere at once: the line search for binary features.

Moving the weight of a feature moves the records that have it, all by the same step, past
those that lack it.  NDCG changes only where a relevant record crosses a record of the other
half, and since both halves are sorted these crossings come in order: the rank at each is
known without sorting, without evaluating.  Each crossing's jump is added to the bin of steps
in which it happens, and the running sum of the bins is NDCG at every border between bins,
exactly (Och 2003, for rankings Wu et al. 2010; the bins are ours).

    ranked      the records of each query, best first; query q is ranked[offsets[q]:...[q + 1]]
    scores      of the ranked records, so never increasing within a query
    gains       of the ranked records
    fires       one entry a record: does it have the feature?
    borders     low, low + width, ..., low + width * (size of jumps - 1)

What a record with ``above`` records over it and ``tied`` at its score earns is told in
`kernels/ndcg.py`; records of one half that are tied stay tied, whatever the step.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def binary_line(
    ranked: Integers,
    scores: Floats,
    gains: Floats,
    fires: NDArray[np.bool_],
    offsets: Integers,
    queries: Integers,
    ideals: Floats,
    discounts: Floats,
    low: float,
    width: float,
    count: int,
) -> Floats:
    """Return the sum of NDCG over these queries at each of ``count`` borders."""
    jumps = np.zeros(count + 1)  # the last collects what happens beyond the last border
    longest = discounts.size
    lacking, having = np.empty(longest), np.empty(longest)
    relevant = np.empty(longest, np.int64)  # places in the query of records worth something
    own = np.empty(longest, np.int64)  # and their places in their half
    for query in queries:
        first = offsets[query]
        lack = have = found = 0
        for place in range(first, offsets[query + 1]):
            # Both are written and one is kept: a branch here would be guessed wrong half the time.
            has = int(fires[ranked[place]])
            lacking[lack] = having[have] = scores[place]
            if gains[place] > 0:
                relevant[found] = place
                own[found] = have if has else lack
                found += 1
            have += has
            lack += 1 - has
        for number in range(found):
            place = relevant[number]
            worth = gains[place] / ideals[query]
            with_it, without = having[:have], lacking[:lack]
            if fires[ranked[place]]:
                _add_jumps(with_it, without, own[number], True, worth, discounts, low, width, jumps)
            else:
                _add_jumps(
                    without, with_it, own[number], False, worth, discounts, low, width, jumps
                )
    return np.cumsum(jumps[:count])


@compiled
def _add_jumps(
    own: Floats,
    others: Floats,
    place: int,
    rises: bool,
    worth: float,
    discounts: Floats,
    low: float,
    width: float,
    jumps: Floats,
) -> None:
    """Add what one relevant record earns at the first border, and each change after it."""
    score = own[place]
    above = place
    while above > 0 and own[above - 1] == score:
        above -= 1
    end = place + 1
    while end < own.size and own[end] == score:
        end += 1
    tied = end - above
    passed = _count_above(others, score + low if rises else score - low)
    worth /= tied
    rank = above + passed
    earned = discounts[rank + tied] - discounts[rank]
    jumps[0] += worth * earned
    bins = jumps.size - 1
    per_width = 1 / width
    turn = -1 if rises else 1
    other = passed - 1 if rises else passed
    while 0 <= other < others.size:
        step = others[other] - score if rises else score - others[other]
        border = int(np.ceil((step - low) * per_width))
        if border >= bins:
            break
        rank += turn
        later = discounts[rank + tied] - discounts[rank]
        jumps[max(border, 0)] += worth * (later - earned)
        earned = later
        other += turn


@compiled
def _count_above(scores: Floats, value: float) -> int:
    """Return how many of the falling scores exceed the value."""
    first, last = 0, scores.size
    while first < last:
        middle = (first + last) // 2
        if scores[middle] > value:
            first = middle + 1
        else:
            last = middle
    return first

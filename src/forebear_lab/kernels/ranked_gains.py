"""Measures of relevance over many ranked lists at once.

Shapes: ``gains`` has one entry a ranked document, best first in each query; query q holds
the documents ``offsets[q]:offsets[q + 1]``.  A document whose score ties with others stands
at the places ``begins:ends``, counted from 0, with equal chance; without ties that is one
place.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def discounted_gains(
    gains: Floats, begins: Integers, ends: Integers, offsets: Integers, discounts: Floats
) -> Floats:
    """Return the sum of each query's gains, each times the mean discount of its places.

    ``discounts[p]`` is the sum of the discounts of the first p places; of as many as it
    has entries, no place beyond counts.  DCG, precision and recall differ only in these.
    """
    sums = np.zeros(offsets.size - 1)
    last = discounts.size - 1
    for query in range(sums.size):
        for row in range(offsets[query], offsets[query + 1]):
            if gains[row] > 0 and begins[row] < last:
                sum_of_places = discounts[min(ends[row], last)] - discounts[begins[row]]
                sums[query] += gains[row] * sum_of_places / (ends[row] - begins[row])
    return sums


@compiled
def ideal_gains(gains: Floats, offsets: Integers, discounts: Floats) -> Floats:
    """Return the sum of each query's discounted gains in the best order.

    Relevant documents are few, so they are put in order as they come.
    """
    sums = np.zeros(offsets.size - 1)
    longest = 0
    for query in range(sums.size):
        longest = max(longest, offsets[query + 1] - offsets[query])
    ordered = np.empty(longest)
    last = discounts.size - 1
    for query in range(sums.size):
        count = 0
        for row in range(offsets[query], offsets[query + 1]):
            if gains[row] > 0:
                place = count
                while place > 0 and ordered[place - 1] < gains[row]:
                    ordered[place] = ordered[place - 1]
                    place -= 1
                ordered[place] = gains[row]
                count += 1
        for place in range(min(count, last)):
            sums[query] += ordered[place] * (discounts[place + 1] - discounts[place])
    return sums


@compiled
def first_ranks(relevant: Integers, offsets: Integers) -> Integers:
    """Return the rank of the first relevant document of each query, or 0 without one."""
    ranks = np.zeros(offsets.size - 1, np.int64)
    for query in range(ranks.size):
        for row in range(offsets[query], offsets[query + 1]):
            if relevant[row]:
                ranks[query] = row - offsets[query] + 1
                break
    return ranks


@compiled
def summed_precisions(relevant: Integers, offsets: Integers, cutoff: int) -> Floats:
    """Return, for each query, the sum of the precisions at its relevant documents."""
    sums = np.zeros(offsets.size - 1)
    for query in range(sums.size):
        first = offsets[query]
        found = 0
        for row in range(first, min(offsets[query + 1], first + cutoff)):
            if relevant[row]:
                found += 1
                sums[query] += found / (row - first + 1)
    return sums

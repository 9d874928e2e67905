"""In which order are scored documents, and how good is that order?

Measures of relevance over many ranked lists at once; the scalar definitions are in
`forebear_lab.evaluation.measures`.

Shapes: one entry a document; query q holds the documents ``offsets[q]:offsets[q + 1]``, best
first in each query unless said otherwise.  A document whose score ties with others has the places
``begins:ends``, counted from 0, with equal chance; without ties that is one place.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers
from forebear_lab.kernels.text import Bounds, Bytes, compare_words


@compiled
def ranked_rows(
    scores: Floats,
    grades: Integers,
    data: Bytes,
    documents: Bounds,
    offsets: Integers,
    by_grade: bool,
    by_name: bool,
) -> Integers:
    """Return the rows of each query, best first, for documents in any order.

    Most runs are written best first, so a query is sorted only if it is out of order.  Equal
    scores are ordered by grade (the lower first, if requested) and by name (the later first, if
    requested); what is equal then keeps its order.
    """
    order = np.arange(scores.size)
    for query in range(offsets.size - 1):
        first, last = offsets[query], offsets[query + 1]
        falling = True
        for row in range(first + 1, last):
            falling = falling and scores[row - 1] >= scores[row]
        if not falling:
            order[first:last] = first + np.argsort(-scores[first:last], kind="mergesort")
        if by_grade or by_name:
            for place in range(first + 1, last):
                _sink(order, place, first, scores, grades, data, documents, by_grade, by_name)
    return order


@compiled
def _sink(
    order: Integers,
    place: int,
    first: int,
    scores: Floats,
    grades: Integers,
    data: Bytes,
    documents: Bounds,
    by_grade: bool,
    by_name: bool,
) -> None:
    """Move the row at a place up, past rows of equal score that belong below it."""
    row = order[place]
    while place > first and scores[order[place - 1]] == scores[row]:
        other = order[place - 1]
        below = 0
        if by_grade:
            below = grades[other] - grades[row]
        if below == 0 and by_name:
            below = compare_words(
                data, documents[row, 0], documents[row, 1],
                data, documents[other, 0], documents[other, 1],
            )  # fmt: skip
        if below <= 0:
            break
        order[place] = other
        place -= 1
    order[place] = row


@compiled
def tie_bounds(scores: Floats, offsets: Integers) -> tuple[Integers, Integers]:
    """Return, for each ranked row, the places where its group of equal scores begins and ends.

    Places count from 0 in each query; the end is the place after the last one.
    """
    begins, ends = np.empty(scores.size, np.int64), np.empty(scores.size, np.int64)
    for query in range(offsets.size - 1):
        first, last = offsets[query], offsets[query + 1]
        begin = first
        while begin < last:
            end = begin + 1
            while end < last and scores[end] == scores[begin]:
                end += 1
            begins[begin:end] = begin - first
            ends[begin:end] = end - first
            begin = end
    return begins, ends


@compiled
def discounted_gains(
    gains: Floats, begins: Integers, ends: Integers, offsets: Integers, discounts: Floats
) -> Floats:
    """Return the sum of each query's gains, each times the mean discount of its places.

    ``discounts[p]`` is the sum of the discounts of the first p places; places beyond its
    entries do not count.  DCG, precision and recall differ only in the discounts.
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

    Relevant documents are few, so insertion sort is fast enough.
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
        seen = 0
        for row in range(first, min(offsets[query + 1], first + cutoff)):
            if relevant[row]:
                seen += 1
                sums[query] += seen / (row - first + 1)
    return sums

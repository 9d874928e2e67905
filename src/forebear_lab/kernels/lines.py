"""What is NDCG along the weight of one feature, at every step at once?

**Binary features.**  Moving the weight of a feature moves the records that have it, all by the
same step, past those that lack it.  NDCG changes only where a relevant record crosses a record of
the other half, and since both halves are sorted these crossings come in order: the rank at each
needs neither sorting nor evaluating.  The jump of each crossing is added to the bin of steps in
which it happens, and the running sum of the bins is NDCG at every border between bins, exactly
(Och 2003, for rankings Wu et al. 2010; the bins are ours).

**Features that are numbers.**  Each record moves at the speed of its feature's value, so a
relevant record meets every other record of its query at one step: where the gap between their
scores is the step times the difference of their values.  These meetings are counted by bin; a
pass over the bins then gives the rank at every border.  This takes several times as long.

    ranked      the records of each query, best first; query q is ranked[offsets[q]:...[q + 1]]
    scores      of the ranked records, so never increasing within a query
    gains       of the ranked records
    fires       one entry a record: does it have the feature?
    borders     low, low + width, ..., low + width * (number - 1)

`forebear.kernels.ndcg` defines what a record with ``above`` records over it and ``tied`` at its
score earns; records of one half that are tied stay tied, whatever the step.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers

_EQUAL = 1e-10  # sums of jumps that differ by less differ by rounding


class Borders(NamedTuple):
    """The steps at which NDCG is calculated."""

    low: float
    width: float
    number: int


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
    borders: Borders,
) -> Floats:
    """Return the sum of NDCG over these queries at each border."""
    low, width, count = borders
    jumps = np.zeros(count + 1)  # the last collects jumps beyond the last border
    longest = discounts.size
    lacking, having = np.empty(longest), np.empty(longest)
    relevant = np.empty(longest, np.int64)  # places in the query of relevant records
    in_half = np.empty(longest, np.int64)  # and their places in their half
    for query in queries:
        first = offsets[query]
        lack = have = relevant_count = 0
        for place in range(first, offsets[query + 1]):
            # Both are written and one counts: the processor would mispredict half of the branches.
            has = int(fires[ranked[place]])
            lacking[lack] = having[have] = scores[place]
            if gains[place] > 0:
                relevant[relevant_count] = place
                in_half[relevant_count] = have if has else lack
                relevant_count += 1
            have += has
            lack += 1 - has
        for number in range(relevant_count):
            place = relevant[number]
            worth = gains[place] / ideals[query]
            half, others, rises = lacking[:lack], having[:have], False
            if fires[ranked[place]]:
                half, others, rises = others, half, True
            _add_jumps(half, others, in_half[number], rises, worth, discounts, low, width, jumps)
    return np.cumsum(jumps[:count])


@compiled
def _add_jumps(
    half: Floats,
    others: Floats,
    place: int,
    rises: bool,
    worth: float,
    discounts: Floats,
    low: float,
    width: float,
    jumps: Floats,
) -> None:
    """Add what one relevant record earns at the first border, and each change after it.

    ``half`` has the scores of the records that move with it, ``others`` those of the other half.
    """
    score = half[place]
    above = place
    while above > 0 and half[above - 1] == score:
        above -= 1
    end = place + 1
    while end < half.size and half[end] == score:
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
    borders: Borders,
) -> Floats:
    """Return the sum of NDCG over these queries at each border."""
    low, width, count = borders
    jumps = np.zeros(count)
    moves = np.empty(count + 1, np.int64)  # of the rank; the last is never used
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
    """Count the moves of one record's rank; return its first rank and how many tie.

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
        # A slower record is above until they meet, a faster one from then on.
        rank += faster > 0
        moves[border] += -1 if faster > 0 else 1
    return rank, tied


@compiled
def choose_border(
    values: Floats, half: int, first: int, last: int, current: float
) -> tuple[int, float]:
    """Return the best border from ``first`` to before ``last``, and its gain.

    The highest single point of a line is often a spike that the next query would remove, so NDCG
    is smoothed over a window of borders first (Cer, Jurafsky and Manning 2008 do the same for
    translation); of several best borders in a row, the middle of the longest row is taken.  A
    border's value is the mean over ``half`` borders to each side; it is compared with that of the
    two middle borders, between which step 0 lies (if one of these is the best, nothing is
    gained), or with ``current``, the exact value at step 0, if nothing is smoothed.
    """
    sums = np.zeros(values.size + 1)
    sums[1:] = np.cumsum(values)
    middle = values.size // 2
    if half > 0:
        lower = sums[middle + half] - sums[middle - half - 1]
        current = (lower + sums[middle + half + 1] - sums[middle - half]) / (4 * half + 2)
    best, chosen, length, row = -np.inf, -1, 0, 0
    for border in range(max(first, half), min(last, values.size - half)):
        value = (sums[border + half + 1] - sums[border - half]) / (2 * half + 1)
        if value > best + _EQUAL:
            best, chosen, length, row = value, border, 1, 1
        elif value >= best - _EQUAL:
            row += 1
            if row > length:
                length = row
                chosen = border - (row - 1) // 2
        else:
            row = 0
    if half > 0 and middle - 1 <= chosen <= middle:
        return chosen, 0.0
    return chosen, best - current


@compiled
def move_records(
    ranked: Integers,
    scores: Floats,
    gains: Floats,
    column: NDArray[np.bool_] | Floats,
    offsets: Integers,
    queries: Integers,
    step: float,
) -> None:
    """Add ``step`` times the feature's value to every score, and restore the order in place.

    A step of one weight leaves most records where they are, so insertion sort, which takes time
    in proportion to the disorder, is the fastest.  The first three arrays are changed in place:
    at a hundred microseconds a step, a copy would cost more than the work.
    """
    for query in queries:
        first, last = offsets[query], offsets[query + 1]
        for place in range(first, last):
            scores[place] += step * column[ranked[place]]
        restore_order(ranked, scores, gains, first, last)


@compiled
def restore_order(ranked: Integers, scores: Floats, gains: Floats, first: int, last: int) -> None:
    """Sort the records between two places by falling score, in place."""
    for place in range(first + 1, last):
        score = scores[place]
        if score <= scores[place - 1]:
            continue
        record, gain = ranked[place], gains[place]
        hole = place
        while hole > first and scores[hole - 1] < score:
            scores[hole] = scores[hole - 1]
            ranked[hole] = ranked[hole - 1]
            gains[hole] = gains[hole - 1]
            hole -= 1
        scores[hole], ranked[hole], gains[hole] = score, record, gain


@compiled
def ranked_ndcg(
    scores: Floats,
    gains: Floats,
    offsets: Integers,
    queries: Integers,
    ideals: Floats,
    discounts: Floats,
) -> Floats:
    """Return the expected NDCG of each of these queries, whose records are in order."""
    values = np.zeros(queries.size)
    for number in range(queries.size):
        query = queries[number]
        first, last = offsets[query], offsets[query + 1]
        total = 0.0
        for place in range(first, last):
            if gains[place] > 0:
                above = place
                while above > first and scores[above - 1] == scores[place]:
                    above -= 1
                end = place + 1
                while end < last and scores[end] == scores[place]:
                    end += 1
                earned = discounts[end - first] - discounts[above - first]
                total += gains[place] * earned / (end - above)
        if ideals[query] > 0:
            values[number] = total / ideals[query]
    return values

"""What is NDCG along the shift of one list, and in which order are fused lists?

**The line search.**  Moving a list moves all its records by the same step.  A relevant record of
another list is passed by at most the records of the moved list, in order; a relevant record of
the moved list passes records of all others, counted by the bin of steps in which it happens.  The
running sum of all jumps is NDCG at every border between bins, exactly; cost and idea are those of
`lines`.

Shapes are those of `forebear.kernels.ndcg`; ``numbers`` are the relevant records (by number) whose
queries the move concerns.

**The order.**  A measure of diversity needs the first records of the fused list in order, so the
lists are merged: the heads of the lists are compared, the best is taken, and the next record of
its list becomes its head.  With a decay, every record already taken from a list lowers the rest
of it by the same amount (in bits; as a factor on positive scores), which keeps the order of each
list and makes the lists alternate.
"""

from typing import NamedTuple

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers, Scores, first_not_above
from forebear_lab.kernels.lines import Borders


class RelevantRecords(NamedTuple):
    """The relevant records of all queries; tables have a row a record and a column a list."""

    records: Integers
    cells: Integers  # the query and the list of each record, as one number
    worths: Floats  # the gain of each record over its query's ideal
    above: Integers  # how many records of the list are above it
    tied: Integers  # how many share its fused score


@compiled
def recount(
    scores: Scores,
    offsets: Integers,
    relevant: RelevantRecords,
    shifts: Floats,
    numbers: Integers,
    moved: int,
) -> None:
    """Count again, in place, what the move of a list changed; all lists if ``moved`` is -1."""
    records, cells, _, above, tied = relevant
    count = above.shape[1]
    for number in numbers:
        record, cell_of_record = records[number], cells[number]
        query, list_of_record = cell_of_record // count, cell_of_record % count
        row = shifts[query % shifts.shape[0]]
        fused = scores[record] + row[list_of_record]
        for name in range(count):
            cell = query * count + name
            if cell == cell_of_record or (moved >= 0 and moved not in (name, list_of_record)):
                continue
            first, last = offsets[cell], offsets[cell + 1]
            place = first_not_above(scores, first, last, 1.0, row[name], fused)
            above[number, name] = place - first
            end = place
            while end < last and scores[end] + row[name] == fused:
                end += 1
            tied[number, name] = end - place


@compiled
def fused_values(relevant: RelevantRecords, discounts: Floats, numbers: Integers) -> float:
    """Return the sum of NDCG that these relevant records earn where they are."""
    _, _, worths, above, tied = relevant
    total = 0.0
    for number in numbers:
        rank, ties = above[number].sum(), tied[number].sum()
        total += worths[number] * (discounts[rank + ties] - discounts[rank]) / ties
    return total


@compiled
def fused_line(
    scores: Scores,
    offsets: Integers,
    relevant: RelevantRecords,
    discounts: Floats,
    shifts: Floats,
    numbers: Integers,
    moved: int,
    borders: Borders,
    cutoff: int,
) -> Floats:
    """Return the sum of NDCG that the relevant records earn at each border."""
    records, cells, worths, above, tied = relevant
    low, width, count = borders
    jumps = np.zeros(count)
    moves = np.zeros(count, np.int64)
    lists = above.shape[1]
    for number in numbers:
        record, cell_of_record = records[number], cells[number]
        query, name = cell_of_record // lists, cell_of_record % lists
        row = shifts[query % shifts.shape[0]]
        fused = scores[record] + row[name]
        if name != moved:
            rank = ties = 0
            for other in range(lists):
                if other != moved:
                    rank += above[number, other]
                    ties += tied[number, other]
            first, last = offsets[query * lists + moved], offsets[query * lists + moved + 1]
            others, score, worth = scores[first:last], fused - row[moved], worths[number]
            _passed(others, score, rank, ties, worth, discounts, low, width, cutoff, jumps)
            continue
        rank, ties = above[number, name], tied[number, name]
        for other in range(lists):
            if other != name:
                first, last = offsets[query * lists + other], offsets[query * lists + other + 1]
                rank += _passes(scores[first:last], fused - row[other], low, width, moves)
        earned = 0.0
        for border in range(count):
            if border == 0 or moves[border] != 0:
                rank -= moves[border]
                later = worths[number] * (discounts[rank + ties] - discounts[rank]) / ties
                jumps[border] += later - earned
                earned = later
                moves[border] = 0
    return np.cumsum(jumps)


@compiled
def _passed(
    others: Scores,
    score: float,
    rank: int,
    ties: int,
    worth: float,
    discounts: Floats,
    low: float,
    width: float,
    cutoff: int,
    jumps: Floats,
) -> None:
    """Add what a record earns while the moved list rises past it; below the cutoff, nothing."""
    other = first_not_above(others, 0, others.size, 1.0, low, score)
    rank += other
    if rank >= cutoff:
        return
    worth /= ties
    earned = discounts[rank + ties] - discounts[rank]
    jumps[0] += worth * earned
    per_width = 1 / width
    while other < others.size and rank < cutoff:
        border = int(np.ceil((score - others[other] - low) * per_width))
        if border >= jumps.size:
            break
        rank += 1
        later = discounts[rank + ties] - discounts[rank]
        jumps[max(border, 0)] += worth * (later - earned)
        earned = later
        other += 1


@compiled
def _passes(others: Scores, score: float, low: float, width: float, moves: Integers) -> int:
    """Count the records that a rising record passes, by border; return how many are above it."""
    above = first_not_above(others, 0, others.size, 1.0, 0.0, score + low)
    per_width = 1 / width
    for other in range(above - 1, -1, -1):
        border = int(np.ceil((others[other] - score - low) * per_width))
        if border >= moves.size:
            break
        moves[max(border, 0)] += 1
    return above


@compiled
def fused_order(
    scores: Scores, offsets: Integers, shifts: Floats, bounds: Integers, decay: float
) -> Integers:
    """Return the first records of each query in fused order.

    ``bounds`` has where each query's records go: as many of the first as it has places.  Between
    equals the list that is named first wins.
    """
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

"""How is NCE of many ranked lists computed quickly?  Each record updates one term of the entropy.

With n records of each type among the first p, the entropy of the prefix is
log2(p) - A / p, where A is the sum over types of n log2(n): one more record changes one term
of A, so a prefix costs one step.  `forebear_lab/evaluation/measures` has the readable definition.

Shapes: ``types`` has the number of its type, from 0, for each ranked record; query q holds
the records ``offsets[q]:offsets[q + 1]``.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats, Integers


@compiled
def count_logs(length: int) -> Floats:
    """Return n log2(n) for n from 0 to ``length``."""
    logs = np.zeros(length + 1)
    for count in range(2, length + 1):
        logs[count] = count * np.log2(count)
    return logs


@compiled
def entropies_by_query(
    types: Integers, offsets: Integers, type_count: int, cutoff: int
) -> tuple[Floats, Floats]:
    """Return the cumulative entropy of each query's list, and the entropy of its types."""
    cumulative, final = np.zeros(offsets.size - 1), np.zeros(offsets.size - 1)
    logs = count_logs(_longest(offsets, cutoff))
    counts = np.zeros(type_count, np.int64)
    for query in range(final.size):
        first = offsets[query]
        last = min(offsets[query + 1], first + cutoff)
        counts[:] = 0
        summed = 0.0
        for row in range(first, last):
            before = counts[types[row]]
            counts[types[row]] = before + 1
            summed += logs[before + 1] - logs[before]
            length = row - first + 1
            final[query] = max(0.0, (logs[length] - summed) / length)
            cumulative[query] += final[query]
    return cumulative, final


@compiled
def ideal_entropies(type_count: int, length: int) -> Floats:
    """Return the greatest cumulative entropy of p records, for p from 0 to ``length``."""
    logs = count_logs(length)
    sums = np.zeros(length + 1)
    for prefix in range(1, length + 1):
        share, more = prefix // type_count, prefix % type_count
        least = logs[share] if share else 0.0
        summed = more * logs[share + 1] + (type_count - more) * least
        sums[prefix] = sums[prefix - 1] + max(0.0, (logs[prefix] - summed) / prefix)
    return sums


@compiled
def supplied_entropies(supply: Integers, lengths: Integers) -> Floats:
    """Return the greatest cumulative entropy of each query's list, given its supply.

    ``supply`` has one row per query and one column per type: how many records there are.
    """
    ideals = np.zeros(lengths.size)
    logs = count_logs(lengths.max() if lengths.size else 0)
    for query in range(lengths.size):
        placed, turn, summed = 0, 0, 0.0
        while placed < lengths[query]:
            before = placed
            for name in range(supply.shape[1]):
                if supply[query, name] > turn and placed < lengths[query]:
                    placed += 1
                    summed += logs[turn + 1] - logs[turn]
                    ideals[query] += max(0.0, (logs[placed] - summed) / placed)
            if placed == before:
                break
            turn += 1
    return ideals


@compiled
def count_types(types: Integers, offsets: Integers, type_count: int) -> Integers:
    """Return how many records of each type each query's list holds."""
    counts = np.zeros((offsets.size - 1, type_count), np.int64)
    for query in range(offsets.size - 1):
        for row in range(offsets[query], offsets[query + 1]):
            counts[query, types[row]] += 1
    return counts


@compiled
def _longest(offsets: Integers, cutoff: int) -> int:
    longest = 0
    for query in range(offsets.size - 1):
        longest = max(longest, min(cutoff, offsets[query + 1] - offsets[query]))
    return longest

"""Normalized cumulative entropy: how varied are the record types, all the way down?

The entropy of the record types in a list says how many kinds it holds, but not
whether they alternate: AABB and ABAB score alike.  Summing the entropy of every
prefix tells them apart, and dividing by the best sum any list of that length
could reach puts the answer between 0 and 1 (Jiang et al., "Ranking in Genealogy",
section 4).

The best prefix of p records over K types holds each type floor(p/K) or
ceil(p/K) times: entropy is concave, so moving a record from a commoner type to a
rarer one never lowers it.

The NCE row of the paper's table of diversity metrics does not follow from this
definition (it is our numerator over a constant near 300); we follow the definition.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from forebear.errors import InputError


def nce(types: Sequence[Hashable], *, type_count: int) -> float:
    """Return the normalized cumulative entropy of a ranked list of record types.

    ``type_count`` is how many types could have appeared, found or not.  A list too
    short to vary (or a single possible type) is as varied as it can be: 1.0.

    >>> round(nce("AABB", type_count=2), 3)
    0.657
    >>> nce("ABAB", type_count=2)
    1.0
    """
    found = len(set(types))
    if found > type_count:
        raise InputError(f"{found} types in the list, but only {type_count} could appear")
    ideal = ideal_cumulative_entropy(len(types), type_count=type_count)
    return cumulative_entropy(types) / ideal if ideal else 1.0


def cumulative_entropy(types: Sequence[Hashable]) -> float:
    """Return the sum, over every prefix of the list, of its entropy in bits."""
    seen: Counter[Hashable] = Counter()
    entropies = []
    for record_type in types:
        seen[record_type] += 1
        entropies.append(entropy(seen.values()))
    return math.fsum(entropies)


def ideal_cumulative_entropy(length: int, *, type_count: int) -> float:
    """Return the greatest cumulative entropy of any list of this length."""
    if type_count < 1 and length:
        raise InputError(f"a list of {length} records needs at least 1 type, not {type_count}")
    return cumulative_entropy([position % type_count for position in range(length)])


def entropy(counts: Iterable[int]) -> float:
    """Return the entropy, in bits, of types that appear so many times each."""
    present = [count for count in counts if count]
    total = sum(present)
    return math.fsum(count / total * math.log2(total / count) for count in present)

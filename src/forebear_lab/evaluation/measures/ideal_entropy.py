"""The greatest cumulative entropy that a list could have had.

If every type had records without end, the best first n records of K types hold each type
floor(n / K) or ceil(n / K) times (Claim 1 of "Ranking in Genealogy"): entropy is concave, so
moving a record from a commoner type to a rarer one never lowers it.  The paper calls the
problem NP-hard and proves the claim on an example by branch and bound; the exchange just
made is a proof, and `branch_and_bound` is kept to test against.

A type that runs out cannot be shown any more.  With a supply the best next record is always
of the least represented type that still has one: the same exchange, within bounds.  Both
orders are best at every prefix at once, so a real list reaches each of these ideals.
"""

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from forebear.errors import InputError
from forebear_lab.evaluation.measures.cumulative_entropy import cumulative_entropy
from forebear_lab.evaluation.measures.entropy import entropy


def greatest_entropy(length: int, *, type_count: int) -> float:
    """Return the greatest entropy of any list of this length, in closed form.

    >>> round(greatest_entropy(5, type_count=3), 4)
    1.5219
    """
    if type_count < 1 and length:
        raise InputError(f"a list of {length} records needs at least 1 type, not {type_count}")
    if not length:
        return 0.0
    each, more = divmod(length, type_count)
    return entropy([each + 1] * more + [each] * (type_count - more))


@lru_cache(maxsize=4096)  # most queries have lists of the same few lengths
def ideal_cumulative_entropy(length: int, *, type_count: int) -> float:
    """Return the greatest cumulative entropy of any list of this length."""
    return math.fsum(
        greatest_entropy(prefix, type_count=type_count) for prefix in range(1, length + 1)
    )


def supplied_cumulative_entropy(length: int, *, supply: Iterable[int]) -> float:
    """Return the greatest cumulative entropy if a type has only so many records each.

    >>> supplied_cumulative_entropy(3, supply=[3]), supplied_cumulative_entropy(2, supply=[1, 1])
    (0.0, 1.0)
    """
    counts = list(supply)
    if sum(counts) < length:
        raise InputError(f"a list of {length} records, but only {sum(counts)} to make it of")
    return cumulative_entropy(list(_round_robin(counts))[:length])


def _round_robin(supply: list[int]) -> Iterator[int]:
    for turn in range(max(supply, default=0)):
        yield from (name for name, count in enumerate(supply) if count > turn)

"""Entropy (E, CE, NCE): how many record types does a list hold, how evenly, and do they alternate?

    E = sum over types of p log2(1 / p),  p being the type's share of the list

in bits (Shannon 1949; Krestel and Fankhauser 2012 apply it to search results).  Entropy does not
depend on the order: AABB and ABAB have the same.  *Cumulative* entropy, the sum of the entropy of
every prefix, does: CE(AABB) = 1.918, CE(ABAB) = 2.918 ("Ranking in Genealogy", section 4).  It
grows with the length of the list.  *Normalized* cumulative entropy divides it by the greatest value
that a list of that length could have, so it is between 0 and 1.

What is that greatest value?  If every type had unlimited records, the best first n records of K
types hold each type floor(n / K) or ceil(n / K) times (Claim 1 of the paper): entropy is concave,
so replacing a record of a more frequent type by one of a less frequent type never lowers it.  The
paper calls the problem NP-hard and shows the claim on an example by branch and bound; the
exchange argument is a proof, and a test compares both.  With a limited supply the best next
record is always of the least represented type that still has one: the same exchange, within
bounds.  Both orders are best at every prefix at once, so a real list reaches each ideal.

Which records a list *could* have is a convention, and has to be named:

- `paper`: each of the declared K types could have filled the list;
- `hits`: only the types that have records for this query, with unlimited records each;
- `supply`: only the records that exist; a type that runs out is not shown again.

The NCE row of the paper's table of diversity metrics does not follow from its definition
(it is our numerator over a constant near 300); we follow the definition.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import (
    Choice,
    Count,
    Definition,
    JudgedRanking,
    Options,
    check_cutoff,
    draw_chance,
    tie_groups,
)

Ideal = Literal["paper", "hits", "supply"]


def entropy(counts: Iterable[int]) -> float:
    """Return the entropy, in bits, of types with these numbers of records.

    >>> round(entropy([3, 1]), 4)
    0.8113
    """
    present = [count for count in counts if count]
    total = sum(present)
    return math.fsum(_share(count, total) for count in present)


def entropy_of_list(
    types: Sequence[Hashable], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return the entropy of the types of the first records."""
    *_, last = (0.0, *prefix_entropies(types, cutoff=cutoff, tied=tied))
    return last


def cumulative_entropy(
    types: Sequence[Hashable], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return the sum, over every prefix of the list, of its entropy in bits.

    >>> round(cumulative_entropy("AABB"), 4)
    1.9183
    """
    return math.fsum(prefix_entropies(types, cutoff=cutoff, tied=tied))


def prefix_entropies(
    types: Sequence[Hashable], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> Iterator[float]:
    """Yield the entropy of the first record, the first two, and so on, to the cutoff.

    Where scores tie, it is the mean: entropy is a sum over types, and the number of records of
    a type among the first of a tied group follows the hypergeometric distribution.
    """
    check_cutoff(cutoff)
    places = len(types) if cutoff is None else min(cutoff, len(types))
    seen: Counter[Hashable] = Counter()
    for group in tie_groups(len(types), tied):
        inside = [types[position] for position in group]
        for draws in range(1, min(len(group), places - group.start + 1)):
            yield _mean_entropy(seen, Counter(inside), draws=draws)
        if group.stop > places:
            return
        seen.update(inside)
        yield entropy(seen.values())  # the order within a whole group makes no difference


def greatest_entropy(length: int, *, type_count: int) -> float:
    """Return the greatest entropy of any list of this length, in closed form.

    >>> round(greatest_entropy(5, type_count=3), 4)
    1.5219
    """
    if type_count < 1 and length:
        raise InputError(f"a list of {length} records needs at least 1 type, not {type_count}")
    if not length:
        return 0.0
    rounds, more = divmod(length, type_count)
    return entropy([rounds + 1] * more + [rounds] * (type_count - more))


@lru_cache(maxsize=4096)  # most queries have lists of the same few lengths
def ideal_cumulative_entropy(length: int, *, type_count: int) -> float:
    """Return the greatest cumulative entropy of any list of this length."""
    return math.fsum(
        greatest_entropy(prefix, type_count=type_count) for prefix in range(1, length + 1)
    )


def supplied_cumulative_entropy(length: int, *, supply: Iterable[int]) -> float:
    """Return the greatest cumulative entropy if each type has a limited number of records.

    >>> supplied_cumulative_entropy(3, supply=[3]), supplied_cumulative_entropy(2, supply=[1, 1])
    (0.0, 1.0)
    """
    counts = list(supply)
    if sum(counts) < length:
        raise InputError(f"a list of {length} records cannot be made of {sum(counts)} records")
    round_robin = (
        number
        for turn in range(max(counts, default=0))
        for number, count in enumerate(counts)
        if count > turn
    )
    return cumulative_entropy(list(round_robin)[:length])


def _mean_entropy(seen: Counter[Hashable], inside: Counter[Hashable], *, draws: int) -> float:
    size, total = inside.total(), seen.total() + draws
    return math.fsum(
        draw_chance(hits, marked=inside[name], total=size, draws=draws)
        * _share(seen[name] + hits, total)
        for name in seen | inside
        for hits in range(min(draws, inside[name]) + 1)
    )


def _share(count: int, total: int) -> float:
    return count / total * math.log2(total / count) if count else 0.0


def _calculate_entropy(ranking: JudgedRanking, cutoff: int | None, _: Options) -> float:
    return entropy_of_list(ranking.types, cutoff=cutoff, tied=ranking.tied)


def _calculate_cumulative(ranking: JudgedRanking, cutoff: int | None, _: Options) -> float:
    return cumulative_entropy(ranking.types, cutoff=cutoff, tied=ranking.tied)


def nce(
    types: Sequence[Hashable],
    *,
    type_count: int | None = None,
    cutoff: int | None = None,
    ideal: Ideal = "paper",
    supply: Mapping[Any, int] | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the normalized cumulative entropy of a ranked list of record types.

    ``type_count`` is the number of types that could have appeared (for `paper`); ``supply``
    the number of records of each type for the query (for `hits` and `supply`; without it,
    those of the list).  A list too short to vary, or a single possible type, is as varied as
    it can be: 1.0.

    >>> round(nce("AABB", type_count=2), 3)
    0.657
    >>> nce("ABAB", type_count=2)
    1.0
    >>> nce("ABAA", ideal="supply"), round(nce("ABAA", ideal="hits"), 3)
    (1.0, 0.935)
    """
    length = len(types) if cutoff is None else min(cutoff, len(types))
    best = _best(types, length, type_count, ideal, supply)
    return cumulative_entropy(types, cutoff=cutoff, tied=tied) / best if best else 1.0


def _best(
    types: Sequence[Hashable],
    length: int,
    type_count: int | None,
    ideal: Ideal,
    supply: Mapping[Any, int] | None,
) -> float:
    listed = Counter(types)
    if ideal == "paper":
        if type_count is None:
            raise InputError("the paper's ideal needs to know how many types could appear")
        if len(listed) > type_count:
            raise InputError(f"{len(listed)} types in the list, but only {type_count} could appear")
        return ideal_cumulative_entropy(length, type_count=type_count)
    available = listed if supply is None else supply
    for name, count in listed.items():
        if count > available.get(name, 0):
            raise InputError(
                f"{count} records of type {name!r} in the list, but the supply has "
                f"{available.get(name, 0)}"
            )
    if ideal == "hits":
        hits = sum(count > 0 for count in available.values())
        return ideal_cumulative_entropy(length, type_count=hits)
    return supplied_cumulative_entropy(length, supply=available.values())


def _calculate_nce(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return nce(
        ranking.types,
        type_count=options["types"] or ranking.type_count,
        cutoff=cutoff,
        ideal=options["ideal"],
        supply=ranking.supply,
        tied=ranking.tied,
    )


DEFINITIONS = (
    Definition(name="entropy", calculate=_calculate_entropy, looks_at="types"),
    Definition(
        name="ce",
        spellings=("cumulative_entropy",),
        calculate=_calculate_cumulative,
        looks_at="types",
    ),
    Definition(
        name="nce",
        calculate=_calculate_nce,
        options={"types": Count(None), "ideal": Choice(("paper", "hits", "supply"))},
        looks_at="types",
    ),
)

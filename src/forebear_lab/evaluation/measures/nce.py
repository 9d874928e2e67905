"""Normalized cumulative entropy: how close to the most varied list is this one?

The cumulative entropy of the list, divided by the greatest that any list of that length could
reach, is between 0 and 1 (Jiang et al., "Ranking in Genealogy", section 4).  What a list *could*
reach is a convention, and has to be named:

- `paper`: each of the declared K types could have filled the list;
- `hits`: only the types that have records for this query, with unlimited records each;
- `supply`: only the records that exist; a type that runs out is not shown again.

The NCE row of the paper's table of diversity metrics does not follow from its definition
(it is our numerator over a constant near 300); we follow the definition.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import (
    Choice,
    Count,
    Definition,
    JudgedRanking,
    Options,
)
from forebear_lab.evaluation.measures.entropy import (
    cumulative_entropy,
    ideal_cumulative_entropy,
    supplied_cumulative_entropy,
)

Ideal = Literal["paper", "hits", "supply"]


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


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return nce(
        ranking.types,
        type_count=options["types"] or ranking.type_count,
        cutoff=cutoff,
        ideal=options["ideal"],
        supply=ranking.supply,
        tied=ranking.tied,
    )


DEFINITIONS = (
    Definition(
        name="nce",
        calculate=_calculate,
        options={"types": Count(None), "ideal": Choice(("paper", "hits", "supply"))},
        looks_at="types",
    ),
)

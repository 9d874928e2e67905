"""Normalized cumulative entropy: how near does the variety of a list come to the best?

The cumulative entropy of the list, divided by the greatest any list of that length could
reach, is between 0 and 1 (Jiang et al., "Ranking in Genealogy", section 4).  What a list
*could* reach is a convention, and has to be named:

- `paper`: every one of the declared K types could have filled the list;
- `hits`: only the types that have records for this query, each without end;
- `supply`: only the records there are; a type that runs out is shown no more.

The NCE row of the paper's table of diversity metrics does not follow from its definition
(it is our numerator over a constant near 300); we follow the definition.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal

from forebear.errors import InputError
from forebear_lab.evaluation.measures.cumulative_entropy import cumulative_entropy
from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.ideal_entropy import (
    ideal_cumulative_entropy,
    supplied_cumulative_entropy,
)
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Choice, Count

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

    ``type_count`` is how many types could have appeared, found or not (for `paper`);
    ``supply`` how many records of each type there are for the query (for `hits` and
    `supply`; without it, those of the list).  A list too short to vary, or a single
    possible type, is as varied as it can be: 1.0.

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
    if ideal == "paper":
        return ideal_cumulative_entropy(length, type_count=_declared(types, type_count))
    there = _check_supply(Counter(types), supply)
    if ideal == "hits":
        hits = sum(count > 0 for count in there.values())
        return ideal_cumulative_entropy(length, type_count=hits)
    return supplied_cumulative_entropy(length, supply=there.values())


def _declared(types: Sequence[Hashable], type_count: int | None) -> int:
    if type_count is None:
        raise InputError("the paper's ideal needs to know how many types could appear")
    found = len(set(types))
    if found > type_count:
        raise InputError(f"{found} types in the list, but only {type_count} could appear")
    return type_count


def _check_supply(found: Counter[Hashable], supply: Mapping[Any, int] | None) -> Mapping[Any, int]:
    if supply is None:
        return found
    for name, count in found.items():
        if count > supply.get(name, 0):
            there = supply.get(name, 0)
            raise InputError(f"{count} records of type {name!r} in the list, but {there} there are")
    return supply


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return nce(
        ranking.types,
        type_count=options["types"] or ranking.type_count,
        cutoff=cutoff,
        ideal=options["ideal"],
        supply=ranking.supply,
        tied=ranking.tied,
    )


DEFINITION = Definition(
    name="nce",
    calculate=_calculate,
    options={"types": Count(None), "ideal": Choice(("paper", "hits", "supply"))},
    looks_at="types",
)

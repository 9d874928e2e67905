"""How do many lists become one?  By a shift of each list, and in an order that was requested.

The paper's collator multiplies a record's positive score by a weight of its record type.
Our scores are in bits, log2 of such a score, so the product is a sum: the record's bits plus
a *shift* of the list (Jiang et al., section 2.3; the global search).  Beyond the paper, a list
may have a *slope* (what a bit of its scores is worth) and *conditions* (what the facts of the
query add to its shift: one that names a spouse makes marriages likelier).  The facts are read from
the query before anything is searched, so a list is shifted as a whole and its own order remains.

The one list is ordered by score.  With *type decay* the n-th record of a type is lowered by n - 1
times the decay, so that records of other types come up between.  The order inside a type never
changes, so how many of its type are before a record is its place in the type's own list.  (The
relative of xQuAD and MMR that keeps lists as they are.)  Or the types take turns: the best of
every type, then the second of every type, and in each round by score.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from forebear.errors import InputError
from forebear.search.hits import Hits, Ints, ListShift, join_hits
from forebear.search.model import MAX_BITS, UNITS_PER_BIT, Model
from forebear.search.query.person_query import PersonQuery

Order = Literal["score", "types"]


def fuse(lists: Sequence[Hits], shifts: Mapping[str, ListShift]) -> Hits:
    """Return the hits of all lists as one list, best first; ``shifts`` are by list name."""
    return in_order(join_hits([hits.shifted(shifts[hits.lists[0].name]) for hits in lists if hits]))


def in_order(hits: Hits) -> Hits:
    """Return hits by their fused score, best first, and by tie keys where scores are equal."""
    return hits.take(np.lexsort((hits.tie, hits.decay - hits.evidence)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordering:
    """An order of the one list."""

    order: Order = "score"  # "types": the best of each type first
    decay: int = 0  # in 64ths of a bit, for every record of the type before

    def __post_init__(self) -> None:
        if not 0 <= self.decay <= MAX_BITS * UNITS_PER_BIT:
            raise InputError(
                f"type decay is {self.decay / UNITS_PER_BIT} bits, expected 0 to {MAX_BITS}",
                hint="0.25 gives other types a better place, 2 lets them take turns",
            )

    def apply(self, fused: Hits, *, taken: Mapping[str, int] | None = None) -> Hits:
        """Return the one list in this order; ``taken`` records of each type came before."""
        if self.order == "types":
            places = places_in_types(fused, taken or {})
            return fused.take(np.lexsort((fused.tie, fused.decay - fused.evidence, places)))
        if not self.decay:
            return fused
        return in_order(replace(fused, decay=self.decay * places_in_types(fused, taken or {})))


BY_SCORE = Ordering()


def places_in_types(fused: Hits, taken: Mapping[str, int]) -> Ints:
    """Return of every hit how many of its type come before it."""
    types = np.array([info.record_type for info in fused.lists])
    of_hit = types[fused.of_list]
    places = np.zeros(len(fused), np.int64)
    for record_type in np.unique(of_hit).tolist():
        rows = np.flatnonzero(of_hit == record_type)
        places[rows] = np.arange(len(rows)) + taken.get(record_type, 0)
    return places


def list_shift(model: Model, list_name: str, record_type: str, facts: Iterable[str]) -> ListShift:
    """Return how a model shifts a list for a query that has these facts."""
    adds = model.conditions_of(list_name, record_type)
    return ListShift(
        shift=model.shift(list_name, record_type),
        slope=model.slope(list_name, record_type),
        conditions=tuple((fact, adds[fact]) for fact in sorted(facts) if adds.get(fact)),
    )


def stated_facts(query: PersonQuery) -> frozenset[str]:
    """Return the names of the facts that a query has: surname, birth.year, spouse, ..."""
    return frozenset(_facts(query))


def _facts(query: PersonQuery) -> Iterator[str]:
    for name in query.names:
        yield from (part for part in ("given", "surname") if getattr(name, part))
        if name.kind == "married":
            yield "married_surname"
    for event in query.events:
        if event.date is not None:
            yield f"{event.kind}.year"
        if event.place is not None:
            yield f"{event.kind}.place"
    yield from (relative.kind for relative in query.relatives)
    yield from (
        word
        for word in ("sex", "age", "occupation", "religion", "keywords")
        if getattr(query, word)
    )

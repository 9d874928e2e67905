"""Where results are thin, what may be asked less strictly, and in which order?

A search compares with tolerance and requires little: a name, and what the searcher insists on.
When that leaves hardly a record, the strictest thing is let go first: the very place becomes
the county, the very year ten years around it, the very letters any form of the name.  Then
what was insisted on may differ, and last the names that opened the gate.  Every record is
still scored by all that was asked, so relaxing lets records in and moves none.

What is decided here is run by the searcher, one step after the other, until enough is found.
Record types, collections and filters are never relaxed: they say where to look.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from msgspec import structs

from forebear.errors import QueryError
from forebear.search.query.person_query import PersonQuery

THIN = 3  # fewer records than this, and something is relaxed

# The last word of a fact that was exact, and what is wanted instead.
TOLERANT = {
    "place": "anywhere in the county instead of the very place",
    "year": "up to ten years off instead of the very year",
    "date": "up to ten years off instead of the very day",
}
ANY_FORM = "any form of it instead of the same letters"
MAY_DIFFER = "may differ, though it was required"
NOT_NEEDED = "not needed to find a record, only to rank it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation:
    """One thing asked less strictly, on top of those before it."""

    fact: str  # as the query calls it: birth.place
    words: str  # what is wanted instead
    query: PersonQuery  # what records are scored by
    gate_query: PersonQuery  # what lets them in

    def __str__(self) -> str:
        return f"{self.fact.replace('.', ' ')}: {self.words}"


def relaxations(query: PersonQuery) -> Iterator[Relaxation]:
    """Yield what may be relaxed, step by step, each with all before it."""
    for fact in sorted(query.exact, key=_firmness):
        query = _without(query, fact, exact=True)
        query = replace(query, require=(*query.require, fact))
        words = TOLERANT.get(fact.rpartition(".")[2], ANY_FORM)
        yield Relaxation(fact=fact, words=words, query=query, gate_query=query)
    for fact in sorted(query.require, key=_firmness):
        query = _without(query, fact, exact=False)
        yield Relaxation(fact=fact, words=MAY_DIFFER, query=query, gate_query=query)
    for part in ("given", "surname"):
        opened = _without_name(query, part)
        if opened is not None:
            yield Relaxation(fact=part, words=NOT_NEEDED, query=query, gate_query=opened)


def _firmness(fact: str) -> int:
    """Return how late a fact is relaxed: places, then dates, then other people, then names."""
    last = fact.rpartition(".")[2]
    if last in ("place", "birthplace"):
        return 0
    if last in ("year", "date"):
        return 1
    return 2 if "." in fact else 3


def _without(query: PersonQuery, fact: str, *, exact: bool) -> PersonQuery:
    if exact:
        return replace(query, exact=tuple(each for each in query.exact if each != fact))
    return replace(query, require=tuple(each for each in query.require if each != fact))


def _without_name(query: PersonQuery, part: str) -> PersonQuery | None:
    """Return the query without given names or surnames, if both were there and enough is left."""
    has_both = any(n.given for n in query.names) and any(n.surname for n in query.names)
    if not has_both:
        return None
    bare = (
        structs.replace(name, given="") if part == "given" else structs.replace(name, surname="")
        for name in query.names
    )
    try:
        return replace(query, names=tuple(name for name in bare if name.given or name.surname))
    except QueryError:
        return None

"""Conditions: how far does this query move each list?

A query that names a spouse makes marriages likelier; one that knows only a death makes burials
so.  The facts are read from the query alone, before anything is searched, so a list is moved as
a whole and its own order stands.
"""

from collections.abc import Iterable, Iterator

from forebear.search.fusion.shifted import ListMove
from forebear.search.model import Model
from forebear.search.query.person_query import PersonQuery


def facts_known(query: PersonQuery) -> frozenset[str]:
    """Return the names of the facts that a query has: surname, birth.year, spouse, ..."""
    return frozenset(_facts(query))


def list_move(model: Model, list_name: str, record_type: str, facts: Iterable[str]) -> ListMove:
    """Return how a model moves a list for a query that has these facts."""
    adds = model.conditions_of(list_name, record_type)
    return ListMove(
        shift=model.shift(list_name, record_type),
        slope=model.slope(list_name, record_type),
        conditions=tuple((fact, adds[fact]) for fact in sorted(facts) if adds.get(fact)),
    )


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

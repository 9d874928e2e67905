"""Filters: only records of this collection, decade or place, decided before any cut.

A filter is the value of a facet that the searcher chose.  It becomes a condition that every
candidate must hold, so what is left is ranked, counted and cut as if the rest were not there.
Several values of one facet mean any of them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from forebear.errors import QueryError
from forebear.normalize.places import place_id, read_place
from forebear.search.expansion.catalog import Condition
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.query.from_json import query_from_json
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.facets import PART, PLACE_FIELDS
from forebear.search.terms.fields import COLLECTION, terms

PLACE_FACETS = ("country", "state", "county", "town")
FILTERS = ("type", COLLECTION, "decade", *PLACE_FACETS)

Filters = tuple[tuple[str, str], ...]


def add_filters(query: PersonQuery, filters: Mapping[str, str]) -> PersonQuery:
    """Return a query with more filters, as if they had been asked with it."""
    if not filters:
        return query
    value = json.loads(query.source)
    return query_from_json({**value, "filters": {**value.get("filters", {}), **filters}})


def types_wanted(filters: Filters) -> tuple[str, ...]:
    """Return the record types that filters ask for."""
    return tuple(value for facet, value in filters if facet == "type")


def filter_conditions(
    filters: Filters, collections: Iterable[str], knowledge: Knowledge
) -> tuple[Condition, ...]:
    """Return what every candidate of a list of these collections must hold."""
    values: dict[str, list[str]] = {}
    for facet, value in filters:
        if facet not in FILTERS:
            raise QueryError(f"cannot filter by {facet!r}", hint=f"filter by {', '.join(FILTERS)}")
        values.setdefault(facet, []).append(value)
    return tuple(_conditions(values, frozenset(collections), knowledge))


def _conditions(
    values: dict[str, list[str]], collections: frozenset[str], knowledge: Knowledge
) -> Iterator[Condition]:
    for facet, wanted in values.items():
        if facet == COLLECTION:
            yield terms(COLLECTION, wanted)
        elif facet == "decade":
            parts = knowledge.parts_of(collections)
            yield terms(PART, (part for part in parts if part.rsplit("/", 2)[1] in wanted))
        elif facet in PLACE_FACETS:
            ids = [_place(value) for value in wanted]
            yield frozenset().union(*(terms(field, ids) for field in PLACE_FIELDS))


def _place(text: str) -> str:
    """Return the id of a place given by its id, as facets have it, or in words."""
    place = None if text.startswith("p:") else read_place(text).place
    return place_id(place.levels) if place else text

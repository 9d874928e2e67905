"""Facets: how the candidates of a list spread over collections, decades and places.

The counts are of records, each counted once in a value, and they are true: over everything
that passes the gate and the filters and that the viewer may see, not only over the hits
shown, and without the narrowing that spares the score.

A facet is read off a persona's terms, one term at a time, so every storage counts the same
thing, and a value chosen by a user is again a condition that a gate can require.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from forebear.normalize.places import ids_by_level
from forebear.records.record import Place
from forebear.search.terms.term import COLLECTION, field_of, value_of

# The fields that facets are read from.
PART = "record.part"
PLACE_FIELDS = ("event.place", "residence.place")
FACET_FIELDS = (COLLECTION, PART, *PLACE_FIELDS)

Facet = tuple[str, str]  # which facet, and its value


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFacets:
    """What passes a list's gate, and how it spreads."""

    name: str
    record_type: str
    records: int
    candidates: int  # personas
    excluded: int  # personas left out because the dates make it impossible
    counts: Mapping[str, Mapping[str, int]]  # records by facet and value


@lru_cache(maxsize=100_000)
def facet_of(term: str) -> Facet | None:
    """Return the facet and value that a term gives, if it gives one.

    >>> facet_of("record.part=baptisms/1850/child")
    ('decade', '1850')
    >>> facet_of("event.place=p:suffolk,england")
    ('county', 'p:suffolk,england')
    """
    field, value = field_of(term), value_of(term)
    if field == COLLECTION:
        return COLLECTION, value
    if field == PART:
        return "decade", value.rsplit("/", 2)[1]
    if field not in PLACE_FIELDS:
        return None
    levels = tuple(value.removeprefix("p:").split(","))
    by_level = ids_by_level(Place(text="", levels=levels))
    return next(((level, id_) for level, id_ in by_level.items() if id_ == value), None)


def count_facets(found: Mapping[Facet, int]) -> dict[str, dict[str, int]]:
    """Return counts by facet and value, the commonest value of a facet first."""
    counts: dict[str, dict[str, int]] = {}
    for (facet, value), records in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])):
        counts.setdefault(facet, {})[value] = records
    return dict(sorted(counts.items()))

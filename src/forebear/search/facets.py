"""How do records spread over types, collections, time and place, and how are they filtered by it?

The counts are of records, each counted once in a value, and they are true: over everything that
passes the gate and the filters and that the viewer may see, not only over the hits shown, and
without the narrowing that spares the score.  A record is in one list, so those of the lists add up.

A facet is read off a persona's terms, one term at a time, so every storage counts the same thing.
A filter is the value of a facet that the searcher chose.  It becomes a condition that every
candidate must meet, so what is left is ranked, counted and cut as if the rest were not there.
Several values of one facet mean any of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from forebear.errors import QueryError
from forebear.normalize.place_levels import ids_by_level, place_id
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Place
from forebear.search.expansion.catalog import Condition
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.terms.term import COLLECTION, field_of, terms, value_of

# The fields that facets are read from.
PART = "record.part"
PLACE_FIELDS = ("event.place", "residence.place")
FACET_FIELDS = (COLLECTION, PART, *PLACE_FIELDS)

PLACE_FACETS = ("country", "state", "county", "town")
UNDATED = "undated"  # the decade of records without a date
FILTERS = ("type", COLLECTION, "decade", *PLACE_FACETS)

Filters = tuple[tuple[str, str], ...]
FacetKey = tuple[str, str]  # which facet, and its value


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
def facet_of(term: str) -> FacetKey | None:
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


def count_facets(counted: Mapping[FacetKey, int]) -> dict[str, dict[str, int]]:
    """Return counts by facet and value, the commonest value of a facet first."""
    counts: dict[str, dict[str, int]] = {}
    for (facet, value), records in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])):
        counts.setdefault(facet, {})[value] = records
    return dict(sorted(counts.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetValue:
    """One value of a facet, and how many records have it."""

    value: str  # as a filter takes it
    words: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """How the records of a result spread over one thing."""

    name: str  # as a filter takes it
    values: tuple[FacetValue, ...]  # decades in their order, others the commonest first


def merge_facets(lists: Sequence[ListFacets]) -> tuple[Facet, ...]:
    """Return the facets of a result from those of its lists."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FILTERS}
    for list_ in lists:
        counts["type"][list_.record_type] += list_.records
        for name, values in list_.counts.items():
            counts.setdefault(name, Counter()).update(values)
    return tuple(
        Facet(name=name, values=_values(name, of_name))
        for name, of_name in counts.items()
        if +of_name
    )


def _values(name: str, counts: Counter[str]) -> tuple[FacetValue, ...]:
    def place(value: str) -> tuple[object, ...]:
        return (value,) if name == "decade" else (-counts[value], value)

    return tuple(
        FacetValue(value=value, words=facet_words(name, value), records=counts[value])
        for value in sorted(+counts, key=place)
    )


def facet_words(name: str, value: str) -> str:
    """Return a value of a facet for people.

    >>> facet_words("county", "p:suffolk,england"), facet_words("decade", "1850")
    ('Suffolk, England', '1850s')
    """
    if name == "type":
        return RECORD_TYPES[value].title
    if name == "decade":
        return f"{value}s" if value.lstrip("-").isdigit() else UNDATED
    if name in PLACE_FACETS:
        return ", ".join(part.title() for part in value.removeprefix("p:").split(","))
    return value


def types_of_filters(filters: Filters) -> tuple[str, ...]:
    """Return the record types that filters select, each given by its name or its title."""
    return tuple(_record_type(value) for facet, value in filters if facet == "type")


def filter_conditions(
    filters: Filters, collections: Iterable[str], knowledge: Knowledge
) -> tuple[Condition, ...]:
    """Return what every candidate of a list of these collections must meet."""
    values: dict[str, list[str]] = {}
    for facet, value in filters:
        if facet not in FILTERS:
            raise QueryError(f"cannot filter by {facet!r}", hint=f"filter by {', '.join(FILTERS)}")
        values.setdefault(facet, []).append(value)
    return tuple(_conditions(values, frozenset(collections), knowledge))


def _conditions(
    values: dict[str, list[str]], collections: frozenset[str], knowledge: Knowledge
) -> Iterator[Condition]:
    for facet, chosen in values.items():
        if facet == COLLECTION:
            yield terms(COLLECTION, chosen)
        elif facet == "decade":
            decades = {_decade(value) for value in chosen}
            parts = knowledge.parts_of(collections)
            yield terms(PART, (part for part in parts if part.rsplit("/", 2)[1] in decades))
        elif facet in PLACE_FACETS:
            ids = [_place(value) for value in chosen]
            yield frozenset().union(*(terms(field, ids) for field in PLACE_FIELDS))


def _record_type(text: str) -> str:
    by_word = {kind.title.casefold(): kind.name for kind in RECORD_TYPES.values()}
    name = by_word.get(text.casefold(), text)
    if name not in RECORD_TYPES:
        raise QueryError(f"unknown record type {text!r}", hint=f"types: {', '.join(RECORD_TYPES)}")
    return name


def _decade(text: str) -> str:
    """Return a decade as terms have it, given so, as facets print it, or by a year of it.

    >>> _decade("1820s"), _decade("1820"), _decade("1824")
    ('1820', '1820', '1820')
    """
    number = text.removesuffix("s")
    if text != UNDATED and not number.removeprefix("-").isdecimal():
        raise QueryError(
            f"found {text!r}, expected a decade", hint=f"for example 1850, 1850s or {UNDATED}"
        )
    return text if text == UNDATED else f"{int(number) // 10}0"


def _place(text: str) -> str:
    """Return the id of a place given by its id, as facets have it, or in words."""
    place = None if text.startswith("p:") else read_place(text).place
    return place_id(place.levels) if place else text

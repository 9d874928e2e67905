"""Facets of the whole answer: how everything found spreads over types, shelves, time and place.

Every list counts its own candidates, truly and for the viewer; a record stands in one list, so
the counts of the lists add up.  A value can be chosen as a filter under the same two words.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from forebear.records.collections import RECORD_TYPES
from forebear.search.record_search.facets import ListFacets
from forebear.search.results.filters import FILTERS, PLACE_FACETS, UNDATED


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetValue:
    """One value of a facet, and how many records have it."""

    value: str  # as a filter takes it
    words: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """How the records found spread over one thing."""

    name: str  # as a filter takes it
    values: tuple[FacetValue, ...]  # decades in their order, others the commonest first


def merge_facets(lists: Sequence[ListFacets]) -> tuple[Facet, ...]:
    """Return the facets of an answer whose lists count so."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FILTERS}
    for each in lists:
        counts["type"][each.record_type] += each.records
        for name, values in each.counts.items():
            counts.setdefault(name, Counter()).update(values)
    return tuple(
        Facet(name=name, values=_values(name, found)) for name, found in counts.items() if +found
    )


def _values(name: str, found: Counter[str]) -> tuple[FacetValue, ...]:
    def place(value: str) -> tuple[object, ...]:
        return (value,) if name == "decade" else (-found[value], value)

    return tuple(
        FacetValue(value=value, words=facet_words(name, value), records=found[value])
        for value in sorted(+found, key=place)
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

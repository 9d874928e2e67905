"""Browsing: a collection by place and year, in the order of the register, and a row's neighbors.

Where search fails people turn pages.  A collection, or what of it lies in a place or a year, is
counted by decade and place like any list of a search, and its rows stand in the order in which
they stood in their source, so that twins, sponsors and whole families stand together.
"""

from collections.abc import Sequence

from forebear.errors import InputError
from forebear.normalize.places import place_id, read_place
from forebear.records.collections import Collection
from forebear.search.expansion.catalog import Branch
from forebear.search.expansion.facts import resolve_place
from forebear.search.expansion.gate import Gate
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.record_search.facets import PLACE_FIELDS
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.store import CollectionRow
from forebear.search.terms.fields import COLLECTION, terms

ROWS_A_PAGE = 50


def collection_search(
    collection: Collection, knowledge: Knowledge, *, place: str = "", year: int | None = None
) -> ListSearch:
    """Return the search that finds a collection, or what of it is of a place and a year."""
    required = []
    if place:
        ids = _place_ids(place, knowledge)
        required.append(frozenset().union(*(terms(field, ids) for field in PLACE_FIELDS)))
    if year is not None:
        required.append(terms("event.year", [year]))
    whole = Branch(name="collection", conditions=(terms(COLLECTION, [collection.name]),))
    return ListSearch(
        name=collection.name,
        record_type=collection.record_type,
        collections=(collection.name,),
        gate=Gate(branches=(whole,), required=tuple(required)),
        clauses=(),
        weights=(),
    )


def neighbors(
    rows: Sequence[CollectionRow], record_key: str, *, around: int
) -> list[CollectionRow]:
    """Return a row with this many before and after it in its source, in their order."""
    ordered = sorted(rows, key=lambda row: row.place)
    at = next(i for i, row in enumerate(ordered) if row.record_key == record_key)
    near = ordered[max(0, at - around) : at + around + 1]
    return [row for row in near if row.file == ordered[at].file]


def _place_ids(text: str, knowledge: Knowledge) -> list[str]:
    if text.startswith("p:"):
        return [text]
    place = read_place(text).place
    if place is None:
        raise InputError(f"place: {text!r} names no place", hint="write it like Layham, Suffolk")
    return [place_id(found.levels) for found in resolve_place(place, knowledge)]

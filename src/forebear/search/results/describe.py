"""How is a record described in a few words, and which rows of its collection are next to it?

Where search fails people turn pages.  A collection, or what of it is of a place or a year, is
counted by decade and place like any list of a search, and its rows are in the order of their
source, so that twins, sponsors and whole families are next to each other.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass

from forebear.errors import InputError
from forebear.normalize.place_levels import place_id
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Name, Persona, Record, relation_between
from forebear.search.expansion.catalog import Branch
from forebear.search.expansion.facts import resolve_place
from forebear.search.expansion.gate import Gate
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.facets import PLACE_FIELDS, Facet, merge_facets
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.store import CollectionRow, SearchStore, source_position
from forebear.search.terms.term import COLLECTION, terms

LIVING = "living"  # instead of the name of a person who may be
ROWS_A_PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a page shows of a hit."""

    record_key: str
    record_type: str
    title: str  # the type in words
    name: str
    role: str
    date: str
    place: str
    age: str
    relatives: tuple[str, ...]  # "father Thomas Green"
    source: str


def describe(record: Record, position: int, group: Sequence[Record]) -> Description:
    """Return a record in a few words, seen from one of its personas."""
    persona = record.personas[position]
    others = [other for member in group for other in member.personas if other is not persona]
    event = record.event
    return Description(
        record_key=record.key,
        record_type=record.record_type,
        title=RECORD_TYPES[record.record_type].title,
        name=display_name(persona),
        role=persona.role.replace("_", " "),
        date=event.date.text if event.date else "",
        place=event.place.text if event.place else "",
        age=persona.age.text if persona.age else "",
        relatives=tuple(_relatives(persona, others)),
        source=record.source,
    )


def _relatives(persona: Persona, others: Sequence[Persona]) -> list[str]:
    words = {
        "spouse": {"f": "wife", "m": "husband", None: "spouse"},
        "parent": {"f": "mother", "m": "father", None: "parent"},
        "child": {"f": "daughter", "m": "son", None: "child"},
        "sibling": {"f": "sister", "m": "brother", None: "sibling"},
    }
    return [
        f"{words[relation][other.sex]} {display_name(other)}"
        for other in others
        if (relation := relation_between(persona, other)) in words
        and (other.names or other.is_masked)
    ]


def display_name(persona: Persona) -> str:
    """Return the name of a person as it is shown; that of one who may be living is not."""
    if persona.is_masked:
        return LIVING
    return " or ".join(_written(name) for name in persona.names) or "(no name)"


def _written(name: Name) -> str:
    return " ".join(part for part in (name.title, name.given, name.surname, name.suffix) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionPage:
    """A page of a collection, or of a part of it."""

    total: int  # records on all pages
    facets: tuple[Facet, ...]  # of all pages
    rows: tuple[CollectionRow, ...]
    before: str  # cursors of the pages next to this one, "" where there is none
    after: str


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


def browse(
    store: SearchStore,
    search: ListSearch,
    viewer: Viewer,
    *,
    size: int,
    after: str = "",
    before: str = "",
) -> CollectionPage:
    """Return a page of rows: the first, or the one after or before a row that a cursor names."""
    facets = store.facets([search], viewer=viewer)
    rows = store.browse(
        search,
        viewer=viewer,
        limit=size,
        after=parse_row(after) if after else None,
        before=parse_row(before) if before else None,
    )
    has_earlier = rows and store.browse(search, viewer=viewer, limit=1, before=rows[0])
    has_later = rows and store.browse(search, viewer=viewer, limit=1, after=rows[-1])
    return CollectionPage(
        total=sum(counted.records for counted in facets),
        facets=merge_facets(facets),
        rows=tuple(rows),
        before=row_cursor(rows[0]) if has_earlier else "",
        after=row_cursor(rows[-1]) if has_later else "",
    )


def neighbors(
    store: SearchStore, search: ListSearch, viewer: Viewer, record: Record, *, around: int
) -> list[CollectionRow]:
    """Return the row of a record with this many before and after it in its source."""
    row = CollectionRow(position=source_position(record.source), record_key=record.key)
    rows = [
        *store.browse(search, viewer=viewer, limit=around, before=row),
        row,
        *store.browse(search, viewer=viewer, limit=around, after=row),
    ]
    return [near for near in rows if near.file == row.file]


def row_cursor(row: CollectionRow) -> str:
    """Return the text by which an address or a command names a row."""
    text = json.dumps(row.place, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def parse_row(cursor: str) -> CollectionRow:
    """Return the row that a cursor names."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        position, key = json.loads(base64.urlsafe_b64decode(padded.encode("ascii")))
        (position + key).encode()  # texts, and such as a storage can hold
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(
            f"{cursor[:20]!r} is not a cursor", hint="use what the page before gave"
        ) from None
    return CollectionRow(position=position, record_key=key)


def _place_ids(text: str, knowledge: Knowledge) -> list[str]:
    if text.startswith("p:"):
        return [text]
    place = read_place(text).place
    if place is None:
        raise InputError(f"place: {text!r} names no place", hint="write it like Layham, Suffolk")
    return [place_id(meant.levels) for meant in resolve_place(place, knowledge)]

"""What does a page show of a record, and what of the collection it is in?

Of a record: its parsed facts, everyone on it, and the source's row.  Of a collection: its facets,
and its rows in the source's order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from forebear.archive import Archive
from forebear.errors import InputError
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Age, Day, Event, HistoricalDate, Persona, Place, Record
from forebear.search.results.describe import ROWS_A_PAGE, Description, describe
from forebear.search.store import CollectionRow
from forebear.server.result_view import record_address

SEXES = {"f": "female", "m": "male"}
BROWSED = ("county", "town", "decade")  # facets that a collection is browsed by
AROUND = 10  # rows before and after a record


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a record says of one thing, and how it was understood."""

    title: str
    written: str
    meaning: str = ""  # empty where the words say it all


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaView:
    """A person on a record, in words."""

    name: str
    role: str
    address: str  # of the person's record, if that is another one
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView:
    """A record in words."""

    key: str
    record_type: str
    title: str
    name: str  # whom it is about
    facts: tuple[Fact, ...]
    people: tuple[PersonaView, ...]
    household: tuple[PersonaView, ...]
    row: tuple[tuple[str, str], ...]


def view_record(archive: Archive, record_key: str, *, back: str) -> RecordView:
    """Return what a page shows of a record that the public may see."""
    viewer = archive.viewer("public")
    record = archive.record(record_key, viewer=viewer)
    mates = [
        mate for mate in archive.household(record_key, viewer=viewer) if mate.key != record.key
    ]
    people = tuple(_view_persona(record, i) for i in range(len(record.personas)))
    return RecordView(
        key=record.key,
        record_type=record.record_type,
        title=RECORD_TYPES[record.record_type].title,
        name=" and ".join(_principals(record, people)),
        facts=tuple(_record_facts(record)),
        people=people,
        household=tuple(
            _view_persona(mate, i, address=record_address(mate.key, back))
            for mate in mates
            for i in range(len(mate.personas))
        ),
        row=tuple((column, value) for column, value in record.row if value.strip()),
    )


def _principals(record: Record, people: tuple[PersonaView, ...]) -> Iterator[str]:
    for persona, view in zip(record.personas, people, strict=True):
        if persona.is_principal:
            yield view.name


def _view_persona(record: Record, position: int, *, address: str = "") -> PersonaView:
    description = describe(record, position, [record])
    return PersonaView(
        name=description.name,
        role=description.role,
        address=address,
        facts=tuple(_persona_facts(record.personas[position])),
    )


def _record_facts(record: Record) -> Iterator[Fact]:
    if record.subtype:
        yield Fact(title="kind", written=record.subtype)
    yield from _event_facts(record.event, "date", "place")
    if record.text:
        yield Fact(title="notes", written=record.text)
    yield Fact(title="collection", written=record.collection)
    if record.source:
        yield Fact(title="source", written=record.source)


def _persona_facts(persona: Persona) -> Iterator[Fact]:
    if persona.sex:
        yield Fact(title="sex", written=SEXES[persona.sex])
    if persona.age:
        yield Fact(title="age", written=persona.age.text, meaning=age_meaning(persona.age))
    for title, written in (
        ("status", persona.marital),
        ("occupation", persona.occupation),
        ("religion", persona.religion),
    ):
        if written:
            yield Fact(title=title, written=written)
    for event in persona.events:
        yield from _event_facts(event, event.kind, event.kind)


def _event_facts(event: Event, date_title: str, place_title: str) -> Iterator[Fact]:
    if event.date:
        yield Fact(title=date_title, written=event.date.text, meaning=date_meaning(event.date))
    if event.place:
        yield Fact(title=place_title, written=event.place.text, meaning=place_meaning(event.place))


def date_meaning(date: HistoricalDate) -> str:
    """Return the days that a date is taken to mean."""
    if not date.is_known:
        return "not understood"
    if date.start == date.end:
        return str(date.start)
    return _interval(date.start, date.end)


def age_meaning(age: Age) -> str:
    """Return when a person of an age was born."""
    if age.born_from is None and age.born_to is None:
        return "not understood"
    return f"born {_interval(age.born_from, age.born_to)}"


def place_meaning(place: Place) -> str:
    """Return the levels that a place is taken to have, unless the words say as much."""
    levels = ", ".join(place.levels)
    return "" if levels == place.text.lower() else levels


def _interval(start: Day | None, end: Day | None) -> str:
    if start is None or end is None:
        return f"{end} or before" if start is None else f"{start} or after"
    return f"{start} to {end}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A row of a collection in a few words."""

    description: Description
    address: str
    is_this: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLink:
    """A part of a collection, with its address."""

    words: str
    records: int
    address: str  # "" where a part is only counted


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionView:
    """A page of a collection."""

    name: str
    title: str
    place: str
    year: str
    total: int
    parts: tuple[tuple[str, tuple[PartLink, ...]], ...]  # by facet
    rows: tuple[RowView, ...]
    earlier: str  # addresses, "" where there is no such page
    later: str


def view_collection(
    archive: Archive, collection: str, *, place: str, year: str, after: str, before: str
) -> CollectionView:
    """Return what a page shows of a collection, or of a part of it."""
    if year and not year.isdecimal():
        raise InputError(f"year: found {year[:20]!r}, expected a year such as 1851")
    viewer = archive.viewer("public")
    about = archive.collection(collection, viewer=viewer)
    page = archive.browse(
        collection,
        viewer=viewer,
        place=place,
        year=int(year) if year else None,
        after=after,
        before=before,
        size=ROWS_A_PAGE,
    )
    parts = tuple(
        (
            facet.name,
            tuple(
                PartLink(
                    words=value.words,
                    records=value.records,
                    address=""
                    if facet.name == "decade"
                    else collection_address(collection, place=value.value, year=year),
                )
                for value in facet.values
            ),
        )
        for facet in page.facets
        if facet.name in BROWSED
    )

    def turn(**cursor: str) -> str:
        return collection_address(collection, place=place, year=year, **cursor)

    return CollectionView(
        name=collection,
        title=about.title or collection,
        place=place,
        year=year,
        total=page.total,
        parts=parts,
        rows=tuple(_view_rows(archive, page.rows)),
        earlier=turn(before=page.before) if page.before else "",
        later=turn(after=page.after) if page.after else "",
    )


def view_neighbors(archive: Archive, record_key: str, *, back: str) -> tuple[RowView, ...]:
    """Return the rows around a record in its source, itself among them."""
    viewer = archive.viewer("public")
    rows = archive.neighbors(record_key, viewer=viewer, around=AROUND)
    return tuple(_view_rows(archive, rows, this=record_key, back=back))


def collection_address(collection: str, **parameters: str) -> str:
    """Return the address of a part of a collection, or of a page of it."""
    query = urlencode([(name, value) for name, value in parameters.items() if value])
    return f"/browse/{quote(collection)}" + (f"?{query}" if query else "")


def _view_rows(
    archive: Archive, rows: Sequence[CollectionRow], *, this: str = "", back: str = ""
) -> Iterable[RowView]:
    viewer = archive.viewer("public")
    for row in rows:
        yield RowView(
            description=archive.describe(row.record_key, 0, viewer=viewer),
            address=record_address(row.record_key, back),
            is_this=row.record_key == this,
        )

"""How does a row become a record, and when does it not?

A row is refused only if there is nothing to search for: the mapping says that such rows
are no records, or nobody on it has a name.  Everything else is a warning.  The row is kept
whole beside what was understood of it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from forebear.errors import RecordError
from forebear.ingest.cells import CellCleaner, Cells, join_all
from forebear.ingest.columns import Mapping
from forebear.ingest.facts import Facts
from forebear.ingest.issues import Issue
from forebear.ingest.read_personas import read_personas
from forebear.ingest.readers.table import Row
from forebear.normalize.places import parse_place
from forebear.records.dates import HistoricalDate
from forebear.records.events import Event
from forebear.records.personas import Persona
from forebear.records.places import Place
from forebear.records.record import Record
from forebear.records.record_types import RECORD_TYPES

KEPT_EVENTS = 1 << 16


class ReadRecord(NamedTuple):
    """A record, and what was not understood on the way."""

    record: Record
    warnings: tuple[Issue, ...] = ()


class RecordReader:
    """Makes records of the rows of one file."""

    def __init__(self, mapping: Mapping, *, file_name: str) -> None:
        self._mapping = mapping
        self._file_name = file_name
        self._cleaner = CellCleaner(mapping)
        self._event_kind = RECORD_TYPES[mapping.collection.record_type].event
        self._events: dict[tuple[int, int], Event] = {}
        self._usual_place = parse_place(mapping.collection.place)
        self._group_cleaner = CellCleaner(mapping, only=mapping.record.group)
        self._refused = [
            (rule.column, {value.casefold() for value in rule.values}, rule.reason)
            for rule in mapping.refuse
        ]

    def read(self, row: Row) -> ReadRecord:
        """Return the record of a row; raise ``RecordError`` with the reason if there is none."""
        mapping, columns = self._mapping, self._mapping.record
        cells = self._cleaner.clean(row.values)
        facts = Facts(cells, line=row.line, country=mapping.collection.country)
        if row.fault:
            facts.warn("cells and headings differ", row.fault)
        self._refuse_if_told(cells)
        date = (facts.census_date if columns.census_day else facts.date)(columns.date)
        personas = self._read_personas(facts, date)
        source = f"{self._file_name}:{row.line}"
        record = Record(
            collection=mapping.collection.name,
            id=self._read_id(facts, source),
            record_type=mapping.collection.record_type,
            event=self._read_event(facts, date),
            personas=personas,
            subtype=facts.text(columns.subtype) or mapping.collection.subtype,
            group=(join_all(cells, columns.group) or None) if columns.group else None,
            text="; ".join(facts.texts(columns.text)) if columns.text else "",
            row=tuple(row.values.items()),
            source=source,
            events=tuple(self._read_events(facts)) if columns.events else (),
            citation=", ".join(facts.texts(columns.citation)) if columns.citation else "",
            image=facts.text(columns.image) if columns.image else "",
        )
        return ReadRecord(record=record, warnings=tuple(facts.warnings))

    def group_of(self, row: Row) -> str:
        """Return the group that a row belongs to; nothing if to none."""
        columns = self._mapping.record.group
        return join_all(self._group_cleaner.clean(row.values), columns)

    def _refuse_if_told(self, cells: Cells) -> None:
        for column, values, reason in self._refused:
            if cells.get(column, "").casefold() in values:
                raise RecordError(reason)

    def _read_event(self, facts: Facts, date: HistoricalDate | None) -> Event:
        place = facts.place(self._mapping.record.place, country=facts.country)
        return self._event(date, place or self._usual_place)

    def _event(self, date: HistoricalDate | None, place: Place | None) -> Event:
        """Return the record's own event; those of one register's day and place are one.

        Day and place are told by identity, for they were read once; the event keeps them.
        """
        found = self._events.get((id(date), id(place)))
        if found is None:
            if len(self._events) >= KEPT_EVENTS:
                self._events.clear()
            found = Event(kind=self._event_kind, date=date, place=place)
            self._events[id(date), id(place)] = found
        return found

    def _read_events(self, facts: Facts) -> Iterator[Event]:
        for kind, columns in self._mapping.record.events.items():
            if event := facts.event(kind, columns):
                yield event

    def _read_personas(self, facts: Facts, date: HistoricalDate | None) -> tuple[Persona, ...]:
        record_type = self._mapping.collection.record_type
        personas = [
            persona
            for columns in self._mapping.persona
            for persona in read_personas(facts, columns, at=date, record_type=record_type)
        ]
        if not any(persona.names for persona in personas):
            raise RecordError("no name at all")
        return tuple(personas)

    def _read_id(self, facts: Facts, source: str) -> str:
        """Return the source's own id, else file and line, without blanks, which part runs."""
        columns = self._mapping.record.id
        own = join_all(facts.cells, columns)
        if columns and not own:
            facts.warn("no id of its own", f"known as {source}")
        return own if own.isalnum() else "_".join((own or source).split())

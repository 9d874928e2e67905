"""How does a row become a record, and when does it not?

A row is refused only if there is nothing to search for: the mapping says that such rows
are no records, or nobody on it has a name.  Everything else is a warning.  The row is kept
whole beside what was understood of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from forebear.errors import RecordError
from forebear.ingest.columns import Mapping
from forebear.ingest.facts import Facts
from forebear.ingest.issues import Issue
from forebear.ingest.read_personas import read_personas
from forebear.ingest.readers.table import Row
from forebear.normalize.places import parse_place
from forebear.records.dates import HistoricalDate
from forebear.records.events import Event
from forebear.records.personas import Persona
from forebear.records.record import Record
from forebear.records.record_types import ALL_RECORD_TYPES


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRecord:
    """A record, and what was not understood on the way."""

    record: Record
    warnings: tuple[Issue, ...] = ()


def read_record(row: Row, mapping: Mapping, *, file_name: str) -> ReadRecord:
    """Return the record of a row; raise ``RecordError`` with the reason if there is none."""
    facts = Facts(row, mapping)
    _refuse_if_told(facts, mapping)
    date = _read_date(facts, mapping)
    personas = _read_personas(facts, mapping, date)
    columns, source = mapping.record, f"{file_name}:{row.line}"
    record = Record(
        collection=mapping.collection.name,
        id=_read_id(facts, mapping, source),
        record_type=mapping.collection.record_type,
        event=_read_event(facts, mapping, date),
        personas=personas,
        subtype=facts.text(columns.subtype) or mapping.collection.subtype,
        group=facts.cells.all_or_none(columns.group) or None,
        text="; ".join(facts.cells.filled(columns.text)),
        row=tuple(row.values.items()),
        source=source,
        events=tuple(_read_events(facts, mapping)),
        citation=", ".join(facts.cells.filled(columns.citation)),
        image=facts.text(columns.image),
    )
    return ReadRecord(record=record, warnings=tuple(facts.warnings))


def _refuse_if_told(facts: Facts, mapping: Mapping) -> None:
    for rule in mapping.refuse:
        cell = facts.cells.get(rule.column).casefold()
        if cell in (value.casefold() for value in rule.values):
            raise RecordError(rule.reason)


def _read_date(facts: Facts, mapping: Mapping) -> HistoricalDate | None:
    columns = mapping.record
    return (facts.census_date if columns.census_day else facts.date)(columns.date)


def _read_event(facts: Facts, mapping: Mapping, date: HistoricalDate | None) -> Event:
    kind = ALL_RECORD_TYPES[mapping.collection.record_type].event
    place = facts.place(mapping.record.place, country=facts.country)
    place = place or parse_place(mapping.collection.place)
    return Event(kind=kind, date=date, place=place)


def _read_events(facts: Facts, mapping: Mapping) -> Iterator[Event]:
    for kind, columns in mapping.record.events.items():
        if event := facts.event(kind, columns):
            yield event


def _read_personas(
    facts: Facts, mapping: Mapping, date: HistoricalDate | None
) -> tuple[Persona, ...]:
    record_type = mapping.collection.record_type
    personas = tuple(
        persona
        for columns in mapping.persona
        for persona in read_personas(facts, columns, at=date, record_type=record_type)
    )
    if not any(persona.names for persona in personas):
        raise RecordError("no name at all")
    return personas


def _read_id(facts: Facts, mapping: Mapping, source: str) -> str:
    """Return the source's own id, else file and line, without blanks: runs are parted by them."""
    columns = mapping.record.id
    own = facts.cells.all_or_none(columns)
    if columns and not own:
        facts.warn("no id of its own", f"known as {source}")
    return "_".join((own or source).split())

"""How does a row become a record, and when does it not?

A row is refused only if there is nothing to search for: the mapping says that such rows
are no records, or no person on it has a name.  Everything else is a warning.  The row is kept
whole beside what was understood of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from forebear.errors import RecordError
from forebear.ingest.cells import Cells
from forebear.ingest.facts import CENSUS_DATES, Facts, Warnings
from forebear.ingest.issues import Issue
from forebear.ingest.mapping import Columns, Mapping, RefusalRule
from forebear.ingest.pieces import KEPT_ANSWERS, Piece, Pieces
from forebear.ingest.read_personas import PersonaReader, event_piece
from forebear.ingest.readers.source import Entry
from forebear.ingest.readers.table import Row
from forebear.normalize.dates import NO_CONTEXT
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Event, HistoricalDate, Persona, Place, Record

MAX_FACT_CHARACTERS = 10_000  # of a name, a date or a place


class ReadRecord(NamedTuple):
    """A record, and what was not understood on the way."""

    record: Record
    warnings: tuple[Issue, ...] = ()


class RecordReader:
    """Makes records of the rows of one file."""

    def __init__(self, mapping: Mapping, *, file_name: str, headings: Sequence[str] = ()) -> None:
        """Read through a mapping; ``headings`` are those that every row without a fault has."""
        pieces, columns = Pieces(mapping), mapping.record
        self._mapping = mapping
        self._file_name = file_name
        self._fact_columns = mapping.columns - set(columns.text)
        self._refusal = mapping.refuse and pieces.piece(
            tuple(rule.column for rule in mapping.refuse), partial(_refusal, rules=mapping.refuse)
        )
        context = CENSUS_DATES if columns.census_day else NO_CONTEXT
        self._date = pieces.piece(
            columns.date, lambda facts: facts.date(columns.date, context=context)
        )
        usual_place = read_place(mapping.collection.place).place
        self._place = pieces.piece(
            columns.place,
            lambda facts: facts.place(columns.place, country=facts.country) or usual_place,
        )
        self._personas = [
            PersonaReader(columns_of_persona, pieces, record_type=mapping.collection.record_type)
            for columns_of_persona in mapping.persona
        ]
        self._event_kind = RECORD_TYPES[mapping.collection.record_type].event
        self._events_made: dict[tuple[int, int], Event] = {}
        self._id = _joined(pieces, columns.id)
        self._group = columns.group and _joined(pieces, columns.group)
        self._subtype = columns.subtype and pieces.text(columns.subtype)
        self._texts = [pieces.text((column,)) for column in columns.text]
        self._citations = [pieces.text((column,)) for column in columns.citation]
        self._image = columns.image and pieces.text(columns.image)
        self._events = [event_piece(pieces, *event) for event in columns.events.items()]
        self._blank = dict.fromkeys(pieces.columns, "")
        self._is_whole = pieces.columns <= set(headings)
        self._group_places = [
            (column, headings.index(column))
            for column in pieces.sources(columns.group)
            if self._is_whole
        ]

    def read_entry(self, row: Row) -> Entry:
        """Return a row as an entry: its record, or why it is none."""
        try:
            record, warnings = self.read(row)
        except RecordError as error:
            refusal = Issue(line=row.line, reason=error.message)
            cells = tuple(row.values.items())
            return Entry(line=row.line, refusal=refusal, cells=cells, bytes_done=row.bytes_done)
        return Entry(line=row.line, records=(record,), warnings=warnings, bytes_done=row.bytes_done)

    def read(self, row: Row) -> ReadRecord:
        """Return the record of a row; raise ``RecordError`` with the reason if there is none."""
        stated, warnings = row.values, list[tuple[str, str]]()
        values = stated if self._is_whole and not row.fault else self._blank | stated
        if row.fault:
            warnings.append(("cells and headings differ", row.fault))
        if max(map(len, stated.values()), default=0) > MAX_FACT_CHARACTERS:
            self._refuse_long_facts(stated)
        if self._refusal and (reason := self._refusal(values, warnings)):
            raise RecordError(reason)
        collection = self._mapping.collection
        date = self._date(values, warnings)
        personas = self._read_personas(values, warnings, date)
        source = f"{self._file_name}:{row.line}"
        record = Record(
            collection=collection.name,
            id=self._read_id(values, warnings, source),
            record_type=collection.record_type,
            event=self._event(date, self._place(values, warnings)),
            personas=personas,
            subtype=(self._subtype and self._subtype(values, warnings)) or collection.subtype,
            group=(self._group and self._group(values, warnings)) or None,
            text=_join("; ", self._texts, values) if self._texts else "",
            row=tuple(stated.items()),
            source=source,
            events=self._read_events(values, warnings) if self._events else (),
            citation=_join(", ", self._citations, values) if self._citations else "",
            image=self._image(values, warnings) if self._image else "",
        )
        if not warnings:
            return ReadRecord(record)
        return ReadRecord(record, tuple(_issues(row.line, warnings)))

    def _refuse_long_facts(self, values: Cells) -> None:
        """Refuse a row whose name, date or place is as long as a book; texts may be."""
        for column in sorted(self._fact_columns):
            if len(values.get(column, "")) > MAX_FACT_CHARACTERS:
                raise RecordError(
                    f"more than {MAX_FACT_CHARACTERS:,} characters in {column!r}, which is no text"
                )

    def group_of(self, row: Row) -> str:
        """Return the group that a row belongs to; nothing if to none."""
        if not self._group:
            return ""
        if row.fault or not self._is_whole:
            return self._group(self._blank | row.values, [])
        return self._group({column: row.cells[place] for column, place in self._group_places}, [])

    def _event(self, date: HistoricalDate | None, place: Place | None) -> Event:
        """Return the record's own event; those of one register's day and place are one.

        Day and place are compared by identity, for they were read once; the event keeps them.
        """
        event = self._events_made.get((id(date), id(place)))
        if event is None:
            if len(self._events_made) >= KEPT_ANSWERS:
                self._events_made.clear()
            event = Event(kind=self._event_kind, date=date, place=place)
            self._events_made[id(date), id(place)] = event
        return event

    def _read_events(self, values: Cells, warnings: Warnings) -> tuple[Event, ...]:
        events = [piece(values, warnings) for piece in self._events]
        return tuple([event for event in events if event])

    def _read_personas(
        self, values: Cells, warnings: Warnings, date: HistoricalDate | None
    ) -> tuple[Persona, ...]:
        personas: list[Persona] = []
        mentioned: list[Persona] = []
        for reader in self._personas:
            personas += reader.read(values, warnings, mentioned, at=date)
        if mentioned:  # in the name of another, and without separate columns
            personas += [other for other in mentioned if not _is_among(other, personas)]
        for persona in personas:
            if persona.names:
                return tuple(personas)
        raise RecordError("no name at all")

    def _read_id(self, values: Cells, warnings: Warnings, source: str) -> str:
        """Return the source's id, else file and line, without blanks, which part runs."""
        stated = self._id(values, warnings)
        if self._mapping.record.id and not stated:
            warnings.append(("no id of its own", f"known as {source}"))
        return stated if stated.isalnum() else "_".join((stated or source).split())


def _is_among(mentioned: Persona, personas: list[Persona]) -> bool:
    """Return whether the columns of the row name this relative too."""
    return any(
        persona.names
        and (
            persona.names[0] == mentioned.names[0]
            or (persona.kin, persona.sex) == (mentioned.kin, mentioned.sex) != ("other", None)
        )
        for persona in personas
    )


def _refusal(facts: Facts, rules: Iterable[RefusalRule]) -> str:
    """Return why a row is no record, if the mapping says so."""
    for rule in rules:
        if facts.text((rule.column,)).casefold() in map(str.casefold, rule.values):
            return rule.reason
    return ""


def _joined(pieces: Pieces, columns: Columns) -> Piece[str]:
    """Return what answers with the values of columns, joined; nothing if any is missing."""
    if len(columns) <= 1:
        return pieces.text(columns)
    parts = [pieces.text((column,)) for column in columns]

    def join(values: Cells, warnings: Warnings) -> str:
        texts = [part(values, warnings) for part in parts]
        return ":".join(texts) if all(texts) else ""

    return join


def _join(mark: str, parts: Iterable[Piece[str]], values: Cells) -> str:
    return mark.join([text for part in parts if (text := part(values, []))])


def _issues(line: int, warnings: Warnings) -> Iterator[Issue]:
    """Yield each warning once, as one of the row."""
    for reason, detail in dict.fromkeys(warnings):
        yield Issue(line=line, reason=reason, detail=detail)

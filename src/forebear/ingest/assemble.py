"""How do the rows of a table become records, and when does a row not?

A row is refused only if there is nothing to search for: the mapping says that such rows
are no records, or no person on it has a name.  Everything else is a warning.  The row is kept
whole next to what was understood of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from forebear.errors import RecordError
from forebear.ingest.mapping import Mapping, RefusalRule
from forebear.ingest.people import PersonaReader
from forebear.ingest.readers.source import Entry, Row, Table, TargetCollections
from forebear.ingest.report import Issue
from forebear.ingest.understand import (
    CENSUS_DATES,
    CellFacts,
    Cells,
    Lookup,
    Lookups,
    RowCells,
    Warnings,
)
from forebear.normalize.dates import NO_CONTEXT
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Event, HistoricalDate, Persona, Record

MAX_FACT_CHARACTERS = 10_000  # of a name, a date or a place


class ReadRecord(NamedTuple):
    """A record, and what was not understood on the way."""

    record: Record
    warnings: tuple[Issue, ...] = ()


class RecordReader:
    """Makes records of the rows of one file."""

    def __init__(self, mapping: Mapping, *, file_name: str, headings: Sequence[str] = ()) -> None:
        """Read through a mapping; ``headings`` are those that every row without a fault has."""
        lookups, columns = Lookups(mapping, headings), mapping.record
        self._mapping = mapping
        self._file_name = file_name
        self._fact_columns = mapping.columns - set(columns.text)
        self._refusal = mapping.refuse and lookups.facts(
            tuple(rule.column for rule in mapping.refuse), partial(_refusal, rules=mapping.refuse)
        )
        context = CENSUS_DATES if columns.census_day else NO_CONTEXT
        self._date = lookups.facts(
            columns.date, lambda facts: facts.date(columns.date, context=context)
        )
        usual_place = read_place(mapping.collection.place).place
        self._place = lookups.facts(
            columns.place,
            lambda facts: facts.place(columns.place, country=facts.country) or usual_place,
        )
        self._personas = [
            PersonaReader(columns_of_persona, lookups, record_type=mapping.collection.record_type)
            for columns_of_persona in mapping.persona
        ]
        self._event = partial(lookups.event_of, RECORD_TYPES[mapping.collection.record_type].event)
        self._id = lookups.joined_text(columns.id)
        self._group = columns.group and lookups.joined_text(columns.group)
        self._subtype = columns.subtype and lookups.text(columns.subtype)
        self._texts = [lookups.text((column,)) for column in columns.text]
        self._citations = [lookups.text((column,)) for column in columns.citation]
        self._image = columns.image and lookups.text(columns.image)
        self._events = [lookups.event(*event) for event in columns.events.items()]
        self._row_cells = lookups.row_cells
        self._is_whole = lookups.is_whole

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
        cells, warnings = self._cells(row), list[tuple[str, str]]()
        if row.fault:
            warnings.append(("cells and headings differ", row.fault))
        if max(map(len, row.cells), default=0) > MAX_FACT_CHARACTERS:
            self._refuse_long_facts(row.values)
        if self._refusal and (reason := self._refusal(cells, warnings)):
            raise RecordError(reason)
        collection = self._mapping.collection
        date = self._date(cells, warnings)
        personas = self._read_personas(cells, warnings, date)
        source = f"{self._file_name}:{row.line}"
        record = Record(
            collection=collection.name,
            id=self._read_id(cells, warnings, source),
            record_type=collection.record_type,
            event=self._event(date, self._place(cells, warnings)),
            personas=personas,
            subtype=(self._subtype and self._subtype(cells, warnings)) or collection.subtype,
            group=(self._group and self._group(cells, warnings)) or None,
            text=_join("; ", self._texts, cells) if self._texts else "",
            row=tuple(zip(row.headings, row.cells, strict=False)),
            source=source,
            events=self._read_events(cells, warnings) if self._events else (),
            citation=_join(", ", self._citations, cells) if self._citations else "",
            image=self._image(cells, warnings) if self._image else "",
        )
        if not warnings:
            return ReadRecord(record)
        return ReadRecord(record, tuple(_issues(row.line, warnings)))

    def _cells(self, row: Row) -> RowCells:
        """Return the cells as the lookups have them."""
        return row.cells if self._is_whole and not row.fault else self._row_cells(row.values)

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
        return self._group(self._cells(row), [])

    def _read_events(self, cells: RowCells, warnings: Warnings) -> tuple[Event, ...]:
        events = [lookup(cells, warnings) for lookup in self._events]
        return tuple([event for event in events if event])

    def _read_personas(
        self, cells: RowCells, warnings: Warnings, date: HistoricalDate | None
    ) -> tuple[Persona, ...]:
        personas: list[Persona] = []
        mentioned: list[Persona] = []
        for reader in self._personas:
            personas += reader.read(cells, warnings, mentioned, at=date)
        if mentioned:  # in the name of another, and without separate columns
            personas += [other for other in mentioned if not _is_among(other, personas)]
        for persona in personas:
            if persona.names:
                return tuple(personas)
        raise RecordError("no name at all")

    def _read_id(self, cells: RowCells, warnings: Warnings, source: str) -> str:
        """Return the source's id, else file and line, without blanks, which part runs."""
        stated = self._id(cells, warnings)
        if self._mapping.record.id and not stated:
            warnings.append(("no id in the source", f"known as {source}"))
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


def _refusal(facts: CellFacts, rules: Iterable[RefusalRule]) -> str:
    """Return why a row is no record, if the mapping says so."""
    for rule in rules:
        if facts.text((rule.column,)).casefold() in map(str.casefold, rule.values):
            return rule.reason
    return ""


def _join(mark: str, parts: Iterable[Lookup[str]], cells: RowCells) -> str:
    return mark.join([text for part in parts if (text := part(cells, []))])


def _issues(line: int, warnings: Warnings) -> Iterator[Issue]:
    """Yield each warning once, as one of the row."""
    for reason, detail in dict.fromkeys(warnings):
        yield Issue(line=line, reason=reason, detail=detail)


class TableSource:
    """The rows of a table."""

    def __init__(self, table: Table, target: TargetCollections, mapping: Mapping) -> None:
        self._table = table
        self._reader = RecordReader(mapping, file_name=table.path.name, headings=table.headings)
        self.mapping = mapping
        self.headings = table.headings
        self.path = table.path
        self.target = target
        self.size_bytes = table.size_bytes
        self.notes = table.notes
        self.has_groups = bool(mapping.record.group)

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each row."""
        return map(self._reader.read_entry, self._table.rows())

    def chunks(self, size: int) -> Iterator[tuple[list[Row], frozenset[str]]]:
        """Yield the rows in chunks of at least this many, and which groups of a chunk stand apart.

        No chunk ends between rows of one group that follow each other.
        """
        apart = self._find_apart() if self.has_groups else frozenset[str]()
        rows: list[Row] = []
        apart_here: set[str] = set()
        last = ""
        for row in self._table.rows():
            group = self._reader.group_of(row) if self.has_groups else ""
            if len(rows) >= size and (not group or group != last):
                yield rows, frozenset(apart_here)
                rows, apart_here = [], set()
            rows.append(row)
            last = group
            if group in apart:
                apart_here.add(group)
        yield rows, frozenset(apart_here)

    def _find_apart(self) -> frozenset[str]:
        """Return the groups whose rows do not follow each other, after reading all rows."""
        left: set[int] = set()  # hashes, for there may be millions
        apart: set[str] = set()
        last = ""
        for row in self._table.rows():
            group = self._reader.group_of(row)
            if group != last:
                left.add(hash(last))
                if group and hash(group) in left:
                    apart.add(group)
                last = group
        return frozenset(apart)

    def lines(self) -> dict[str, int]:
        """Return nothing: what became of each row is in the report."""
        return {}

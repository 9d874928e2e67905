"""What do all readers have in common?

A reader opens a file and refuses it if it cannot be read; the *source* it
returns then yields the file's entries in their order.  An entry is whatever the file has
one after the other (a row, a person of a tree, a page): the records it became, what was not
understood on the way, or why it became none.

A *table* is a file whose entries are rows below headings; a mapping says what its columns are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from forebear.errors import InputError
from forebear.ingest.report import Issue
from forebear.records.collections import Collection
from forebear.records.record import Record


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """One entry of a file; no records and no refusal: it only had something to report."""

    line: int
    records: tuple[Record, ...] = ()
    warnings: tuple[Issue, ...] = ()
    refusal: Issue | None = None
    cells: tuple[tuple[str, str], ...] = ()  # of an entry that was refused, as they stand
    bytes_done: int = 0  # how far into the file reading has come
    counts: bool = True  # as one of the entries read


@dataclass(slots=True)
class LineCounts:
    """How many lines of a file were understood, retained as they are, or reported."""

    understood: int = 0
    retained: int = 0
    reported: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return {"understood": self.understood, "kept": self.retained, "reported": self.reported}


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetCollections:
    """The collections that a file's records go to."""

    collection: Collection
    # A file of many record types goes to a collection for each: NAME_birth, NAME_death.
    by_type: bool = False
    described: dict[str, Collection] = field(default_factory=dict)  # by the file itself

    def name_for(self, record_type: str) -> str:
        """Return the name of the collection for records of this type."""
        return f"{self.collection.name}_{record_type}" if self.by_type else self.collection.name

    def collection_of(self, record: Record) -> Collection:
        """Return the collection that a record goes to."""
        if record.collection == self.collection.name:
            kind = record.record_type if self.by_type else self.collection.record_type
            return replace(self.collection, record_type=kind)
        return self.described.get(record.collection) or Collection(
            name=record.collection,
            title=f"{self.collection.title}: {record.record_type.replace('_', ' ')}",
            record_type=record.record_type,
            places=self.collection.places,
            first_year=self.collection.first_year,
            last_year=self.collection.last_year,
            licence=self.collection.licence,
            embargo_years=self.collection.embargo_years,
        )


class Source(Protocol):
    """A file that was opened and can be read."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    @property
    def size_bytes(self) -> int:
        """How much there is to read, in the measure of ``Entry.bytes_done``."""
        ...

    @property
    def target(self) -> TargetCollections:
        """Where the records go."""
        ...

    @property
    def has_groups(self) -> bool:
        """Whether records of one group may stand apart from each other in the file."""
        ...

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of the file."""
        ...

    def lines(self) -> dict[str, int]:
        """Return, after reading, what became of the file's lines, if that is counted."""
        ...


class Row(NamedTuple):
    """One row: its first line in the file, its cells and headings, and what is wrong with it."""

    line: int
    headings: Sequence[str]  # one for each cell, or more
    cells: Sequence[str]
    fault: str = ""
    bytes_done: int = 0  # how far into the file reading has come, buffered blocks included

    @property
    def values(self) -> dict[str, str]:
        """The cells by heading; of most rows that another process reads nothing needs them."""
        return dict(zip(self.headings, self.cells, strict=False))


class Table(Protocol):
    """A file with headings and rows that was opened and can be read."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    @property
    def heading_line(self) -> int:
        """The line of the headings, or the last before the rows."""
        ...

    @property
    def headings(self) -> tuple[str, ...]:
        """A name for every column, no two the same."""
        ...

    @property
    def size_bytes(self) -> int:
        """How much there is to read."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What the report says of the file as a whole: sheets that were not read."""
        ...

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        ...

    def check(self) -> None:
        """Read to the end and refuse what cannot be read."""
        ...


def make_row(line: int, cells: list[str], headings: tuple[str, ...], *, bytes_done: int) -> Row:
    """Return cells as a row; those beyond the headings are numbered, so that none is lost."""
    fault = ""
    if len(cells) != len(headings):
        fault = f"{len(cells)} cells under {len(headings)} headings"
        headings += tuple(f"column {n + 1}" for n in range(len(headings), len(cells)))
    return Row(line, headings, cells, fault, bytes_done)


def check_is_file(path: Path) -> None:
    """Refuse a path at which there is no file."""
    if path.is_dir():
        raise InputError(
            f"{path}: this is a folder, not a file",
            hint=f"name the files in it: forebear import {path}/*",
        )
    if not path.is_file():
        raise InputError(f"{path}: there is no such file", hint="check the path")
    try:
        path.name.encode()  # the archive stores it
    except UnicodeEncodeError:
        raise InputError(f"{str(path)!r}: the file's name is not UTF-8", hint="rename it") from None

"""What kind of table is a file, and does it have the columns that its mapping names?"""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

from forebear.errors import InputError
from forebear.ingest.mapping import Mapping, TableFormat
from forebear.ingest.readers.freereg import is_freereg, open_freereg
from forebear.ingest.readers.source import check_is_file
from forebear.ingest.readers.spreadsheet import open_spreadsheet, spreadsheet_format
from forebear.ingest.readers.table import Row, open_table

SHOWN_HEADINGS = 8


class AnyTable(Protocol):
    """A file with headings and rows that has been looked at and can be read."""

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

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        ...

    def check(self) -> None:
        """Read to the end and refuse what cannot be read."""
        ...


def open_any_table(path: Path, shape: TableFormat | None = None) -> AnyTable:
    """Look at a file and return it as a table of its format, stated or detected."""
    table = shape or TableFormat()
    check_is_file(path)
    if spreadsheet_format(path):
        return open_spreadsheet(path, sheet=table.sheet)
    if is_freereg(path):
        return open_freereg(path, encoding=table.encoding)
    return open_table(path, delimiter=table.delimiter, encoding=table.encoding, quote=table.quote)


def open_mapped_table(path: Path, mapping: Mapping, *, is_checked: bool = False) -> AnyTable:
    """Open a file as its mapping says; refuse one that lacks a column or cannot be read.

    The file is read to its end to check it, unless that was done before.
    """
    table = open_any_table(path, mapping.table)
    lacking = sorted(mapping.columns - set(table.headings))
    if len(lacking) == len(mapping.columns):
        raise _no_heading_error(table, mapping)
    if lacking:
        raise _lacking_error(table, lacking, mapping)
    if not is_checked:
        table.check()
    return table


def _no_heading_error(table: AnyTable, mapping: Mapping) -> InputError:
    shown = ", ".join(repr(heading) for heading in table.headings[:SHOWN_HEADINGS])
    expected = ", ".join(repr(column) for column in sorted(mapping.columns)[:SHOWN_HEADINGS])
    return InputError(
        f"{table.path}:{table.heading_line}: no heading row for {mapping.collection.name!r}: "
        f"found {shown}",
        hint=f"the first row must name the columns, among them {expected}; "
        "if it names others, use another mapping",
    )


def _lacking_error(table: AnyTable, lacking: list[str], mapping: Mapping) -> InputError:
    columns = "column" if len(lacking) == 1 else "columns"
    return InputError(
        f"{table.path}:{table.heading_line}: no {columns} "
        f"{', '.join(repr(column) for column in lacking)}, "
        f"which the mapping of {mapping.collection.name!r} names",
        hint="; ".join(_nearest(column, table.headings) for column in lacking),
    )


def _nearest(column: str, headings: tuple[str, ...]) -> str:
    folded = {heading.casefold(): heading for heading in headings}
    near = get_close_matches(column.casefold(), list(folded), n=3, cutoff=0.5)
    if not near:
        return f"no column of the file is similar to {column!r}"
    return f"most similar to {column!r}: {', '.join(repr(folded[name]) for name in near)}"

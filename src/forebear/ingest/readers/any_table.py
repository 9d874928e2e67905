"""What kind of table is a file: delimited text, a spreadsheet, a FreeREG transcript?"""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from forebear.ingest.columns import TableFormat
from forebear.ingest.readers.freereg import is_freereg, open_freereg
from forebear.ingest.readers.source import check_is_file
from forebear.ingest.readers.spreadsheet import open_spreadsheet, spreadsheet_format
from forebear.ingest.readers.table import Row, open_table


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
        """A name for every column, each its own."""
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
    """Look at a file and return it as a table, read as told, else as found."""
    told = shape or TableFormat()
    check_is_file(path)
    if spreadsheet_format(path):
        return open_spreadsheet(path, sheet=told.sheet)
    if is_freereg(path):
        return open_freereg(path, encoding=told.encoding)
    return open_table(path, delimiter=told.delimiter, encoding=told.encoding, quote=told.quote)

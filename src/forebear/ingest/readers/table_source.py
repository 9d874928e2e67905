"""A table, read through its mapping, as a source of records."""

from collections.abc import Iterator
from pathlib import Path

from forebear.ingest.mapping import Mapping
from forebear.ingest.read_records import RecordReader
from forebear.ingest.readers.any_table import open_mapped_table
from forebear.ingest.readers.source import Entry, Shelf
from forebear.ingest.readers.spreadsheet import Spreadsheet
from forebear.ingest.readers.table import Row


class TableSource:
    """The rows of a table."""

    def __init__(
        self, path: Path, shelf: Shelf, mapping: Mapping, *, is_checked: bool = False
    ) -> None:
        self._table = open_mapped_table(path, mapping, is_checked=is_checked)
        self._reader = RecordReader(mapping, file_name=path.name, headings=self._table.headings)
        self.mapping = mapping
        self.headings = self._table.headings
        self.path = path
        self.shelf = shelf
        self.size_bytes = self._table.size_bytes
        self.notes = self._table.notes if isinstance(self._table, Spreadsheet) else ()
        self.has_groups = bool(mapping.record.group)

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each row."""
        return map(self._reader.read_entry, self._table.rows())

    def chunks(self, size: int) -> Iterator[tuple[list[Row], frozenset[str]]]:
        """Yield the rows in chunks of at least this many, and which groups of each stand apart.

        No chunk ends between rows of one group that follow each other.
        """
        apart = self.apart() if self.has_groups else frozenset[str]()
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

    def apart(self) -> frozenset[str]:
        """Return the groups whose rows do not follow each other, having looked at all rows."""
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

"""A table, read through its mapping, as a source of records."""

from collections.abc import Iterator
from pathlib import Path

from forebear.errors import RecordError
from forebear.ingest.columns import Mapping
from forebear.ingest.issues import Issue
from forebear.ingest.mapped_table import open_mapped_table
from forebear.ingest.read_records import read_record
from forebear.ingest.readers.source import Entry, Shelf
from forebear.ingest.readers.table import Row


class TableSource:
    """The rows of a table."""

    def __init__(self, path: Path, shelf: Shelf, mapping: Mapping) -> None:
        self._table = open_mapped_table(path, mapping)
        self._mapping = mapping
        self.path = path
        self.shelf = shelf
        self.size_bytes = self._table.size_bytes
        self.has_groups = bool(mapping.record.group)

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each row."""
        return map(self._entry, self._table.rows())

    def lines(self) -> dict[str, int]:
        """Return nothing: what became of each row is in the report."""
        return {}

    def _entry(self, row: Row) -> Entry:
        try:
            found = read_record(row, self._mapping, file_name=self.path.name)
        except RecordError as error:
            refusal = Issue(line=row.line, reason=error.message)
            return Entry(line=row.line, refusal=refusal, bytes_done=row.bytes_done)
        return Entry(
            line=row.line,
            records=(found.record,),
            warnings=found.warnings,
            bytes_done=row.bytes_done,
        )

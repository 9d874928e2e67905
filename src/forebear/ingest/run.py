"""How does a file get into an archive?

Rows become records, records of one household become a group, groups go to the writer in
batches.  A household's rows usually follow each other but need not, so where a mapping
has groups the file is read to its end before the first batch is written; otherwise reading
and writing alternate.  A file that cannot be read as a table leaves no trace.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from forebear.errors import RecordError
from forebear.ingest.check_mapping import check_collection_name
from forebear.ingest.columns import Mapping
from forebear.ingest.issues import Issue
from forebear.ingest.mapped_table import open_mapped_table
from forebear.ingest.read_records import read_record
from forebear.ingest.readers.table import Row, Table
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.toml_values import Spot
from forebear.ingest.writer import RecordWriter
from forebear.records.record import Record

BATCH_RECORDS = 2000
PROGRESS_ROWS = 1000

Group = tuple[Record, ...]
ProgressCall = Callable[[Progress], None]


def import_file(
    path: Path,
    mapping: Mapping,
    writer: RecordWriter,
    *,
    progress: ProgressCall | None = None,
    dry_run: bool = False,
    collection: str | None = None,
) -> ImportReport:
    """Write the records of a file and report; ``collection`` overrides the mapping's name."""
    if collection is not None:
        check_collection_name(collection, Spot(file="collection"))
        mapping = mapping.renamed(collection)
    started = time.perf_counter()
    reading = Reading(open_mapped_table(path, mapping), mapping, progress, started)
    if not dry_run:
        writer.put_collection(mapping.to_collection())
    for batch in batch_groups(reading.groups()):
        if not dry_run:
            writer.write(batch)
        reading.count_written(batch)
    return reading.report(dry_run=dry_run)


def batch_groups(groups: Iterable[Group], size: int = BATCH_RECORDS) -> Iterator[list[Group]]:
    """Yield lists of whole groups of together about ``size`` records."""
    batch: list[Group] = []
    records = 0
    for group in groups:
        batch.append(group)
        records += len(group)
        if records >= size:
            yield batch
            batch, records = [], 0
    if batch:
        yield batch


class Reading:
    """One file on its way in: its records, and the counts and complaints so far."""

    def __init__(
        self, table: Table, mapping: Mapping, progress: ProgressCall | None, started: float
    ) -> None:
        self._table = table
        self._mapping = mapping
        self._progress = progress
        self._started = started
        self._read = self._kept = self._written = self._personas = self._bytes_done = 0
        self._line_of_id: dict[str, int] = {}
        self._warnings: list[Issue] = []
        self._refusals: list[Issue] = []

    def groups(self) -> Iterator[Group]:
        """Yield the records of the file, each household as one."""
        if not self._mapping.record.group:
            return ((record,) for record in self._records())
        households: dict[str, list[Record]] = {}
        singles: list[list[Record]] = []
        for record in self._records():
            if record.group is None:
                singles.append([record])
            else:
                households.setdefault(record.group, []).append(record)
        return (tuple(group) for group in chain(households.values(), singles))

    def count_written(self, batch: list[Group]) -> None:
        """Take note that a batch has been dealt with."""
        self._written += sum(len(group) for group in batch)
        self._tell()

    def report(self, *, dry_run: bool) -> ImportReport:
        """Return what came of it."""
        self._bytes_done = self._table.size_bytes
        self._tell()
        return ImportReport(
            file=self._table.path.name,
            collection=self._mapping.collection.name,
            read=self._read,
            kept=self._kept,
            personas=self._personas,
            warnings=tuple(self._warnings),
            refusals=tuple(self._refusals),
            seconds=time.perf_counter() - self._started,
            dry_run=dry_run,
        )

    def _records(self) -> Iterator[Record]:
        for row in self._table.rows():
            self._read += 1
            self._bytes_done = row.bytes_done
            if record := self._take(row):
                yield record
            if self._read % PROGRESS_ROWS == 0:
                self._tell()

    def _take(self, row: Row) -> Record | None:
        """Return the row's record and count it, or note why there is none."""
        try:
            found = read_record(row, self._mapping, file_name=self._table.path.name)
        except RecordError as error:
            self._refusals.append(Issue(line=row.line, reason=error.message))
            return None
        first_line = self._line_of_id.setdefault(found.record.id, row.line)
        if first_line != row.line:
            detail = f"id {found.record.id!r} stands on line {first_line} and on line {row.line}"
            self._refusals.append(Issue(line=row.line, reason="same id twice", detail=detail))
            return None
        self._kept += 1
        self._personas += len(found.record.personas)
        self._warnings.extend(found.warnings)
        return found.record

    def _tell(self) -> None:
        if self._progress is None:
            return
        self._progress(
            Progress(
                rows_read=self._read,
                kept=self._kept,
                written=self._written,
                bytes_done=self._bytes_done,
                bytes_total=self._table.size_bytes,
                seconds=time.perf_counter() - self._started,
            )
        )

"""One file on its way in: which records does it hold, and what is wrong with it?

Records are read one household at a time.  Households whose records stand apart in the file
are gathered and told at its end; all else streams.
"""

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, groupby

from msgspec.structs import replace

from forebear.ingest.issues import Issue, same_id_twice
from forebear.ingest.readers.source import Entry, Source
from forebear.ingest.readers.table_source import TableSource
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.row_ids import is_named_by_line
from forebear.ingest.share import Share
from forebear.ingest.store import Group
from forebear.records.record import Record

BATCH_RECORDS = 10_000
PROGRESS_ROWS = 1000

ProgressCall = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRow:
    """An entry that became no record: why, and its cells as they stand in the file."""

    issue: Issue
    cells: tuple[tuple[str, str], ...]


class Reading:
    """Reads a source once, and keeps the counts and complaints so far."""

    def __init__(
        self,
        source: Source,
        progress: ProgressCall | None = None,
        ids: Mapping[int, str] = {},
        share: Share | None = None,
    ) -> None:
        self._source = source
        self._progress = progress
        self._ids = ids  # by line, of records that have none of their own
        self._share = share  # of a table; nothing: all of it
        self._started = time.perf_counter()
        self._read = self._kept = self._written = self._personas = self._bytes_done = 0
        self._line_of_key: dict[str, int] = {}
        self._warnings: list[Issue] = []
        self.refused: list[RefusedRow] = []

    def batches(self) -> Iterator[list[Group]]:
        """Yield the records of the file in batches of whole households."""
        for batch in batch_groups(self.groups()):
            yield batch
            self._written += sum(len(group) for group in batch)
            self._tell()

    def groups(self) -> Iterator[Group]:
        """Yield the records of the file, each household as one."""
        if not self._source.has_groups:
            return self._groups()
        return _gather(chain.from_iterable(self._groups()), self._apart())

    def has(self, record_key: str) -> bool:
        """Say whether the file, as far as it was read, holds a record."""
        return record_key in self._line_of_key

    def report(self) -> ImportReport:
        """Return what was read."""
        self._bytes_done = self._source.size_bytes
        self._tell()
        return ImportReport(
            file=self._source.path.name,
            collection=self._source.shelf.collection.name,
            read=self._read,
            kept=self._kept,
            personas=self._personas,
            warnings=tuple(self._warnings),
            refusals=tuple(row.issue for row in self.refused),
            seconds=time.perf_counter() - self._started,
            lines=self._source.lines(),
        )

    def _apart(self) -> Container[str] | None:
        """Return the households whose rows stand apart, or None if all may."""
        if self._share is not None:
            return ()
        return self._source.apart() if isinstance(self._source, TableSource) else None

    def _entries(self) -> Iterator[Entry]:
        if self._share is not None and isinstance(self._source, TableSource):
            return self._source.entries_of(self._share)
        return self._source.entries()

    def _groups(self) -> Iterator[Group]:
        for entry in self._entries():
            self._bytes_done = entry.bytes_done
            if not entry.counts:
                self._warnings.extend(entry.warnings)
                continue
            self._read += 1
            if group := self._take(entry):
                yield group
            if self._read % PROGRESS_ROWS == 0:
                self._tell()

    def _take(self, entry: Entry) -> Group:
        """Return the entry's records and count them, or note why there are none."""
        if entry.refusal:
            self.refused.append(RefusedRow(issue=entry.refusal, cells=entry.cells))
            return ()
        records = entry.records
        if self._ids:
            records = tuple(self._named(record, entry.line) for record in records)
        for record in records:
            first_line = self._line_of_key.setdefault(record.key, entry.line)
            if first_line != entry.line:
                issue = same_id_twice(record.id, first_line, entry.line)
                self.refused.append(RefusedRow(issue=issue, cells=record.row))
                return ()
        for record in records:
            self._personas += len(record.personas)
        self._kept += len(records)
        self._warnings += entry.warnings
        return records

    def _named(self, record: Record, line: int) -> Record:
        if line in self._ids and is_named_by_line(record):
            return replace(record, id=self._ids[line])
        return record

    def _tell(self) -> None:
        if self._progress is None:
            return
        self._progress(
            Progress(
                rows_read=self._read,
                kept=self._kept,
                written=self._written,
                bytes_done=self._bytes_done,
                bytes_total=self._source.size_bytes,
                seconds=time.perf_counter() - self._started,
            )
        )


def _gather(records: Iterable[Record], apart: Container[str] | None) -> Iterator[Group]:
    """Yield records by household: the ones that stand together at once, the others at the end."""
    households: dict[str, list[Record]] = {}
    for group, members in groupby(records, key=lambda record: record.group):
        if group is None:
            yield from ((record,) for record in members)
        elif apart is None or group in apart:
            households.setdefault(group, []).extend(members)
        else:
            yield tuple(members)
    yield from map(tuple, households.values())


def batch_groups(groups: Iterable[Group], size: int | None = None) -> Iterator[list[Group]]:
    """Yield lists of whole groups of together about ``size`` records, or as many as is usual."""
    most = BATCH_RECORDS if size is None else size
    batch: list[Group] = []
    records = 0
    for group in groups:
        batch.append(group)
        records += len(group)
        if records >= most:
            yield batch
            batch, records = [], 0
    if batch:
        yield batch

"""How does a file get into an archive?

Rows become records, records of one household become a group, groups go to the writer in
batches.  A household's rows usually follow each other but need not, so where a mapping
has groups the file is read to its end before the first batch is written; otherwise reading
and writing alternate.  A file that cannot be read leaves no trace.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from forebear.ingest.check_mapping import check_collection_name
from forebear.ingest.columns import Mapping
from forebear.ingest.formats import open_source
from forebear.ingest.issues import Issue
from forebear.ingest.readers.source import Entry, Source
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.toml_values import Spot
from forebear.ingest.writer import RecordWriter
from forebear.records.collections import Collection
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
    source = open_source(path, mapping)
    reading = Reading(source, progress, started)
    shelves = Shelves(source, None if dry_run else writer)
    for batch in batch_groups(reading.groups()):
        shelves.write(batch)
        reading.count_written(batch)
    return reading.report(dry_run=dry_run)


class Shelves:
    """The collections that a file's records go to, each made known before its first record."""

    def __init__(self, source: Source, writer: RecordWriter | None) -> None:
        self._source = source
        self._writer = writer
        self._known: set[str] = set()
        if not source.shelf.by_type:
            self._put(source.shelf.collection)

    def write(self, batch: list[Group]) -> None:
        """Write a batch, unless this is a dry run."""
        for group in batch:
            for record in group:
                if record.collection not in self._known:
                    self._put(self._source.shelf.collection_of(record))
        if self._writer:
            self._writer.write(batch)

    def _put(self, collection: Collection) -> None:
        self._known.add(collection.name)
        if self._writer:
            self._writer.put_collection(collection)


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

    def __init__(self, source: Source, progress: ProgressCall | None, started: float) -> None:
        self._source = source
        self._progress = progress
        self._started = started
        self._read = self._kept = self._written = self._personas = self._bytes_done = 0
        self._line_of_key: dict[str, int] = {}
        self._warnings: list[Issue] = []
        self._refusals: list[Issue] = []

    def groups(self) -> Iterator[Group]:
        """Yield the records of the file, each household as one."""
        if not self._source.has_groups:
            return self._groups()
        households: dict[str, list[Record]] = {}
        singles: list[list[Record]] = []
        for record in chain.from_iterable(self._groups()):
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
        self._bytes_done = self._source.size_bytes
        self._tell()
        return ImportReport(
            file=self._source.path.name,
            collection=self._source.shelf.collection.name,
            read=self._read,
            kept=self._kept,
            personas=self._personas,
            warnings=tuple(self._warnings),
            refusals=tuple(self._refusals),
            seconds=time.perf_counter() - self._started,
            dry_run=dry_run,
            lines=self._source.lines(),
        )

    def _groups(self) -> Iterator[Group]:
        for entry in self._source.entries():
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
            self._refusals.append(entry.refusal)
            return ()
        for record in entry.records:
            first_line = self._line_of_key.setdefault(record.key, entry.line)
            if first_line != entry.line:
                detail = f"id {record.id!r} stands on line {first_line} and on line {entry.line}"
                self._refusals.append(Issue(line=entry.line, reason="same id twice", detail=detail))
                return ()
        self._kept += len(entry.records)
        self._personas += sum(len(record.personas) for record in entry.records)
        self._warnings.extend(entry.warnings)
        return entry.records

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

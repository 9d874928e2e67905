"""How does a file become batches of whole households, in its order?

A file is cut into chunks of rows, between households.  A chunk becomes records, and the form in
which they are stored, in whichever process is free; the results are used in the order of the
chunks.  So archive and report do not depend on how many processes there are.

What needs the whole file stays in this process: an id that two chunks have, and households whose
rows stand apart, which are gathered and come last.  Other formats than tables, and small
tables, are read here: a process takes longer to start.
"""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from msgspec import structs

from forebear.ingest.assemble import RecordReader, TableSource
from forebear.ingest.differences import is_named_by_line
from forebear.ingest.mapping import Mapping as TableMapping
from forebear.ingest.readers.source import Entry, Row, Source
from forebear.ingest.report import ImportReport, Issue, Progress, RefusedRow, same_id_twice
from forebear.ingest.store import Encode, EncodedBatch, Group
from forebear.ingest.workers import Workers
from forebear.records.record import Record

BATCH_RECORDS = 10_000  # stored in one transaction, if they are stored as records
STORED_PERSONAS = 60_000  # about, if they come encoded
CHUNK_ROWS = 1000  # read in this process
CHUNK_PERSONAS = 8_000  # read by another one
MIN_CHUNKS = 12  # of a small table, so that all processes have some
ROW_BYTES = 100  # about; only how finely a small table is cut depends on it
WORTHWHILE_BYTES = 1 << 18

ProgressCall = Callable[[Progress], None]
Batch = list[Group] | tuple[EncodedBatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """What it takes to read a chunk; it can be sent to another process."""

    ids: Mapping[int, str] = field(default_factory=dict)  # by line, of records without an id
    encode: Encode | None = None  # None: to read groups of records
    mapping: TableMapping | None = None  # of a table, as are the next two
    file_name: str = ""
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Some consecutive rows of a table, or entries of another file."""

    rows: list[Row] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    apart: Set[str] | None = frozenset()  # groups that other chunks may have too; None: all may
    earlier: Mapping[str, int] = field(default_factory=dict)  # lines of ids that stand before it


@dataclass(slots=True, kw_only=True)
class ReadChunk:
    """What came of a chunk."""

    lines: dict[str, int]  # of each record, by its key
    read: int = 0
    accepted: int = 0  # records
    personas: int = 0
    bytes_done: int = 0
    warnings: list[Issue] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    batch: EncodedBatch | None = None  # the groups, if they were to be encoded
    apart: list[Record] = field(default_factory=list)  # of groups that stand apart


class ChunkReader:
    """Reads the chunks of one file."""

    def __init__(self, plan: ImportPlan) -> None:
        self._plan = plan
        self._reader = plan.mapping and RecordReader(
            plan.mapping, file_name=plan.file_name, headings=plan.headings
        )

    def read(self, chunk: Chunk) -> ReadChunk:
        """Return the records of a chunk, and what was not understood."""
        done = ReadChunk(lines=dict(chunk.earlier))
        groups = self._groups(chunk, done)
        if self._plan.encode:
            done.batch = self._plan.encode(groups)
        else:
            done.groups.extend(groups)
        for key in chunk.earlier:
            del done.lines[key]
        return done

    def _groups(self, chunk: Chunk, done: ReadChunk) -> Iterator[Group]:
        """Yield households that stand together; the records of the others are put aside."""
        for group, members in groupby(self._records(chunk, done), key=lambda record: record.group):
            if group is None:
                yield from ((record,) for record in members)
            elif chunk.apart is None or group in chunk.apart:
                done.apart.extend(members)
            else:
                yield tuple(members)

    def _records(self, chunk: Chunk, done: ReadChunk) -> Iterator[Record]:
        read = self._reader.read_entry if self._reader else None
        for entry in map(read, chunk.rows) if read else chunk.entries:
            done.bytes_done = entry.bytes_done
            if not entry.counts:
                done.warnings.extend(entry.warnings)
                continue
            done.read += 1
            yield from self._accept(entry, done)

    def _accept(self, entry: Entry, done: ReadChunk) -> tuple[Record, ...]:
        """Return the entry's records and count them, or note why there are none."""
        if entry.refusal:
            done.refused.append(RefusedRow(issue=entry.refusal, cells=entry.cells))
            return ()
        records = entry.records
        if self._plan.ids:
            records = tuple(self._named(record, entry.line) for record in records)
        for record in records:
            first_line = done.lines.setdefault(record.key, entry.line)
            if first_line != entry.line:
                issue = same_id_twice(record.id, first_line, entry.line)
                done.refused.append(RefusedRow(issue=issue, cells=record.row))
                return ()
        for record in records:
            done.personas += len(record.personas)
        done.accepted += len(records)
        done.warnings += entry.warnings
        return records

    def _named(self, record: Record, line: int) -> Record:
        if line in self._plan.ids and is_named_by_line(record):
            return structs.replace(record, id=self._plan.ids[line])
        return record


class FileReader:
    """Reads a file once, and has the counts and complaints so far."""

    def __init__(
        self,
        source: Source,
        *,
        ids: Mapping[int, str] = {},
        encode: Encode | None = None,
        workers: Workers | None = None,
        progress: ProgressCall | None = None,
    ) -> None:
        """Read a source; ``encode`` and ``workers`` are for a table that is worth it."""
        self._source, self._progress = source, progress
        self._workers = workers or Workers(0)
        self._plan = ImportPlan(ids=ids, encode=encode)
        if isinstance(source, TableSource):
            self._plan = replace(
                self._plan,
                mapping=source.mapping,
                file_name=source.path.name,
                headings=source.headings,
            )
        self._reader = ChunkReader(self._plan)
        self._started = time.perf_counter()
        self._read = self._accepted = self._personas = self._written = self._bytes_done = 0
        self._lines: dict[str, int] = {}  # by key
        self._warnings: list[Issue] = []
        self._apart: dict[str, list[Record]] = {}  # records of households that stand apart
        self.refused: list[RefusedRow] = []

    def batches(self) -> Iterator[Batch]:
        """Yield the records of the file in batches of whole households."""
        for batch in self._batches():
            yield batch
            self._written += sum(
                len(part) if isinstance(part, tuple) else len(part.keys) for part in batch
            )
            self._report_progress()

    def has(self, record_key: str) -> bool:
        """Return whether the file, as far as it was read, holds a record."""
        return record_key in self._lines

    def report(self) -> ImportReport:
        """Return what was read."""
        self._bytes_done = self._source.size_bytes
        self._report_progress()
        return ImportReport(
            file=self._source.path.name,
            collection=self._source.target.collection.name,
            read=self._read,
            accepted=self._accepted,
            personas=self._personas,
            warnings=tuple(self._warnings),
            refusals=tuple(row.issue for row in self.refused),
            seconds=time.perf_counter() - self._started,
            lines=self._source.lines(),
        )

    def _batches(self) -> Iterator[Batch]:
        if self._plan.encode is None:
            return batch_groups(self._groups())
        return join_batches(self._encoded(self._plan.encode))

    def _groups(self) -> Iterator[Group]:
        for done in self._chunks_read():
            yield from done.groups
        yield from map(tuple, self._apart.values())

    def _encoded(self, encode: Encode) -> Iterator[EncodedBatch]:
        for done in self._chunks_read():
            if done.batch and done.batch.keys:
                yield done.batch
        for groups in batch_groups(map(tuple, self._apart.values())):
            yield encode(groups)

    def _chunks_read(self) -> Iterator[ReadChunk]:
        """Yield what came of each chunk, in the order of the file, and count it."""
        read = self._reader.read
        if not self._workers.is_this_process:
            read = partial(_read_in_worker, pickle.dumps(self._plan))
        for chunk, done in self._workers.map(read, self._chunks()):
            if repeated := self._lines.keys() & done.lines.keys():
                earlier = {key: self._lines[key] for key in repeated}
                done = self._reader.read(replace(chunk, earlier=earlier))
            self._count(done)
            yield done

    def _chunks(self) -> Iterator[Chunk]:
        if isinstance(self._source, TableSource):
            for rows, apart in self._source.chunks(self._rows_of_chunk(self._source)):
                yield Chunk(rows=rows, apart=apart)
            return
        # A tree or a letter may refer to what it says later, so its reader keeps it together.
        apart_groups = None if self._source.has_groups else frozenset[str]()
        entries: list[Entry] = []
        for entry in self._source.entries():
            entries.append(entry)
            if len(entries) >= CHUNK_ROWS:
                yield Chunk(entries=entries, apart=apart_groups)
                entries = []
        yield Chunk(entries=entries, apart=apart_groups)

    def _rows_of_chunk(self, source: TableSource) -> int:
        if self._plan.encode is None:
            return CHUNK_ROWS
        usual = CHUNK_PERSONAS // len(source.mapping.persona)
        if not is_worthwhile(source):
            return max(1, usual)
        return max(1, min(usual, source.size_bytes // ROW_BYTES // MIN_CHUNKS))

    def _count(self, done: ReadChunk) -> None:
        self._read += done.read
        self._accepted += done.accepted
        self._personas += done.personas
        self._bytes_done = done.bytes_done or self._bytes_done
        self._lines |= done.lines
        self._warnings += done.warnings
        self.refused += done.refused
        for record in done.apart:
            if record.group is not None:
                self._apart.setdefault(record.group, []).append(record)
        self._report_progress()

    def _report_progress(self) -> None:
        if self._progress is None:
            return
        self._progress(
            Progress(
                rows_read=self._read,
                accepted=self._accepted,
                written=self._written,
                bytes_done=self._bytes_done,
                bytes_total=self._source.size_bytes,
                seconds=time.perf_counter() - self._started,
            )
        )


def is_worthwhile(source: Source) -> bool:
    """Return whether a file is worth other processes."""
    return isinstance(source, TableSource) and source.size_bytes >= WORTHWHILE_BYTES


def batch_groups(groups: Iterable[Group]) -> Iterator[list[Group]]:
    """Yield lists of whole groups of together about ``BATCH_RECORDS`` records."""
    batch: list[Group] = []
    records = 0
    for group in groups:
        batch.append(group)
        records += len(group)
        if records >= BATCH_RECORDS:
            yield batch
            batch, records = [], 0
    if batch:
        yield batch


def join_batches(batches: Iterable[EncodedBatch]) -> Iterator[tuple[EncodedBatch, ...]]:
    """Yield batches that are stored in one transaction, of about ``STORED_PERSONAS`` personas.

    To store a persona costs less the more there are, because every term of theirs is written once.
    """
    joined: list[EncodedBatch] = []
    for batch in batches:
        joined.append(batch)
        if sum(part.size for part in joined) >= STORED_PERSONAS:
            yield tuple(joined)
            joined = []
    if joined:
        yield tuple(joined)


_latest: tuple[bytes, ChunkReader] | None = None  # of the file that this process reads


def _read_in_worker(plan: bytes, chunk: Chunk) -> ReadChunk:
    """Read a chunk; the plan is unpacked for the first chunk of a file."""
    global _latest
    if _latest is None or _latest[0] != plan:
        _latest = plan, ChunkReader(pickle.loads(plan))
    return _latest[1].read(chunk)

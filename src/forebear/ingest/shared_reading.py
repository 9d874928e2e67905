"""How do two processes read one table together, and who notices an id that both have read?

The other process sends the blocks of its share (``read_ahead``), this one reads its own and
stores all of them, in the order of the file.  Each process sees when an id stands twice in its
own share; that it stands once in each is seen when the second record is about to be stored,
because the first is there by then.
"""

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from forebear.errors import ForebearError
from forebear.ingest.ahead import Ended, Job, Ready, started, together
from forebear.ingest.issues import Issue, same_id_twice
from forebear.ingest.mapping import Mapping
from forebear.ingest.readers.source import Source
from forebear.ingest.readers.table_source import TableSource
from forebear.ingest.reading import ProgressCall, Reading, RefusedRow
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.share import Share, line_of
from forebear.ingest.store import EncodedBatch, Group
from forebear.records.record import Record

BLOCK_PERSONAS = 8_000  # about so many are read at a time
LEAST_BLOCKS = 12  # of a small table, so that both have a share of it
ROW_BYTES = 100  # about; only how small a table is hangs on it


def share_of(source: Source, mapping: Mapping) -> Share | None:
    """Return the share of the other process; none if the file cannot be shared."""
    if not isinstance(source, TableSource) or (source.has_groups and source.apart()):
        return None
    usual = BLOCK_PERSONAS // len(mapping.persona)
    lines = min(usual, source.size_bytes // ROW_BYTES // LEAST_BLOCKS)
    return Share(block_lines=max(1, lines), is_storing=False)


class SharedReading:
    """Reads a table that nothing is known of yet, together with another process."""

    def __init__(
        self, source: Source, job: Job, share: Share, *, progress: ProgressCall | None = None
    ) -> None:
        self._job = replace(job, share=share)
        self._own_share = replace(share, is_storing=True)
        self._progress = progress
        self._latest = dict.fromkeys(("here", "there"), NOT_BEGUN)
        self._own = Reading(
            source,
            progress=lambda progress: self._latest.__setitem__("here", progress),
            ids=job.ids,
            share=self._own_share,
        )
        self._started = time.perf_counter()
        self._written = 0
        self._repeated: list[Record] = []
        self._repeats: list[RefusedRow] = []
        self._ended: Ended | None = None

    @property
    def refused(self) -> list[RefusedRow]:
        """The entries that became no records."""
        rows = [*self._own.refused, *self._end().refused, *self._repeats]
        return sorted(rows, key=lambda row: row.issue.line)

    def has(self, record_key: str) -> bool:
        """Say whether the file holds a record that was known before: none was."""
        del record_key
        return False

    def report(self) -> ImportReport:
        """Return what was read."""
        here, there = self._own.report(), self._end().report
        return replace(
            here,
            read=here.read + there.read,
            kept=here.kept + there.kept - len(self._repeated),
            personas=here.personas + there.personas - _personas(self._repeated),
            warnings=tuple(sorted([*here.warnings, *there.warnings], key=_line)),
            refusals=tuple(row.issue for row in self.refused),
            seconds=time.perf_counter() - self._started,
        )

    def batches(self) -> Iterator[tuple[EncodedBatch, ...]]:
        """Yield the records of the file in its order, ready to be stored."""
        for ready in together(self._in_order()):
            yield tuple([each.batch for each in ready])
            self._written += sum(len(each.batch.keys) for each in ready)
            self._tell()

    def without_repeated(self, groups: Iterable[Group], stored: Iterable[Group]) -> list[Group]:
        """Return groups without the records whose id stands earlier in the file."""
        lines = {
            record.key: line_of(record.source)
            for group in stored
            for record in group
            if record.source.rpartition(":")[0] == self._job.path.name
        }
        kept = []
        for group in groups:
            repeated = [record for record in group if record.key in lines]
            for record in repeated:
                issue = same_id_twice(record.id, lines[record.key], line_of(record.source))
                self._repeats.append(RefusedRow(issue=issue, cells=record.row))
            self._repeated += repeated
            if rest := tuple(record for record in group if record.key not in lines):
                kept.append(rest)
        return kept

    def _in_order(self) -> Iterator[Ready]:
        with started(self._job) as messages:
            own = self._read_here()
            here = next(own, None)  # while the other process reads its first
            for message in messages:
                next_block = message.block if isinstance(message, Ready) else math.inf
                while here and here.block < next_block:
                    yield here
                    here = next(own, None)
                if isinstance(message, Ended):
                    self._ended = message
                else:
                    self._latest["there"] = message.progress
                    yield message

    def _read_here(self) -> Iterator[Ready]:
        for block, groups in self._own_share.blocks(self._own.groups()):
            batch = self._job.encode(groups)
            yield Ready(batch=batch, progress=self._latest["here"], block=block)

    def _end(self) -> Ended:
        if self._ended is None:
            raise ForebearError(f"{self._job.path.name}: has not been read to its end")
        return self._ended

    def _tell(self) -> None:
        if self._progress:
            here, there = self._latest["here"], self._latest["there"]
            told = Progress(
                rows_read=here.rows_read + there.rows_read,
                kept=here.kept + there.kept,
                written=self._written,
                bytes_done=max(here.bytes_done, there.bytes_done),
                bytes_total=max(here.bytes_total, there.bytes_total),
                seconds=time.perf_counter() - self._started,
            )
            self._progress(told)


NOT_BEGUN = Progress(rows_read=0, kept=0, written=0, bytes_done=0, bytes_total=0, seconds=0.0)


def _personas(records: Iterable[Record]) -> int:
    return sum(len(record.personas) for record in records)


def _line(issue: Issue) -> int:
    return issue.line

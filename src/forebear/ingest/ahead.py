"""How does one process read a large file while another writes it?

Reading a table and making its records ready to be stored takes longer than storing them, and
neither needs the other's memory.  So a second process, which has nothing but the file and the
mapping, reads ahead (``read_ahead``) and sends what it has made ready through a pipe; a few
batches may wait, so that memory stays bounded whoever is the slower.  A small file is read
here: by the time the other process had begun, it would be done.

What passes through the pipe is pickled: both ends are this program, and nobody else's.
"""

import pickle
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Queue
from typing import IO, Any

from forebear.errors import ForebearError
from forebear.ingest.mapping import Mapping as TableMapping
from forebear.ingest.reader_process import Process, end_process, keep_process, take_process
from forebear.ingest.reading import ProgressCall, RefusedRow
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.share import Share
from forebear.ingest.store import Encode, EncodedBatch

WORTHWHILE_BYTES = 1 << 18
STORED_PERSONAS = 60_000  # about so many are stored in one transaction
WAITING_BATCHES = 6
LENGTH_BYTES = 8  # of a message, before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the other process is to read."""

    path: Path
    mapping: TableMapping
    ids: Mapping[int, str]  # by line, of records that have none of their own
    encode: Encode
    share: Share | None = None  # nothing: all of the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A batch that can be stored, and how far reading had come with it."""

    batch: EncodedBatch
    progress: Progress
    block: int = 0  # of a share


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What came of reading the whole file."""

    report: ImportReport
    refused: list[RefusedRow]


def is_worthwhile(path: Path, mapping: TableMapping) -> bool:
    """Say whether a file is worth another process."""
    return mapping.format == "table" and path.stat().st_size >= WORTHWHILE_BYTES


class ReadingAhead:
    """Reads a file in another process, and is asked like a `Reading`."""

    def __init__(
        self, job: Job, *, known: Set[str] = frozenset(), progress: ProgressCall | None = None
    ) -> None:
        self._job = job
        self._known = known  # the only keys that anybody asks for
        self._seen: set[str] = set()
        self._progress = progress
        self._started = time.perf_counter()
        self._written = 0
        self._ended: Ended | None = None

    @property
    def refused(self) -> list[RefusedRow]:
        """The entries that became no records."""
        return self._end().refused

    def has(self, record_key: str) -> bool:
        """Say whether the file holds a record that was known before."""
        return record_key in self._seen

    def report(self) -> ImportReport:
        """Return what was read."""
        return replace(self._end().report, seconds=time.perf_counter() - self._started)

    def batches(self) -> Iterator[tuple[EncodedBatch, ...]]:
        """Yield the records of the file, ready to be stored."""
        for ready in together(self._received()):
            yield tuple([each.batch for each in ready])
            keys = [key for each in ready for key in each.batch.keys]
            self._seen.update(key for key in keys if key in self._known)
            self._written += len(keys)
            self._tell(ready[-1].progress)

    def _received(self) -> Iterator[Ready]:
        for message in receive(self._job):
            if isinstance(message, Ended):
                self._ended = message
            else:
                yield message

    def _end(self) -> Ended:
        if self._ended is None:
            raise ForebearError(f"{self._job.path.name}: has not been read to its end")
        return self._ended

    def _tell(self, progress: Progress) -> None:
        if self._progress:
            seconds = time.perf_counter() - self._started
            self._progress(replace(progress, written=self._written, seconds=seconds))


def together(ready: Iterable[Ready]) -> Iterator[list[Ready]]:
    """Yield batches that are to be stored together.

    They are made small, so that nobody waits long for one; but to store a persona costs less
    the more there are of them, because every term they have is written once.
    """
    waiting: list[Ready] = []
    personas = 0
    for each in ready:
        waiting.append(each)
        personas += each.batch.size
        if personas >= STORED_PERSONAS:
            yield waiting
            waiting, personas = [], 0
    if waiting:
        yield waiting


def receive(job: Job) -> Iterator[Ready | Ended]:
    """Start the other process and yield what it sends; raise what it fails with."""
    with started(job) as messages:
        yield from messages


@contextmanager
def started(job: Job) -> Iterator[Iterator[Ready | Ended]]:
    """Give another process a job and yield what it sends; it is ended unless it did its job."""
    process = take_process()
    waiting: Queue[bytes] = Queue(maxsize=WAITING_BATCHES)
    talk = threading.Thread(target=_talk, args=(process, job, waiting), daemon=True)
    talk.start()
    messages = _Messages(waiting, process, job)
    try:
        yield iter(messages)
    finally:
        if not messages.ended:
            process.kill()
        while talk.is_alive():  # it may stand waiting to hand over one more
            waiting.queue.clear()
            with waiting.not_full:
                waiting.not_full.notify_all()
            talk.join(timeout=0.1)
        (keep_process if messages.ended else end_process)(process)


class _Messages:
    """What the other process sends, until it has done its job."""

    def __init__(self, waiting: "Queue[bytes]", process: Process, job: Job) -> None:
        self._waiting, self._process, self._job = waiting, process, job
        self.ended = False

    def __iter__(self) -> Iterator[Ready | Ended]:
        while not self.ended:
            message = _opened(self._waiting.get(), self._process, self._job)
            self.ended = isinstance(message, Ended)
            yield message


def _talk(process: Process, job: Job, waiting: "Queue[bytes]") -> None:
    """Tell the other process its job, and hand over what it sends; nothing at the end."""
    try:
        pickle.dump(job, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)  # type: ignore[arg-type]
        process.stdin.flush()  # type: ignore[union-attr]
    except OSError:
        pass  # it died, which its silence tells
    while message := read_message(process.stdout):  # type: ignore[arg-type]
        waiting.put(message)
    waiting.put(b"")


def _opened(message: bytes, process: Process, job: Job) -> Ready | Ended:
    if not message:
        raise ForebearError(
            f"{job.path.name}: the process that was reading it ended (status {process.wait()})",
            hint="run the same import again: it goes on where it stopped",
        )
    found: Any = pickle.loads(message)
    if isinstance(found, ForebearError):
        raise found
    ready: Ready | Ended = found
    return ready


def read_message(pipe: IO[bytes]) -> bytes:
    """Return the next message; nothing if the other end has no more to say, or is gone."""
    length = int.from_bytes(pipe.read(LENGTH_BYTES), "little")
    message = pipe.read(length)
    return message if len(message) == length else b""


def write_message(pipe: IO[bytes], value: object) -> None:
    """Send a value as one message."""
    message = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(len(message).to_bytes(LENGTH_BYTES, "little"))
    pipe.write(message)
    pipe.flush()


def write_end(pipe: IO[bytes]) -> None:
    """Say that there is no more to say of a job."""
    pipe.write(bytes(LENGTH_BYTES))
    pipe.flush()

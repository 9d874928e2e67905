"""How is an archive file read and written, by several threads and programs at once?

Readers never wait for writers.  The file is in WAL mode, so a reader sees the moment at which it
began, whatever is written meanwhile.  Each thread that reads takes a read-only connection from a
pool; there is one connection that writes, opened for the first write.  Opening an archive writes
nothing, so an archive on a read-only or full disk can be read.  Where SQLite cannot create its
files next to the archive, the file is read as one that does not change, until it does.

A transaction either happens whole or not at all, so the index and the records cannot disagree.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from forebear.errors import ArchiveError, ForebearError, StorageError
from forebear.storage.sqlite.checksums import raise_damaged, register
from forebear.storage.sqlite.disk import (
    CANNOT_SHARE,
    COLUMNS_SUFFIX,
    LOCK_SUFFIX,
    cannot_open,
    create_private,
    file_state,
    has_log,
    lock_imports,
    locked,
    our_error,
    our_errors,
)

BUSY_SECONDS = 30
CHECKPOINT_SECONDS = 2  # that emptying the log of changes waits for others
# A batch of an import touches pages all over the index; what does not fit is read again.
WRITER_KIBIBYTES = 128 << 10
# A search reads mapped pages, which need no cache, unless the file is larger than what is mapped.
READER_KIBIBYTES = 16 << 10
# A search reads rows from all over the file; mapped, they need not be copied page by page.
MAPPED_BYTES = (2 << 30) - (64 << 10)  # as much as SQLite maps
MAX_IDLE_READERS = 8  # connections; more are open only while more threads read at once

READER_SETTINGS = (
    "query_only = ON",
    f"cache_size = -{READER_KIBIBYTES}",
    f"mmap_size = {MAPPED_BYTES}",
    "temp_store = MEMORY",  # the disk may be full
)
WRITER_SETTINGS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    f"cache_size = -{WRITER_KIBIBYTES}",
    f"mmap_size = {MAPPED_BYTES}",
)

NESTED = nullcontext()  # a search enters tens of snapshots inside its own, and this costs least


class _Thread(threading.local):
    """What the current thread reads from: a reader in a snapshot, the writer in a transaction."""

    sqlite: sqlite3.Connection | None = None
    change: int | None = None  # the archive's last change that a snapshot sees, once it is read


class Connection:
    """An archive file, shared by the threads that use it and the parts that have tables in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = _Thread()
        self._idle: list[sqlite3.Connection] = []
        self._writer: sqlite3.Connection | None = None
        self._writing = threading.RLock()  # held by the thread that writes
        self._unchanging: tuple[int, ...] | None = None  # the file's state when read as immutable
        self._is_closed = False
        self.faults_queries: dict[str, str] = {}  # of the tables whose rows are checked as a whole

    def close(self) -> None:
        """Close the file; a thread that still reads closes its connection when it is done."""
        self._is_closed = True
        self._close_idle()
        with self._writing:
            if self._writer:
                self._writer.close()
                self._writer = None

    def delete(self) -> None:
        """Close the file and delete it, with what SQLite keeps next to it."""
        self.close()
        for suffix in ("", "-wal", "-shm", LOCK_SUFFIX, COLUMNS_SUFFIX, f"{COLUMNS_SUFFIX}-new"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def copy_pages(self, path: Path) -> None:
        """Write all pages to a new file; inside a snapshot, as they are at its moment."""
        create_private(path, is_new=True)
        with our_errors(path), self._reader() as reader, closing(sqlite3.connect(path)) as target:
            reader.backup(target)

    def replace_pages(self, source: "Connection") -> None:
        """Put the pages of another file in place of all pages here, in one durable transaction."""

        def refuse_to_wait(status: int, _remaining: int, _total: int) -> None:
            if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise locked(self.path)

        with (
            self._writing,
            our_errors(self.path),
            source._reader() as reader,
            closing(self._connect("mode=rw")) as target,
        ):
            with suppress(sqlite3.DatabaseError):  # here the schema is read, and may be damaged
                target.execute("PRAGMA synchronous = FULL")
            reader.backup(target, progress=refuse_to_wait)

    def checkpoint(self) -> None:
        """Move the log of changes into the file and empty it, unless others still read it."""
        with self.patience(CHECKPOINT_SECONDS):
            self.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        sqlite = self._thread.sqlite
        try:  # a search asks so often that `our_errors` would show
            if sqlite is not None:
                return sqlite.execute(sql, values).fetchall()
            with self._reader() as reader:
                return reader.execute(sql, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise our_error(error, self.path) from None

    def row(self, sql: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, if there is one."""
        with our_errors(self.path), self._reader() as reader:
            row: tuple[Any, ...] | None = reader.execute(sql, values).fetchone()
            return row

    def chunks(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query, a thousand at a time."""
        with our_errors(self.path), self._reader() as reader:
            cursor = reader.execute(sql)
            while rows := cursor.fetchmany(1_000):
                yield rows

    def rows_in(self, sql: str, values: list[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query that ends in ``IN``, for any number of values."""
        for start in range(0, len(values), 5_000):
            chunk = tuple(values[start : start + 5_000])
            yield from self.rows(f"{sql} ({_marks(len(chunk))})", chunk)

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> int:
        """Run a statement and return the row id it made."""
        with self._writing, our_errors(self.path):
            return self._open_writer().execute(sql, values).lastrowid or 0

    def execute_many(self, sql: str, values: list[tuple[Any, ...]]) -> None:
        """Run a statement once for each row of values."""
        with self._writing, our_errors(self.path):
            self._open_writer().executemany(sql, values)

    def counter(self) -> int:
        """Return the number of the last change."""
        try:
            return int(self.rows("SELECT counter FROM changes")[0][0])
        except (IndexError, TypeError, ValueError):
            raise_damaged(self, "the number of the last change")

    def change(self) -> int | None:
        """Return the number of the last change that the current snapshot sees.

        Inside a transaction it is None: what is written there has no number yet.
        """
        thread = self._thread
        if thread.change is None and (thread.sqlite is None or thread.sqlite is not self._writer):
            change = self.counter()
            if thread.sqlite is None:
                return change
            thread.change = change
        return thread.change

    def snapshot(self) -> AbstractContextManager[None]:
        """Make all that the current thread reads inside be of one moment.

        Inside another snapshot or a transaction it is the moment of that one.
        """
        return self._begin_snapshot() if self._thread.sqlite is None else NESTED

    @contextmanager
    def _begin_snapshot(self) -> Iterator[None]:
        thread = self._thread
        with our_errors(self.path), self._reader() as reader:
            reader.execute("BEGIN")
            thread.sqlite = reader
            try:
                yield
            finally:
                thread.sqlite = thread.change = None
                if reader.in_transaction:  # after some errors SQLite has ended it already
                    reader.execute("ROLLBACK")

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """Make all that is written inside happen together or not at all.

        A ``durable`` one survives a power cut as soon as it is done.  Others do so a little later:
        an import that is repeated loses nothing.
        """
        thread = self._thread
        with self._writing, our_errors(self.path), self._durability(durable) as writer:
            writer.execute("BEGIN IMMEDIATE")
            outer = thread.sqlite, thread.change
            thread.sqlite, thread.change = writer, None
            try:
                yield
                writer.execute("COMMIT")
            except BaseException:
                if writer.in_transaction:  # after some errors SQLite has ended it already
                    writer.execute("ROLLBACK")
                raise
            finally:
                thread.sqlite, thread.change = outer

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Wait at most this long for others who write, instead of half a minute."""
        if not self._writing.acquire(timeout=seconds):
            raise locked(self.path)
        try:
            with our_errors(self.path):
                writer = self._open_writer(seconds)
                writer.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")
            try:
                yield
            finally:
                writer.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS}")
        finally:
            self._writing.release()

    def write_if_free(self, statements: Sequence[tuple[str, tuple[Any, ...]]]) -> bool:
        """Run statements in one transaction, or return False if the file is busy or read-only.

        This is for what can be done without: nothing is waited for, and no error is raised.
        """
        try:
            with self.patience(0), self.transaction():
                for sql, values in statements:
                    self.execute(sql, values)
        except ForebearError:
            return False
        return True

    def import_lock(self) -> AbstractContextManager[None]:
        """Keep other imports out of this archive; wait for one that is running."""
        return lock_imports(self.path)

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """Give what the current thread reads from, or a reader that no other thread uses."""
        sqlite = self._thread.sqlite
        if sqlite is not None:
            yield sqlite
            return
        reader = self._take_reader()
        try:
            yield reader
        finally:
            self._give_back(reader)

    def _take_reader(self) -> sqlite3.Connection:
        if self._is_closed:
            raise StorageError(f"{str(self.path)!r} is closed", hint="open it again")
        if self._unchanging and self._unchanging != file_state(self.path):
            self._unchanging = None
            self._close_idle()
        try:
            return self._idle.pop()
        except IndexError:
            return self._open_reader()

    def _give_back(self, reader: sqlite3.Connection) -> None:
        if len(self._idle) < MAX_IDLE_READERS:
            self._idle.append(reader)
        else:
            reader.close()
        if self._is_closed:  # meanwhile
            self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _open_reader(self) -> sqlite3.Connection:
        """Open a connection that cannot write; read the file as immutable if it must be."""
        try:
            return self._connect("mode=rw", *READER_SETTINGS)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname not in CANNOT_SHARE:
                raise cannot_open(self.path, error) from None
            state = file_state(self.path)
            if has_log(state):
                raise ArchiveError(
                    f"the last changes of {str(self.path)!r} are in {self.path.name + '-wal'!r}, "
                    f"which SQLite cannot read here: {error}",
                    hint="make the folder writable, or copy both files to one that is",
                ) from None
        except sqlite3.Error as error:
            raise cannot_open(self.path, error) from None
        try:
            reader = self._connect("mode=ro&immutable=1", *READER_SETTINGS)
        except sqlite3.Error as error:
            raise cannot_open(self.path, error) from None
        self._unchanging = state
        return reader

    def _open_writer(self, seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
        """Return the connection that writes; the caller holds the lock of writers."""
        if self._is_closed:
            raise StorageError(f"{str(self.path)!r} is closed", hint="open it again")
        if self._writer is None:
            try:
                self._writer = self._connect("mode=rw", *WRITER_SETTINGS, seconds=seconds)
            except sqlite3.Error as error:
                raise our_error(error, self.path) from None
        return self._writer

    @contextmanager
    def _durability(self, durable: bool) -> Iterator[sqlite3.Connection]:
        """Give the writer, which waits for the disk at each commit if it is to be durable."""
        writer = self._open_writer()
        if not durable:
            yield writer
            return
        writer.execute("PRAGMA synchronous = FULL")
        try:
            yield writer
        finally:
            writer.execute("PRAGMA synchronous = NORMAL")

    def _connect(
        self, mode: str, *settings: str, seconds: float = BUSY_SECONDS
    ) -> sqlite3.Connection:
        """Return a connection that has read the file once."""
        sqlite = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?{mode}",
            uri=True,
            timeout=seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            register(sqlite)
            for setting in (*settings, "schema_version"):
                sqlite.execute(f"PRAGMA {setting}").fetchall()
        except BaseException:
            sqlite.close()
            raise
        return sqlite


@lru_cache(maxsize=1024)
def _marks(count: int) -> str:
    return ",".join("?" * count)

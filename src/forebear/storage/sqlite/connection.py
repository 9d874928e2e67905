"""Opening an archive file: one connection, our errors instead of SQLite's.

Readers see a snapshot while an import writes (WAL mode), and a transaction either happens
whole or not at all, so the index and the records cannot disagree.
"""

import logging
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from forebear.errors import ArchiveError, ForebearError, StorageError
from forebear.search.terms.fields import TERM_RULES_VERSION
from forebear.storage.sqlite.schema import APPLICATION_ID, FORMAT_VERSION, TABLES

BUSY_SECONDS = 30
# A batch of an import touches pages all over the index; what does not fit is read again.
CACHE_KIBIBYTES = 128 << 10
# A search reads rows from all over the file; mapped, they need not be copied page by page.
MAPPED_BYTES = (2 << 30) - (64 << 10)  # as much as SQLite maps


LOCK_SUFFIX = "-import"

logger = logging.getLogger(__name__)


class Connection:
    """A connection to an archive file, shared by the parts that keep their tables in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            self._sqlite = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise ArchiveError(f"cannot open {str(path)!r}: {error}") from None
        try:
            self._sqlite.execute("PRAGMA journal_mode = WAL")
            self._sqlite.execute("PRAGMA synchronous = NORMAL")
            self._sqlite.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
            self._sqlite.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
        except sqlite3.Error as error:
            self._sqlite.close()
            raise ArchiveError(f"cannot open {str(path)!r}: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._sqlite.close()

    def delete(self) -> None:
        """Close the file and delete it, with what SQLite keeps next to it."""
        self.close()
        for suffix in ("", "-wal", "-shm", LOCK_SUFFIX):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def copy_to(self, path: Path) -> None:
        """Write a copy of the file as it is at one moment, while others go on using it."""
        if path.exists():
            raise ArchiveError(f"{str(path)!r} is there already", hint="choose another path")
        if not path.parent.is_dir():
            raise ArchiveError(f"the folder {str(path.parent)!r} does not exist")
        with self._lock, _our_errors(path), closing(sqlite3.connect(path)) as target:
            self._sqlite.backup(target)

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._lock:
            try:
                return self._sqlite.execute(sql, values).fetchall()
            except sqlite3.Error as error:  # a search asks so often that `_our_errors` would tell
                raise _our_error(error, self.path) from None

    def row(self, sql: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, if there is one."""
        with self._lock, _our_errors(self.path):
            row: tuple[Any, ...] | None = self._sqlite.execute(sql, values).fetchone()
            return row

    def rows_in(self, sql: str, values: list[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query that ends in ``IN``, for any number of values."""
        for start in range(0, len(values), 5_000):
            chunk = tuple(values[start : start + 5_000])
            yield from self.rows(f"{sql} ({_marks(len(chunk))})", chunk)

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> int:
        """Run a statement and return the row id it made."""
        with self._lock, _our_errors(self.path):
            return self._sqlite.execute(sql, values).lastrowid or 0

    def execute_many(self, sql: str, values: list[tuple[Any, ...]]) -> None:
        """Run a statement once for each row of values."""
        with self._lock, _our_errors(self.path):
            self._sqlite.executemany(sql, values)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Make all that is read inside be of one moment, whatever others write meanwhile.

        Inside another snapshot or a transaction it is the moment of that one.  Other threads
        wait, so what the storage caches is changed by one thread at a time.
        """
        with self._lock:
            if self._sqlite.in_transaction:
                yield
                return
            with self._transaction("BEGIN"):
                yield

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make all that is written inside happen together or not at all."""
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Wait at most this long for others who write, instead of half a minute."""
        if not self._lock.acquire(timeout=seconds):
            raise _locked(self.path)
        try:
            self._sqlite.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")
            try:
                yield
            finally:
                self._sqlite.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS}")
        finally:
            self._lock.release()

    def write_if_free(self, statements: Sequence[tuple[str, tuple[Any, ...]]]) -> bool:
        """Run statements in one transaction, or return False if the file is busy or read-only.

        This is for what can be done without: nothing is waited for, and no error is raised.
        """
        try:
            with self.patience(0), self.transaction():
                for sql, values in statements:
                    self._sqlite.execute(sql, values)
        except ForebearError:
            return False
        return True

    @contextmanager
    def import_lock(self) -> Iterator[None]:
        """Keep other imports out of this archive; wait for one that is running.

        Each batch of an import is a transaction, so a lock on the archive itself cannot be held
        for a whole import.  An empty database next to it is locked instead: the system releases
        that lock even if this process is killed.
        """
        with closing(
            sqlite3.connect(f"{self.path}{LOCK_SUFFIX}", timeout=1, isolation_level=None)
        ) as lock:
            is_announced = False
            while True:
                try:
                    lock.execute("BEGIN EXCLUSIVE")
                    break
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error):
                        raise _our_error(error, self.path) from None
                if not is_announced:
                    logger.warning("waiting for another import into %s to end", self.path)
                    is_announced = True
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with self._lock, _our_errors(self.path):
            self._sqlite.execute(begin)
            try:
                yield
                self._sqlite.execute("COMMIT")
            except BaseException:
                if self._sqlite.in_transaction:  # after some errors SQLite has ended it already
                    self._sqlite.execute("ROLLBACK")
                raise


def create_file(path: Path) -> Connection:
    """Make a new archive file."""
    if path.exists():
        raise ArchiveError(
            f"{str(path)!r} is there already", hint="choose another path, or use the archive"
        )
    if not path.parent.is_dir():
        raise ArchiveError(f"the folder {str(path.parent)!r} does not exist")
    connection = Connection(path)
    try:
        with _our_errors(path):
            connection._sqlite.executescript(
                f"BEGIN; {TABLES} INSERT INTO metadata VALUES ('terms', '{TERM_RULES_VERSION}');"
                f"PRAGMA application_id = {APPLICATION_ID};"
                f"PRAGMA user_version = {FORMAT_VERSION}; COMMIT;"
                "PRAGMA wal_checkpoint(TRUNCATE);"  # others see by its header what the file is
            )
    except BaseException:
        connection.close()
        raise
    return connection


def open_file(path: Path) -> Connection:
    """Open an archive file, bringing an older format up to date."""
    if not path.is_file():
        raise ArchiveError(
            f"there is no archive at {str(path)!r}", hint=f"make one: forebear init {path}"
        )
    # A migration writes records, and their modules stand on this one.
    from forebear.storage.sqlite.migrate import migrate

    _check_header(path)
    connection = Connection(path)
    try:
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_header(path: Path) -> None:
    with path.open("rb") as file:
        header = file.read(72)
    is_sqlite = header.startswith(b"SQLite format 3\0")
    if not is_sqlite or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise ArchiveError(f"{str(path)!r} is not a Forebear archive")


@contextmanager
def _our_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _our_error(error, path) from None


def _our_error(error: sqlite3.Error, path: Path) -> ForebearError:
    if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
        return _locked(path)
    return StorageError(f"SQLite failed on {str(path)!r}: {error}")


def _locked(path: Path) -> ArchiveError:
    return ArchiveError(
        f"{str(path)!r} is locked by another program", hint="wait until its import has finished"
    )


@lru_cache(maxsize=1024)
def _marks(count: int) -> str:
    return ",".join("?" * count)

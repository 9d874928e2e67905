"""How is an archive file backed up, and how does a backup replace an archive in use?

A copy is written to a private folder next to its target, compared with its source row by row, and
gets its name last: an interrupted copy leaves nothing under that name.  The folder is locked, so
that the next copy can tell one that is being written from one that was left behind.

A restored archive is the same file with other pages.  SQLite writes them in one transaction, so
programs that have the archive open see the old archive, then the new one.  The change counter
becomes higher than any that they know, so nothing that they cached is used again.
"""

import fcntl
import hashlib
import marshal
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from forebear.errors import ArchiveError, NotFoundError, StorageError
from forebear.storage.sqlite.columns import forget_columns
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.disk import check_header, sync_folder
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.schema import read_address
from forebear.storage.sqlite.upkeep import RECORD_TABLES, check_file

PARTIAL = ".partial-"
PRIVATE_FOLDER = 0o700
COUNTER_STEP = 1_000_000  # more changes than are made while an archive is restored

T = TypeVar("T")


def back_up(connection: Connection, path: Path) -> None:
    """Write a copy of an archive file as it is at one moment, while others use the archive."""
    with _new_file(path) as copy:
        _copy(connection, copy)


def restore_backup(backup: Path, path: Path) -> tuple[str, ...]:
    """Replace an archive by a backup, while others use it, or create one where there is none.

    Return the records that are no longer taken down.
    """
    if not backup.is_file():
        raise NotFoundError(f"there is no backup at {str(backup)!r}")
    check_header(backup)
    if not path.exists():
        with _new_file(path) as copy, closing(_checked_copy(backup, copy)):
            pass
        return ()
    if backup.samefile(path):
        raise ArchiveError(f"{str(backup)!r} is the archive itself", hint="name its backup")
    check_header(path)
    with (
        _private_folder(path) as folder,
        closing(Connection(path)) as archive,
        archive.import_lock(),
        closing(_checked_copy(backup, folder / path.name)) as source,
    ):
        # The archive may be damaged, or of an older format.
        cluster = _unless_damaged(lambda: read_address(archive), read_address(source))
        if cluster != read_address(source):
            raise ArchiveError(
                f"the records of {str(path)!r} are in another place than those of the backup",
                hint="restore to a new path, then move it there while no program uses the archive",
            )
        hidden = _unless_damaged(lambda: _takedowns(archive), frozenset[str]())
        counter = max(_unless_damaged(archive.counter, 0), source.counter())
        source.execute("UPDATE changes SET counter = ?", (counter + COUNTER_STEP,))
        with source.transaction():
            forget_columns(source)  # its file may have gone on since
        archive.replace_pages(source)
        _compare(archive, source)
        archive.checkpoint()
        return tuple(sorted(hidden - _takedowns(source)))


def _copy(source: Connection, copy: Path) -> None:
    """Copy a file to a new one and compare the two."""
    with source.snapshot():
        digest = _digest(source)
        source.copy_pages(copy)
    _sync(copy)
    with closing(Connection(copy)) as written:
        if _digest(written) != digest:
            raise StorageError(
                f"the copy of {str(source.path)!r} is not what was read",
                hint="check the disk and the memory of this computer, then copy again",
            )


def _checked_copy(backup: Path, copy: Path) -> Connection:
    """Return a copy of a backup that has the current format and no faults."""
    with closing(Connection(backup)) as original:
        _copy(original, copy)
    connection = open_file(copy)
    try:
        if faults := check_file(connection).faults:
            raise StorageError(
                f"the backup {str(backup)!r} is damaged, and nothing was restored: {faults[0]}",
                hint="restore an older backup",
            )
        return connection
    except BaseException:
        connection.close()
        raise


def _compare(archive: Connection, source: Connection) -> None:
    """Make sure that an archive has the records of its source, unless others have changed it."""
    with archive.snapshot(), source.snapshot():
        if archive.counter() != source.counter():
            return
        if _digest(archive, only=RECORD_TABLES) != _digest(source, only=RECORD_TABLES):
            raise StorageError(
                f"{str(archive.path)!r} does not hold what the backup holds",
                hint="check the disk and the memory of this computer, then restore again",
            )


def _digest(connection: Connection, *, only: tuple[str, ...] = ()) -> str:
    """Return a hash of all rows, as a copy of the same pages has them."""
    digest = hashlib.sha256()
    with connection.snapshot():
        for (table,) in connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ):
            if only and table not in only:
                continue
            # Damaged text cannot be decoded, but it can be copied.
            columns = ", ".join(
                f'CAST("{name}" AS BLOB)' if kind == "TEXT" else f'"{name}"'
                for _, name, kind, *_ in connection.rows(f'PRAGMA table_info("{table}")')
            )
            digest.update(marshal.dumps((table, columns), 2))
            for rows in connection.chunks(f'SELECT {columns} FROM "{table}"'):
                digest.update(marshal.dumps(rows, 2))
    return digest.hexdigest()


def _takedowns(connection: Connection) -> frozenset[str]:
    return frozenset(key for (key,) in connection.rows("SELECT record FROM takedowns"))


def _unless_damaged(read: Callable[[], T], default: T) -> T:
    try:
        return read()
    except (ArchiveError, StorageError):
        return default


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """Give the path of a file that gets its name when it is written."""
    _require_free(path)
    with _private_folder(path) as folder:
        copy = folder / path.name
        yield copy
        _sync(copy)
        _require_free(path)
        copy.rename(path)
        sync_folder(path)


def _require_free(path: Path) -> None:
    """Refuse a name that is taken, also by changes that SQLite would apply to a new file."""
    for file in (Path(f"{path}{end}") for end in ("", "-wal", "-journal")):
        if file.exists():
            raise ArchiveError(f"{str(file)!r} is there already", hint="choose another path")


@contextmanager
def _private_folder(path: Path) -> Iterator[Path]:
    """Give a locked folder next to a file; remove those that interrupted programs left."""
    if not path.parent.is_dir():
        raise ArchiveError(f"the folder {str(path.parent)!r} does not exist")
    prefix = f".{path.name}{PARTIAL}"
    try:
        _remove_left(path.parent, prefix)
        folder, lock = _create_locked(path, prefix)
    except OSError as error:
        raise ArchiveError(f"cannot write to {str(path.parent)!r}: {error.strerror}") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _remove_left(parent: Path, prefix: str) -> None:
    for folder in parent.iterdir():
        if folder.name.startswith(prefix) and (lock := _lock(folder)) is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _create_locked(path: Path, prefix: str) -> tuple[Path, int]:
    while True:  # another program may take a folder that is not locked yet for one left behind
        folder = path.with_name(prefix + secrets.token_hex(4))
        folder.mkdir(PRIVATE_FOLDER)
        if (lock := _lock(folder)) is not None:
            return folder, lock


def _lock(folder: Path) -> int | None:
    """Lock a folder until the file that is returned is closed, if no other program has."""
    try:
        lock = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    if folder.exists():
        return lock
    os.close(lock)
    return None


def _sync(path: Path) -> None:
    """Make sure that what was written to a file survives a power cut."""
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)

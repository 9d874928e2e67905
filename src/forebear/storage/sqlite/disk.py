"""Which files is an archive on the disk, and what do SQLite's errors on them mean?"""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from forebear.errors import ArchiveError, ForebearError, StorageError
from forebear.storage.sqlite.checksums import RESTORE

APPLICATION_ID = 0x466F7262  # "Forb", so that tools can tell an archive from another file
LOCK_SUFFIX = "-import"
COLUMNS_SUFFIX = "-columns"  # of the file that `forebear.storage.columns` describes
PRIVATE = 0o600  # the mode of files that we create; SQLite gives it to those next to an archive

# SQLite cannot create, or enlarge, the files that it needs next to a database.
CANNOT_SHARE = frozenset(
    {
        "SQLITE_CANTOPEN",
        "SQLITE_IOERR_SHMOPEN",
        "SQLITE_IOERR_SHMSIZE",
        "SQLITE_IOERR_SHMMAP",
        "SQLITE_READONLY_DIRECTORY",
        "SQLITE_FULL",
    }
)
# What SQLite says of a file of which a table or a text cannot be read.
DAMAGE = ("malformed", "Could not decode", "no such", "not a database", "parse")

logger = logging.getLogger(__name__)


def create_private(path: Path, *, is_new: bool) -> None:
    """Create a file that only its owner may read; one that is there stays as it is."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | (os.O_EXCL if is_new else 0), PRIVATE))
    except FileExistsError:
        raise ArchiveError(
            f"{str(path)!r} is there already", hint="choose another path, or use the archive"
        ) from None
    except OSError as error:
        raise ArchiveError(f"cannot create {str(path)!r}: {error.strerror}") from None


def sync_folder(path: Path) -> None:
    """Make sure that the name of a new file survives a power cut."""
    if os.name != "posix":  # elsewhere a folder cannot be opened
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_header(path: Path) -> None:
    """Refuse a file that is no archive."""
    try:
        with path.open("rb") as file:
            header = file.read(72)
    except OSError as error:
        raise cannot_open(path, error) from None
    is_sqlite = header.startswith(b"SQLite format 3\0")
    if not is_sqlite or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise ArchiveError(f"{str(path)!r} is not a Forebear archive")


@contextmanager
def lock_imports(archive: Path) -> Iterator[None]:
    """Keep other imports out of an archive; wait for one that is running.

    Each batch of an import is a transaction, so a lock on the archive itself cannot be held
    for a whole import.  An empty database next to it is locked instead: the system releases
    that lock even if this process is killed.
    """
    path = archive.with_name(archive.name + LOCK_SUFFIX)
    create_private(path, is_new=False)
    with (
        our_errors(path),
        closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as lock,
    ):
        is_announced = False
        while True:
            try:
                lock.execute("BEGIN EXCLUSIVE")
                break
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
            if not is_announced:
                logger.warning("waiting for another import into %s to end", archive)
                is_announced = True
        yield


@contextmanager
def our_errors(path: Path) -> Iterator[None]:
    """Raise errors of this package in place of those of SQLite."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a message may cite damaged text
        raise our_error(error, path) from None


def our_error(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> ForebearError:
    """Return the error of this package that says what one of SQLite means."""
    name = getattr(error, "sqlite_errorname", "")
    if "locked" in str(error):
        return locked(path)
    if name.startswith("SQLITE_READONLY") or name in CANNOT_SHARE - {"SQLITE_FULL"}:
        return ArchiveError(
            f"{str(path)!r} cannot be written: {error}",
            hint="the file or its folder is read-only, or its disk is read-only or full; "
            "copy the archive elsewhere",
        )
    is_damage = any(words in str(error) for words in DAMAGE)
    if isinstance(error, sqlite3.OperationalError) and not is_damage:
        return StorageError(f"SQLite failed on {str(path)!r}: {error}")
    return StorageError(f"{str(path)!r} is damaged: {error}", hint=RESTORE)


def cannot_open(path: Path, error: Exception) -> ArchiveError:
    """Return the error of an archive that cannot be opened."""
    return ArchiveError(f"cannot open {str(path)!r}: {error}")


def locked(path: Path) -> ArchiveError:
    """Return the error of an archive that another program is writing."""
    return ArchiveError(
        f"{str(path)!r} is locked by another program", hint="wait until its import has finished"
    )


def file_state(path: Path) -> tuple[int, ...]:
    """Return what changes when the archive is written: of the file, and of the log of changes."""
    states = []
    for file in (path, path.with_name(path.name + "-wal")):
        try:
            status = file.stat()
            states += [status.st_size, status.st_mtime_ns, status.st_ino]
        except FileNotFoundError:
            states += [0, 0, 0]
    return tuple(states)


def has_log(state: tuple[int, ...]) -> bool:
    """Return whether changes are in the log and not in the archive yet."""
    return state[3] > 0

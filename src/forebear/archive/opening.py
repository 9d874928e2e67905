"""How is an archive created and opened?"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from forebear.archive.archive import Archive
from forebear.archive.records import ViewerName, now
from forebear.errors import ArchiveError
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.log import SqliteInteractions
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.models import SqliteLists, SqliteModels, SqliteOffsets, SqliteTrials
from forebear.storage.sqlite.schema import create_file, read_address, write_address
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.visitors import SqliteLinks

# A search must be quick to start, and the protocol is for those who read the code.
if TYPE_CHECKING:
    from forebear.storage.port import ClusterAddress, Storage


def open_archive(path: str | Path, *, viewer: ViewerName = "owner") -> Archive:
    """Open an archive; close it afterwards, or use it in a ``with`` statement.

    Whatever is read is what ``viewer`` may see: the owner everything, the public only records
    of people who cannot be living and that are not taken down.
    """
    connection = open_file(Path(path))
    try:
        storage = _open_storage(connection)
    except BaseException:
        connection.close()
        raise
    return _assemble(connection, storage, viewer)


def create_archive(
    path: str | Path, *, cluster: "ClusterAddress | None" = None, viewer: ViewerName = "owner"
) -> Archive:
    """Create an empty archive, its records in its file or in a cluster, and open it."""
    connection = create_file(Path(path))
    try:
        storage = _create_storage(connection, cluster)
    except BaseException:
        connection.close()
        Path(path).unlink()
        raise
    return _assemble(connection, storage, viewer)


def restore_archive(backup: str | Path, path: str | Path) -> tuple[str, ...]:
    """Replace an archive by a backup, while others use it, or create one where there is none.

    Return the records that were taken down since the backup and are visible again.
    """
    from forebear.storage.sqlite.backup import restore_backup

    return restore_backup(Path(backup), Path(path))


def _assemble(file: Connection, storage: "Storage", viewer: ViewerName) -> Archive:
    """Return the archive of a file, wherever its records are."""
    return Archive(
        file=file,
        storage=storage,
        log=SqliteInteractions(Connection(file.path)),  # no other writer waits for the log
        models=SqliteModels(file, now=now),
        lists=SqliteLists(file),
        links=SqliteLinks(file),
        offsets=SqliteOffsets(file),
        trials=SqliteTrials(file, now=now),
        viewer=viewer,
    )


def _open_storage(connection: Connection) -> "Storage":
    address = read_address(connection)
    if address is None:
        return SqliteStorage(connection)
    # The client of a cluster takes long to load, and is an extra.
    with _needs_extra("opensearch"):
        from forebear.storage.opensearch.storage import open_storage

    return open_storage(address, SqliteStorage(connection))


def _create_storage(connection: Connection, cluster: "ClusterAddress | None") -> "Storage":
    if cluster is None:
        return SqliteStorage(connection)
    with _needs_extra("opensearch"):
        from forebear.storage.opensearch.storage import create_storage

    storage = create_storage(cluster, SqliteStorage(connection))
    write_address(connection, cluster)
    return storage


@contextmanager
def _needs_extra(name: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise ArchiveError(
            f"this archive needs {error.name!r}, which is not installed",
            hint=f"pip install 'forebear[{name}]'",
        ) from None

"""How is an archive made, opened and deleted?"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forebear.archive.home import create_in_cluster, storage_of
from forebear.archive.importing import Importing
from forebear.archive.keeping import Keeping
from forebear.archive.learning import Learning
from forebear.storage.sqlite.cluster_address import ClusterAddress
from forebear.storage.sqlite.connection import LOCK_SUFFIX, create_file, open_file
from forebear.storage.sqlite.storage import SqliteStorage


class Archive(Importing, Learning, Keeping):
    """An open archive: all that its parts can do."""


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open an archive and close it afterwards."""
    archive = Archive(open_file(path))
    try:
        yield archive
    finally:
        archive.close()


def create_archive(path: Path, *, cluster: ClusterAddress | None = None) -> None:
    """Make an empty archive, its records in its file or in a cluster."""
    connection = create_file(path)
    try:
        if cluster is not None:
            create_in_cluster(connection, cluster)
    except BaseException:
        connection.close()
        path.unlink()
        raise
    connection.close()


def delete_archive(path: Path) -> None:
    """Delete an archive: its file, and all that it has in a cluster."""
    connection = open_file(path)
    storage = storage_of(connection)
    if not isinstance(storage, SqliteStorage):
        storage.delete_everything()
        storage.close()
    connection.close()
    for suffix in ("", "-wal", "-shm", LOCK_SUFFIX):
        path.with_name(path.name + suffix).unlink(missing_ok=True)

"""Every storage, empty, for suites that hold all of them to the same answers."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.facets import ListFacets
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.storage.memory import MemoryStorage
from forebear.storage.opensearch.storage import OpenSearchStorage, create_storage
from forebear.storage.port import ClusterAddress
from forebear.storage.sqlite.columns import ArchiveColumns
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.find import compiled_loops
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage

Storage = MemoryStorage | SqliteStorage | OpenSearchStorage
SQLITE = ("sqlite", "sqlite, columns", "sqlite, old columns")


@contextmanager
def sqlite_storage(folder: Path, kind: str = "sqlite") -> Iterator[SqliteStorage]:
    storages = {"sqlite, columns": ColumnsStorage, "sqlite, old columns": OldColumnsStorage}
    connection = create_file(folder / "archive.forebear")
    try:
        yield storages.get(kind, SqliteStorage)(connection)
    finally:
        connection.close()


class ColumnsStorage(SqliteStorage):
    """A storage that writes columns of all its personas before it searches, and compiled loops."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._columns = ArchiveColumns(connection, min_new=1)
        self._loops = compiled_loops()

    def snapshot(self) -> AbstractContextManager[None]:
        self._extend()
        return super().snapshot()

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        self._extend()
        return super().find(searches, viewer=viewer, top=top)

    def facets(self, searches: Sequence[ListSearch], *, viewer: Viewer) -> list[ListFacets]:
        self._extend()
        return super().facets(searches, viewer=viewer)

    def _extend(self) -> None:
        if self._connection._thread.sqlite is None:  # no snapshot and no transaction
            self._columns.extend()


class OldColumnsStorage(ColumnsStorage):
    """A storage that writes columns once, so that most are outdated or missing."""

    def __init__(self, connection: Connection) -> None:
        SqliteStorage.__init__(self, connection)  # loops in numpy
        self._columns = ArchiveColumns(connection, min_new=1)

    def _extend(self) -> None:
        if self._columns.current() is None:
            super()._extend()


@contextmanager
def opensearch_storage(url: str, folder: Path) -> Iterator[OpenSearchStorage]:
    connection = create_file(folder / "local.forebear")
    address = ClusterAddress(hosts=(url,), prefix=f"test-{secrets.token_hex(6)}")
    storage = create_storage(address, SqliteStorage(connection))
    try:
        yield storage
    finally:
        storage.delete_all()
        storage.close()


def empty(storage: Storage) -> None:
    """Delete all records, collections and takedowns; quicker than a new archive in a cluster."""
    for collection in storage.collections():
        storage.delete_collection(collection.name)
    for key in storage.takedowns():
        storage.restore(key)


def get(storage: Storage, key: str, *, viewer: Viewer) -> Record | None:
    """Return a record that the viewer may see, or None."""
    return next(iter(storage.records([key], viewer=viewer).get(key, ())), None)


def group_of(storage: Storage, key: str, *, viewer: Viewer) -> tuple[Record, ...]:
    """Return the records of a record's household that the viewer may see."""
    return storage.records([key], viewer=viewer, groups=True).get(key, ())

"""Every storage, empty, for suites that hold all of them to the same answers."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.storage.memory import MemoryStorage
from forebear.storage.opensearch.storage import OpenSearchStorage, create_storage
from forebear.storage.port import ClusterAddress
from forebear.storage.sqlite.connection import create_file
from forebear.storage.sqlite.storage import SqliteStorage

Storage = MemoryStorage | SqliteStorage | OpenSearchStorage


@contextmanager
def sqlite_storage(folder: Path) -> Iterator[SqliteStorage]:
    connection = create_file(folder / "archive.forebear")
    try:
        yield SqliteStorage(connection)
    finally:
        connection.close()


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

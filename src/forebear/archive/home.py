"""Where do the records of an archive live: in its file, or in a cluster its file points to?"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from forebear.errors import ArchiveError
from forebear.storage.sqlite.cluster_address import ClusterAddress, read_address, write_address
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.storage import SqliteStorage

if TYPE_CHECKING:
    from forebear.storage.opensearch.storage import OpenSearchStorage


def storage_of(connection: Connection) -> "SqliteStorage | OpenSearchStorage":
    """Open where the records of an archive live."""
    address = read_address(connection)
    if address is None:
        return SqliteStorage(connection)
    # The client of a cluster takes long to load, and is an extra.
    with _extra("opensearch"):
        from forebear.storage.opensearch.storage import open_storage

    return open_storage(address, connection)


def create_in_cluster(connection: Connection, address: ClusterAddress) -> None:
    """Make an empty archive in a cluster, and write down its address in the file."""
    with _extra("opensearch"):
        from forebear.storage.opensearch.storage import create_storage

    create_storage(address, connection).close()
    write_address(connection, address)


@contextmanager
def _extra(name: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise ArchiveError(
            f"this archive needs {error.name!r}, which is not installed",
            hint=f"pip install 'forebear[{name}]'",
        ) from None

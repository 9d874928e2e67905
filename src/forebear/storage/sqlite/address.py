"""Which cluster holds the records of an archive whose file does not?

Only files of archives in a cluster have the table.  It never holds a password or a key.
"""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from forebear.storage.sqlite.checksums import guard_table, require_table
from forebear.storage.sqlite.connection import Connection

# A search in a file must be quick to start, and needs none of these.
if TYPE_CHECKING:
    from forebear.storage.port import ClusterAddress


def read_address(connection: Connection) -> "ClusterAddress | None":
    """Return the cluster that holds an archive's records; None if its file does."""
    if not _has_address(connection):
        return None
    from forebear.storage.port import ClusterAccess, ClusterAddress

    require_table(connection, "cluster")
    # Archives of earlier programs do not say how to sign in.
    ((hosts, prefix, shards, replicas, *access),) = connection.rows("SELECT * FROM cluster")
    return ClusterAddress(
        hosts=tuple(json.loads(hosts)),
        prefix=prefix,
        shards=shards,
        replicas=replicas,
        access=ClusterAccess(**json.loads(access[0])) if access else ClusterAccess(),
    )


def write_address(connection: Connection, address: "ClusterAddress") -> None:
    """Store the address of the cluster that holds an archive's records."""
    with connection.transaction():
        connection.execute(
            "CREATE TABLE cluster (hosts TEXT NOT NULL, prefix TEXT NOT NULL,"
            " shards INTEGER NOT NULL, replicas INTEGER NOT NULL, access TEXT NOT NULL)"
        )
        guard_table(connection, "cluster")
        access = json.dumps(asdict(address.access))
        connection.execute(
            "INSERT INTO cluster VALUES (?, ?, ?, ?, ?)",
            (json.dumps(address.hosts), address.prefix, address.shards, address.replicas, access),
        )


def forget_passwords(connection: Connection) -> None:
    """Remove users and passwords from hosts, where earlier programs allowed them."""
    if not _has_address(connection):
        return
    ((stored,),) = connection.rows("SELECT hosts FROM cluster")
    hosts = [_without_user(host) for host in json.loads(stored)]
    connection.execute("UPDATE cluster SET hosts = ?", (json.dumps(hosts),))


def _has_address(connection: Connection) -> bool:
    return bool(connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'cluster'"))


def _without_user(host: str) -> str:
    node = urlsplit(host)
    return node._replace(netloc=node.netloc.rpartition("@")[2]).geturl()

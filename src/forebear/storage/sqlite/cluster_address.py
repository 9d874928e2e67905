"""Where are the records of an archive whose file does not hold them?

The table is only in the files of archives whose records live in a cluster; that it is not
there says that they are in the file.
"""

import json
from dataclasses import dataclass

from forebear.storage.sqlite.connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterAddress:
    """A cluster, and which of its indexes are the archive's."""

    hosts: tuple[str, ...]
    prefix: str  # of the names of the indexes
    shards: int = 1  # of each new index
    replicas: int = 1


def read_address(connection: Connection) -> ClusterAddress | None:
    """Return the cluster that a file remembers, or None if its records are in the file."""
    if not connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'cluster'"):
        return None
    ((hosts, prefix, shards, replicas),) = connection.rows("SELECT * FROM cluster")
    return ClusterAddress(
        hosts=tuple(json.loads(hosts)), prefix=prefix, shards=shards, replicas=replicas
    )


def write_address(connection: Connection, address: ClusterAddress) -> None:
    """Let a file remember where its records are, instead of what it remembered before."""
    with connection.transaction():
        connection.execute(
            "CREATE TABLE IF NOT EXISTS cluster (hosts TEXT NOT NULL, prefix TEXT NOT NULL,"
            " shards INTEGER NOT NULL, replicas INTEGER NOT NULL)"
        )
        connection.execute("DELETE FROM cluster")
        connection.execute(
            "INSERT INTO cluster VALUES (?, ?, ?, ?)",
            (json.dumps(address.hosts), address.prefix, address.shards, address.replicas),
        )

"""What every part of an open archive works with: its file, its storage, its log, its models.

The parts of an archive are classes that stand on this one, so that each can be read by
itself; `Archive` is all of them together.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from forebear.archive.home import storage_of
from forebear.interactions.log import InteractionLog
from forebear.records.privacy import Viewer
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.interactions import SqliteInteractions
from forebear.storage.sqlite.lists import SqliteLists
from forebear.storage.sqlite.models import SqliteModels
from forebear.storage.sqlite.storage import SqliteStorage

if TYPE_CHECKING:
    from forebear.learning.registry import ModelRegistry
    from forebear.storage.opensearch.storage import OpenSearchStorage


class OpenedArchive:
    """The file of an archive and where its records live, open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._storage = storage_of(connection)
        self._lists = SqliteLists(connection)
        self._log: InteractionLog = SqliteInteractions(connection)
        self._models: ModelRegistry = SqliteModels(connection, now=now)

    @property
    def storage(self) -> "SqliteStorage | OpenSearchStorage":
        """Return where the records live, for those who measure or repair."""
        return self._storage

    def close(self) -> None:
        """Close the archive's file, and its cluster if it has one."""
        if isinstance(self._storage, SqliteStorage):
            self._storage.leave_answers()
        else:
            self._storage.close()
        self._connection.close()

    def viewer(self, *, is_owner: bool) -> Viewer:
        """Return who is looking, today."""
        return Viewer(year=datetime.now(UTC).year, is_owner=is_owner)


def now() -> str:
    """Return this moment as the archive writes it down."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")

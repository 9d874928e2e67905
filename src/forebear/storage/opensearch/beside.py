"""What an archive in a cluster keeps in its own file, beside the cluster.

Who attached what, which imports did not end, and where places lie is little, is changed in
transactions, and belongs to the one server that writes; so it stays in the file.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager

from forebear.ingest.writer import Journal, SourceFile
from forebear.normalize.gazetteer import Gazetteer, GazetteerEntry
from forebear.records.privacy import OWNER
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.places import read_entries
from forebear.storage.sqlite.storage import SqliteStorage


class KeptBeside:
    """Answers from the file what the cluster is not asked."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._file = SqliteStorage(connection)

    def attached(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that somebody attached to a tree."""
        return self._file.attached(record_keys)

    def import_lock(self) -> AbstractContextManager[None]:
        """Keep other imports out until this one ends; wait for one that is running."""
        return self._file.import_lock()

    def unfinished(self, file: SourceFile) -> Journal | None:
        """Return the journal of an import of this file that did not end."""
        return self._file.unfinished(file)

    def all_unfinished(self) -> list[SourceFile]:
        """Return the files whose import did not end."""
        return self._file.all_unfinished()

    def begin(self, journal: Journal) -> None:
        """Note that an import begins."""
        self._file.begin(journal)

    def finish(self, file: SourceFile) -> None:
        """Note that the import of a file has ended."""
        self._file.finish(file)

    def gazetteer(self) -> Gazetteer:
        """Return what was imported of places."""
        return self._file.known_to(OWNER).gazetteer

    def add_to_gazetteer(self, entries: Iterable[GazetteerEntry]) -> None:
        """Keep what a gazetteer says of places."""
        self._file.add_to_gazetteer(entries)

    def gazetteer_entries(self) -> dict[str, GazetteerEntry]:
        """Return what is known of places beside their levels, by id."""
        return read_entries(self._connection)

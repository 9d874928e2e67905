"""Which records came from which file, and which imports did not end?"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from forebear.records.codec import encode_record
from forebear.records.record import Record
from forebear.search.store import source_position
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.groups import read_groups

# A search must be quick to start, and has no use for files.
if TYPE_CHECKING:
    from forebear.ingest.store import Group, Journal, SourceFile

ACTIONS_ON = "SELECT id, search, record, kind, rank, at, source FROM actions WHERE record IN"


class SqliteFiles:
    """Remembers where the records of an archive file came from."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def import_lock(self) -> AbstractContextManager[None]:
        """Keep other imports out until this one ends; wait for one that is running."""
        return self._connection.import_lock()

    def keys_from(self, file: "SourceFile") -> list[str]:
        """Return the keys of the records that came from a file."""
        rows = self._connection.rows(
            "SELECT r.key FROM files f JOIN record_groups g ON g.file = f.id"
            " JOIN records r ON r.record_group = g.id WHERE f.shelf = ? AND f.name = ?"
            " ORDER BY r.id",
            (file.collection, file.name),
        )
        return [key for (key,) in rows]

    def groups_holding(self, record_keys: Iterable[str]) -> "list[Group]":
        """Return the stored groups in which any of these records is."""
        rows = self._connection.rows_in(
            "SELECT record_group FROM records WHERE key IN", list(record_keys)
        )
        return read_groups(self._connection, sorted({number for (number,) in rows}))

    def restate(self, records: Iterable[Record]) -> None:
        """Replace records of which nothing that is searched has changed."""
        values = [
            (encode_record(record), source_position(record.source), record.key)
            for record in records
        ]
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE records SET value = ?1, position = ?2, checksum = records_checksum"
                "(id, key, collection, record_group, headings, ?1, ?2, public_year)"
                " WHERE key = ?3",
                values,
            )

    def attached(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that are attached to a tree."""
        from forebear.interactions.events import Action, last_actions

        of_search: dict[str, list[Action]] = {}
        for _, search, record, kind, rank, at, source in sorted(
            self._connection.rows_in(ACTIONS_ON, list(record_keys))
        ):
            action = Action(
                search_id=search, record_key=record, kind=kind, rank=rank, at=at, source=source
            )
            of_search.setdefault(search, []).append(action)
        return frozenset(
            record
            for actions in of_search.values()
            for record, last in last_actions(actions).items()
            if last.kind == "attach"
        )

    def unfinished(self, file: "SourceFile") -> "Journal | None":
        """Return the journal of an import of this file that did not end."""
        from forebear.ingest.store import Journal

        row = self._connection.row(
            "SELECT i.file, i.content, i.mapping FROM imports i JOIN files f ON f.id = i.file"
            " WHERE f.shelf = ? AND f.name = ?",
            (file.collection, file.name),
        )
        if row is None:
            return None
        number, content, mapping = row
        ids = self._connection.rows("SELECT line, id FROM import_ids WHERE file = ?", (number,))
        return Journal(file=file, content=content, mapping=mapping, ids=dict(ids))

    def all_unfinished(self) -> "list[SourceFile]":
        """Return the files whose import did not end."""
        from forebear.ingest.store import SourceFile

        rows = self._connection.rows(
            "SELECT f.shelf, f.name FROM imports i JOIN files f ON f.id = i.file ORDER BY 1, 2"
        )
        return [SourceFile(collection=shelf, name=name) for shelf, name in rows]

    def begin(self, journal: "Journal") -> None:
        """Note that an import begins."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._connection.transaction():
            number = file_id(self._connection, journal.file)
            self._connection.execute("DELETE FROM import_ids WHERE file = ?", (number,))
            self._connection.execute(
                "REPLACE INTO imports VALUES (?, ?, ?, ?)",
                (number, journal.content, journal.mapping, at),
            )
            self._connection.execute_many(
                "INSERT INTO import_ids VALUES (?, ?, ?)",
                [(number, line, record_id) for line, record_id in journal.ids.items()],
            )

    def finish(self, file: "SourceFile") -> None:
        """Note that the import of a file has ended."""
        with self._connection.transaction():
            number = file_id(self._connection, file)
            for table in ("import_ids", "imports"):
                self._connection.execute(f"DELETE FROM {table} WHERE file = ?", (number,))


def file_id(connection: Connection, file: "SourceFile") -> int:
    """Return the number of a file, a new one if it is not known yet."""
    values = (file.collection, file.name)
    connection.execute("INSERT OR IGNORE INTO files (shelf, name) VALUES (?, ?)", values)
    return int(connection.rows("SELECT id FROM files WHERE shelf = ? AND name = ?", values)[0][0])


def forget_files(connection: Connection) -> None:
    """Forget files of which no record is left and whose import has ended or is pointless."""
    orphaned = "(SELECT id FROM files WHERE id NOT IN (SELECT file FROM record_groups WHERE file))"
    for table, column in (("import_ids", "file"), ("imports", "file"), ("files", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {column} IN {orphaned}")

"""Everything that an archive file has, read from beginning to end or copied to another file."""

from collections.abc import Iterator

from forebear.ingest.writer import Group, SourceFile
from forebear.records.collections import Collection
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.groups import read_groups
from forebear.storage.sqlite.storage import SqliteStorage

READ_GROUPS = 2_000  # at a time, so that memory stays small
# Tables that tell of records; a copy writes them anew, wherever its records live.
RECORD_TABLES = frozenset(
    {
        *("collections", "headings", "files", "record_groups", "records", "takedowns"),
        *("imports", "import_ids", "personas", "terms", "postings"),
        *("place_names", "changes", "cluster", "answers"),
    }
)


class SqliteContents:
    """Reads the records of an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._storage = SqliteStorage(connection)

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""
        return self._storage.collections()

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return self._storage.takedowns()

    def filed_groups(self) -> Iterator[tuple[Group, SourceFile | None]]:
        """Yield all groups of records, each with the file it came from."""
        last = 0
        while rows := self._connection.rows(
            "SELECT g.id, f.shelf, f.name FROM record_groups g LEFT JOIN files f ON f.id = g.file"
            " WHERE g.id > ? ORDER BY g.id LIMIT ?",
            (last, READ_GROUPS),
        ):
            last = rows[-1][0]
            groups = read_groups(self._connection, [number for number, _, _ in rows])
            for group, (_, shelf, name) in zip(groups, rows, strict=True):
                yield group, SourceFile(shelf=shelf, name=name) if shelf is not None else None


def copy_tables(source: Connection, target: Connection) -> None:
    """Copy all that is not about records: searches, actions, models, trees, places."""
    with source.snapshot(), target.transaction():
        for (table,) in source.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ):
            rows = [] if table in RECORD_TABLES else source.rows(f'SELECT * FROM "{table}"')
            if rows:
                marks = ",".join("?" * len(rows[0]))
                target.execute_many(f'REPLACE INTO "{table}" VALUES ({marks})', rows)

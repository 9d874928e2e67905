"""How do records leave the public's view, or the file, for good?

A deletion leaves words behind: terms that no posting has, names of places, headings, and keys in
the log of searches.  The log loses the keys when the records are deleted; the rest is removed when
the file is compacted, which then writes every page again.

A record that was erased on request must not come back with the next import, and its key may name a
person.  So only a hash of the key is stored, made with a secret of the archive.  A record that was
taken down is still there, but hidden from the public.
"""

import json
import re
from collections.abc import Iterable

from forebear.errors import StorageError
from forebear.records.record import Record
from forebear.search.terms.term import value_of
from forebear.storage.places import place_name
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.records import read_groups, tombstone_of
from forebear.storage.sqlite.write import SqliteWriter

# Tables of the log, each with its columns that may name records.
LOG_TEXTS = (
    ("searches", ("query", "shown")),
    ("search_notes", ("options", "relaxed")),
    ("search_lists", ("records", "collections")),
    ("actions", ("reason",)),
)
ERASED = "erased"
# Numbers of terms only grow, since other programs remember them: this row has the highest.
LAST_TERM = "last="


class SqliteEraser(SqliteWriter):
    """Takes records down and deletes them for good."""

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        rows = self._connection.rows("SELECT key FROM records WHERE collection = ?", (name,))
        with self._writing():
            self._postings.remove(self._remove([key for (key,) in rows]))
            self._connection.execute("DELETE FROM collections WHERE name = ?", (name,))
            forget_files(self._connection)
            erase_from_log(self._connection, [key for (key,) in rows])
            erase_collection_name(self._connection, name)
        return len(rows)

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        with self._writing(durable=True):
            self._connection.execute(
                "REPLACE INTO takedowns VALUES (?, ?, ?)", (record_key, reason, at)
            )
            self._rewrite_group(record_key)

    def restore(self, record_key: str) -> None:
        """Take a takedown back."""
        with self._writing(durable=True):
            self._connection.execute("DELETE FROM takedowns WHERE record = ?", (record_key,))
            self._rewrite_group(record_key)

    def erase(self, record_key: str) -> None:
        """Delete a record for good; an import does not bring it back."""
        with self._writing():
            if stored := self._group_of(record_key):
                group, file = stored
                rest = tuple(record for record in group if record.key != record_key)
                self._postings.remove(self._remove([record_key]))
                self._replace([rest] if rest else [], file)
            self._connection.execute(
                "INSERT OR IGNORE INTO tombstones VALUES (?)",
                (tombstone_of(self._connection, record_key),),
            )
            self._connection.execute("DELETE FROM takedowns WHERE record = ?", (record_key,))
            erase_from_log(self._connection, [record_key])

    def _rewrite_group(self, record_key: str) -> None:
        if stored := self._group_of(record_key):
            group, file = stored
            self._replace([group], file)

    def _group_of(self, record_key: str) -> tuple[tuple[Record, ...], int | None] | None:
        """Return the group of a record, if it is stored, and the number of its file."""
        row = self._connection.row(
            "SELECT g.id, g.file FROM record_groups g JOIN records r ON r.record_group = g.id"
            " WHERE r.key = ?",
            (record_key,),
        )
        if row is None:
            return None
        number, file = row
        (group,) = read_groups(self._connection, [number])
        return group, file


def erase_from_log(connection: Connection, record_keys: Iterable[str]) -> None:
    """Remove the keys of records from the log, inside a transaction of the caller's."""
    keys = sorted(set(record_keys), key=len, reverse=True)
    for start in range(0, len(keys), 500):
        chunk = keys[start : start + 500]
        _replace(connection, [form for key in chunk for form in _forms(key)])
        for table in ("actions", "votes"):
            connection.execute_many(
                f"DELETE FROM {table} WHERE record = ?", [(key,) for key in chunk]
            )
    connection.execute("DROP TABLE IF EXISTS answers")


def erase_collection_name(connection: Connection, name: str) -> None:
    """Remove the name of a collection from the log and the lists."""
    _replace(connection, _forms(name))
    for title, stored in connection.rows("SELECT name, collections FROM lists"):
        others = [other for other in json.loads(stored) if other != name]
        if others:
            connection.execute(
                "UPDATE lists SET collections = ? WHERE name = ?", (json.dumps(others), title)
            )
        else:
            connection.execute("DELETE FROM lists WHERE name = ?", (title,))


def _forms(text: str) -> list[str]:
    """Return how a text stands in a query or a list: as JSON, with or without escapes."""
    return list(dict.fromkeys([json.dumps(text), json.dumps(text, ensure_ascii=False)]))


def _replace(connection: Connection, forms: list[str]) -> None:
    pattern = re.compile("|".join(map(re.escape, forms)))
    for table, columns in LOG_TEXTS:
        names = ", ".join(columns)
        key = "search, list" if table == "search_lists" else "search"
        key = "id" if table in ("searches", "actions") else key
        marks = " AND ".join(f"{part} = ?" for part in key.split(", "))
        values = " = ?, ".join(columns)
        for row in connection.rows(f"SELECT {names}, {key} FROM {table}"):
            texts = [pattern.sub(json.dumps(ERASED), text) for text in row[: len(columns)]]
            if texts != list(row[: len(columns)]):
                connection.execute(
                    f"UPDATE {table} SET {values} = ? WHERE {marks}",
                    (*texts, *row[len(columns) :]),
                )


def remove_orphans(connection: Connection) -> None:
    """Delete terms, names of places, headings and files that no record has any more."""
    with connection.transaction():
        (last,) = connection.rows("SELECT coalesce(max(id), 0) FROM terms")[0]
        connection.execute("DELETE FROM terms WHERE id NOT IN (SELECT term FROM postings)")
        (left,) = connection.rows("SELECT coalesce(max(id), 0) FROM terms")[0]
        if left < last:
            connection.execute(
                "INSERT INTO terms VALUES (?1, ?2, terms_checksum(?1, ?2))",
                (last, f"{LAST_TERM}{last}"),
            )
        terms = [term for (term,) in connection.rows("SELECT term FROM terms")]
        places = {value_of(term) for term in terms if place_name(term)}
        for table in ("place_names", "place_aliases", "place_points"):
            stored = {place for (place,) in connection.rows(f"SELECT place FROM {table}")}
            connection.execute_many(
                f"DELETE FROM {table} WHERE place = ?", [(p,) for p in sorted(stored - places)]
            )
        connection.execute("DELETE FROM headings WHERE id NOT IN (SELECT headings FROM records)")
        connection.execute(
            "DELETE FROM files WHERE id NOT IN (SELECT file FROM record_groups WHERE file)"
            " AND id NOT IN (SELECT file FROM imports)"
        )
        connection.execute("DROP TABLE IF EXISTS answers")
        connection.execute("UPDATE changes SET counter = counter + 1")


def rewrite_pages(connection: Connection) -> None:
    """Write every page of the file again, and empty the log of changes beside it."""
    connection.execute("VACUUM")
    ((is_busy, *_),) = connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    if is_busy:
        raise StorageError(
            f"{str(connection.path)!r} is being read, so deleted words may still be in it",
            hint="run `forebear compact` again when no other program reads the archive",
        )


def forget_files(connection: Connection) -> None:
    """Forget files of which no record is left and whose import has ended or is pointless."""
    orphaned = "(SELECT id FROM files WHERE id NOT IN (SELECT file FROM record_groups WHERE file))"
    for table, column in (("import_ids", "file"), ("imports", "file"), ("files", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {column} IN {orphaned}")

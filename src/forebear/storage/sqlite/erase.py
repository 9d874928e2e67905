"""How do deleted records leave the file for good?

A deletion leaves words behind: terms that no posting has, names of places, headings, and keys in
the log of searches.  The log loses the keys when the records are deleted; the rest is removed when
the file is compacted, which then writes every page again.

A record that was erased on request must not come back with the next import, and its key may name a
person.  So only a hash of the key is stored, made with a secret of the archive.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterable

from forebear.errors import StorageError
from forebear.search.terms.term import value_of
from forebear.storage.places import place_name
from forebear.storage.sqlite.connection import Connection

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


def add_tombstone(connection: Connection, record_key: str) -> None:
    """Note that a record was erased, by a hash of its key."""
    connection.execute(
        "INSERT OR IGNORE INTO tombstones VALUES (?)", (_hash(connection, record_key),)
    )


def erased_keys(connection: Connection, record_keys: Iterable[str]) -> frozenset[str]:
    """Return those of some records that were erased."""
    stored = {value for (value,) in connection.rows("SELECT hash FROM tombstones")}
    if not stored:
        return frozenset()
    return frozenset(key for key in record_keys if _hash(connection, key) in stored)


def _hash(connection: Connection, record_key: str) -> bytes:
    read = "SELECT value FROM secrets WHERE name = 'tombstones'"
    row = connection.row(read)
    if row is None:
        connection.execute(
            "INSERT INTO secrets VALUES ('tombstones', ?)", (secrets.token_bytes(32),)
        )
        row = connection.row(read)
    secret = bytes(row[0]) if row else b""
    return hashlib.blake2b(record_key.encode(), key=secret, digest_size=16).digest()


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

"""Is a row of the file what was written?

A disk may change a byte without an error, and a search would then rank by it.  So every row has a
checksum of its values together with its table and its key: a row that stands where another belongs
is noticed too.  Rows that a search reads by the thousand (records, groups, personas, terms and
postings) have it in a column, calculated with arrays.  All other tables are small, and triggers
write their checksums to the table ``checksums``; whatever inserts a row need not know of it.

A checksum finds damage, not intent: who can write to the file can write a checksum.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from forebear.errors import StorageError

# The connection makes these functions known to SQL.
if TYPE_CHECKING:
    from forebear.storage.sqlite.connection import Connection

Ints = NDArray[np.int64]

RESTORE = "run `forebear check`, then restore a backup: forebear restore BACKUP"
FACTOR = 0x9E3779B97F4A7C15  # odd, so that no change of one number cancels out
WORD = (1 << 64) - 1
SPREAD = 0x9E3779B1  # keeps the numbers of two terms apart, whatever the numbers of their segments
# Tables that need no checksum: what they hold is written again, or holds the checksums.
UNCHECKED = frozenset({"checksums", "import_ids"})


def mix(*numbers: int) -> int:
    """Return one number of 31 bits for a sequence of whole numbers."""
    total = 0
    for number in numbers:
        total = (total ^ number) * FACTOR & WORD
    return total >> 33


def mix_arrays(*columns: Ints) -> Ints:
    """Return what `mix` returns for each row of some columns."""
    total = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        total ^= column.astype(np.uint64)
        total *= np.uint64(FACTOR)
    return (total >> np.uint64(33)).astype(np.int64)


def group_checksum(number: int, public_year: int, full_year: int, file: int | None) -> int:
    """Return the checksum of a group of records."""
    return mix(number, public_year, full_year, -1 if file is None else file)


def group_checksums(numbers: Ints, years: Ints, file: int | None) -> Ints:
    """Return the checksum of each group of a file; the years are two columns."""
    files = np.full(len(numbers), -1 if file is None else file)
    return mix_arrays(numbers, years[:, 0], years[:, 1], files)


def record_checksum(
    number: int,
    key: Any,
    collection: Any,
    group: int,
    headings: int,
    value: Any,
    position: Any,
    public_year: int,
) -> int:
    """Return the checksum of a record; its texts are strings, or bytes as they are in the file.

    The upper half is that of the key alone, for those who read no more of a record.
    """
    if isinstance(value, str):
        text = f"{group:d} {headings:d} {public_year:d}\0{collection}\0{position}\0{value}"
        data = text.encode("utf-8", "surrogatepass")
    else:
        numbers = b"%d %d %d" % (group, headings, public_year)
        data = b"\0".join([numbers, collection, position, value])
    of_key = key_checksum(number, key)
    return of_key << 32 | crc32(data, of_key)


def key_checksum(number: int, key: str | bytes) -> int:
    """Return the checksum of a record's number and key, in 31 bits."""
    return term_checksum(number, key) >> 1


def persona_checksum(
    number: int, record: int, position: int, tie: int, masked: int, terms: bytes
) -> int:
    """Return the checksum of a persona."""
    return mix(number, record, position, tie, masked, crc32(terms))


def persona_checksums(columns: Sequence[Ints], terms: Iterable[bytes]) -> Ints:
    """Return the checksum of each persona; the columns are those of `persona_checksum`."""
    return mix_arrays(*columns, np.array(list(map(crc32, terms)), np.int64))


def damaged_personas(columns: Sequence[Ints], terms: Iterable[bytes], checksums: Ints) -> Ints:
    """Return the numbers of those personas that are not what was written."""
    numbers: Ints = columns[0][persona_checksums(columns, terms) != checksums]
    return numbers


def term_checksum(number: int, term: str | bytes) -> int:
    """Return the checksum of a term."""
    return crc32(term.encode("utf-8", "surrogatepass") if isinstance(term, str) else term, number)


def posting_checksum(term: int, segment: int, personas: bytes) -> int:
    """Return the checksum of the postings of a term in a segment."""
    return crc32(personas, term * SPREAD + segment)


def posting_rows(
    segment: int, terms: Sequence[int], bitmaps: Sequence[bytes]
) -> list[tuple[int, int, bytes, int]]:
    """Return rows of a segment, each with its `posting_checksum`."""
    return [
        (segment, term, personas, crc32(personas, term * SPREAD + segment))
        for term, personas in zip(terms, bitmaps, strict=True)
    ]


def value_checksum(*values: Any) -> int:
    """Return the checksum of any values that SQLite stores."""
    total = 0
    for value in values:
        if isinstance(value, str):
            data = value.encode("utf-8", "surrogatepass")
        else:
            data = value if isinstance(value, bytes) else b"\0" + repr(value).encode()
        total = crc32(data, crc32(b"%d:" % len(data), total))
    return total


# The columns that the checksum of a row covers, in the order of the function's arguments.
COLUMNS: dict[str, tuple[Callable[..., int], tuple[str, ...]]] = {
    "record_groups": (group_checksum, ("id", "public_year", "full_year", "file")),
    "records": (
        record_checksum,
        (
            *("id", "key", "collection", "record_group", "headings", "value"),
            *("position", "public_year"),
        ),
    ),
    "personas": (persona_checksum, ("id", "record", "position", "tie", "masked", "terms")),
    "terms": (term_checksum, ("id", "term")),
    "postings": (posting_checksum, ("term", "segment", "personas")),
    "answers": (value_checksum, ("question", "viewer", "change", "answer")),
}


def register(sqlite: sqlite3.Connection) -> None:
    """Make the checksums known to the SQL of a connection."""
    for table, (function, columns) in COLUMNS.items():
        sqlite.create_function(
            f"{table}_checksum", len(columns), _unless_odd(function), deterministic=True
        )
    sqlite.create_function("value_checksum", -1, value_checksum, deterministic=True)


def is_sound(table: str, row: Sequence[Any]) -> bool:
    """Return whether a row, its checksum last, is what was written."""
    try:
        return bool(COLUMNS[table][0](*row[:-1]) == row[-1])
    except (TypeError, ValueError, OverflowError):  # a value of a type that the column never has
        return False


def _unless_odd(function: Callable[..., int]) -> Callable[..., int | None]:
    """Return a checksum that is nothing for values of a type that the column never has."""

    def calculate(*values: Any) -> int | None:
        try:
            return function(*values)
        except (TypeError, ValueError, OverflowError):
            return None

    return calculate


def raise_damaged(connection: "Connection", what: str) -> NoReturn:
    """Refuse to go on with a value that is not what was written."""
    raise StorageError(
        f"{str(connection.path)!r} is damaged: {what} is not what was written", hint=RESTORE
    )


def require_sound(connection: "Connection", table: str, row: Sequence[Any]) -> None:
    """Refuse a row, its checksum last, that is not what was written."""
    if not is_sound(table, row):
        raise_damaged(connection, f"row {row[0]!r} of {table}")


def sound_terms(connection: "Connection", rows: Iterable[Sequence[Any]]) -> list[tuple[int, str]]:
    """Return number and text of terms; refuse those that are not what was written."""
    terms = []
    try:
        for number, term, checksum in rows:
            if crc32(term.encode("utf-8", "surrogatepass"), number) != checksum:
                raise_damaged(connection, f"row {number!r} of terms")
            terms.append((number, term))
    except (AttributeError, TypeError):  # a value of a type that the column never has
        raise_damaged(connection, "a row of terms")
    return terms


def sound_keys(connection: "Connection", rows: Iterable[Sequence[Any]]) -> dict[int, str]:
    """Return the keys of records by number; refuse those that are not what was written."""
    keys = {}
    try:
        for number, key, checksum in rows:
            if crc32(key.encode("utf-8", "surrogatepass"), number) >> 1 != checksum >> 32:
                raise_damaged(connection, f"the key of row {number!r} of records")
            keys[number] = key
    except (AttributeError, TypeError):  # a value of a type that the column never has
        raise_damaged(connection, "a row of records")
    return keys


def sound_postings(
    connection: "Connection", rows: Iterable[Sequence[Any]]
) -> list[tuple[int, int, bytes]]:
    """Return term, segment and personas of postings; refuse those that are not what was written."""
    postings = []
    try:
        for term, segment, personas, checksum in rows:
            if crc32(personas, term * SPREAD + segment) != checksum:
                raise_damaged(connection, f"row {term!r} of postings")
            postings.append((term, segment, personas))
    except TypeError:
        raise_damaged(connection, "a row of postings")
    return postings


def require_table(connection: "Connection", table: str) -> None:
    """Refuse to read a small table of which a row is damaged or lost."""
    for (fault,) in connection.rows(f"{_faults_query(connection, table)} LIMIT 1"):
        raise_damaged(connection, fault)


def damaged_rows(connection: "Connection", table: str) -> list[str]:
    """Return which rows of a table are not what was written."""
    if table in COLUMNS:
        columns = _columns(connection, table)
        number, *_ = covered = COLUMNS[table][1]
        arguments = ", ".join(_raw(column, columns) for column in covered)
        rows = connection.rows(
            f"SELECT {number} FROM {table}"
            f" WHERE checksum IS NOT {table}_checksum({arguments}){_is_no_text(columns)}"
        )
        return [f"row {row!r} of {table}" for (row,) in rows]
    return [fault for (fault,) in connection.rows(_faults_query(connection, table))]


def _faults_query(connection: "Connection", table: str) -> str:
    """Return the SQL that lists the faults of a small table; it is read in every search."""
    query = connection.faults_queries.get(table)
    if query is None:
        columns = _columns(connection, table)
        key, checksum = _key(columns, f"{table}."), _checksum(table, columns)
        query = connection.faults_queries[table] = (
            f"SELECT 'a row of {table}' FROM {table} WHERE {checksum} IS NOT"
            f" (SELECT c.checksum FROM checksums c WHERE c.name = '{table}' AND c.row = {key})"
            f" UNION ALL SELECT 'a lost row of {table}' FROM checksums c WHERE c.name = '{table}'"
            f" AND c.row NOT IN (SELECT {key} FROM {table})"
        )
    return query


def checked_tables(connection: "Connection") -> list[str]:
    """Return the tables that have checksums."""
    rows = connection.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return sorted(name for (name,) in rows if name not in UNCHECKED)


def write_checksums(connection: "Connection") -> None:
    """Calculate the checksums of all rows, and let triggers write those of later ones."""
    connection.execute("DELETE FROM checksums")
    connection.faults_queries.clear()  # a migration may have added columns
    for table in checked_tables(connection):
        if table in COLUMNS:
            arguments = ", ".join(COLUMNS[table][1])
            connection.execute(f"UPDATE {table} SET checksum = {table}_checksum({arguments})")
        else:
            guard_table(connection, table)


def guard_new_tables(connection: "Connection") -> None:
    """Calculate the checksums of small tables that have none yet; those of others stay."""
    rows = connection.rows("SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
    guarded = {*COLUMNS, *(name for (name,) in rows)}
    for table in checked_tables(connection):
        if table not in guarded:
            guard_table(connection, table)


def guard_table(connection: "Connection", table: str) -> None:
    """Calculate the checksums of a small table, and let triggers write those of later rows."""
    columns = _columns(connection, table)
    for statement in _triggers(table, columns):
        connection.execute(statement)
    connection.execute(
        f"INSERT INTO checksums SELECT '{table}', {_key(columns)},"
        f" {_checksum(table, columns)} FROM {table}"
    )


Columns = Sequence[tuple[str, str, int]]  # name, type, place in the primary key from 1


def _columns(connection: "Connection", table: str) -> Columns:
    rows = connection.rows(f"PRAGMA table_info({table})")
    return [(name, kind, key) for _, name, kind, _, _, key in rows]


def _raw(column: str, columns: Columns) -> str:
    """Return a column as the bytes that the file has, for they may be no text any more."""
    kinds = {name: kind for name, kind, _ in columns}
    return f"CAST({column} AS BLOB)" if kinds[column] == "TEXT" else column


def _is_no_text(columns: Columns) -> str:
    return "".join(f" OR typeof({name}) != 'text'" for name, kind, _ in columns if kind == "TEXT")


def _key(columns: Columns, row: str = "") -> str:
    """Return the SQL of what tells the rows of a table apart."""
    keys = [name for name, _, place in sorted(columns, key=lambda column: column[2]) if place]
    joined = " || char(31) || ".join(f"{row}{name}" for name in keys or ["rowid"])
    return f"CAST({joined} AS BLOB)"


def _checksum(table: str, columns: Columns, row: str = "") -> str:
    """Return the SQL of a row's checksum; columns by name, for a migration appends some."""
    values = ", ".join(
        f"typeof({row}{name}), CAST({row}{name} AS BLOB)" for name, *_ in sorted(columns)
    )
    return f"value_checksum('{table}', {values})"


def _triggers(table: str, columns: Columns) -> Iterable[str]:
    new, old = _key(columns, "NEW."), _key(columns, "OLD.")
    insert = (
        f"REPLACE INTO checksums VALUES ('{table}', {new}, {_checksum(table, columns, 'NEW.')});"
    )
    delete = f"DELETE FROM checksums WHERE name = '{table}' AND row = {old};"
    for event, action in (("INSERT", insert), ("UPDATE", delete + insert), ("DELETE", delete)):
        name = f"{table}_{event.lower()}_checksum"
        yield f"DROP TRIGGER IF EXISTS {name}"
        yield f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {action} END"

"""How does an archive of an older format come up to date, and how is its index rewritten?

Records are what an archive keeps; terms, postings and vocabulary follow from them.  A file whose
index has another form gets a new one when it is opened.  One whose terms were written by older
rules works as it is until ``forebear reindex`` rewrites them.  Either is one transaction: whoever
is interrupted finds the archive as it was, and searches go on meanwhile.
"""

from collections.abc import Callable

from forebear.errors import ArchiveError
from forebear.records.privacy import PRIVACY_RULES_VERSION
from forebear.search.store import source_position
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.sqlite.address import forget_passwords
from forebear.storage.sqlite.checksums import (
    guard_new_tables,
    require_table,
    write_checksums,
)
from forebear.storage.sqlite.columns import forget_columns
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.schema import FORMAT_VERSION, LAST_OTHER_INDEX, MIGRATIONS
from forebear.storage.sqlite.write import SqliteWriter

# Files up to this format do not say in which order a collection is browsed, and may have a
# password among the hosts of their cluster.  Their rows have no checksums.
LAST_WITHOUT_ORDER = 3
LAST_WITH_BLOCKS = 5  # of personas, in the postings
# Terms keep their numbers, which programs that have the archive open remember.
INDEX_TABLES = ("postings", "personas", "place_names")


def migrate(connection: Connection) -> None:
    """Bring an archive up to date; refuse one of a newer format."""
    if _version(connection) == FORMAT_VERSION:
        return
    with connection.transaction():
        version = _version(connection)  # another program may have been faster
        if version > FORMAT_VERSION:
            raise ArchiveError(
                f"{str(connection.path)!r} has format version {version}, this program knows "
                f"{FORMAT_VERSION}",
                hint="install a newer forebear",
            )
        for older in range(version, FORMAT_VERSION):
            for statement in MIGRATIONS[older].split(";"):
                connection.execute(statement)
        if version <= LAST_WITH_BLOCKS:
            Postings(connection).take_blocks(has_checksums=version > LAST_WITHOUT_ORDER)
        if version <= LAST_WITHOUT_ORDER:
            forget_passwords(connection)
            _put_in_order(connection)
            write_checksums(connection)
        guard_new_tables(connection)
        if version <= LAST_OTHER_INDEX:
            _rewrite_index(connection, lambda *_: None)
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def _put_in_order(connection: Connection) -> None:
    """Note the position and public year of every record, and count them."""
    connection.execute(
        "UPDATE records SET public_year ="
        " (SELECT public_year FROM record_groups g WHERE g.id = record_group)"
    )
    sources = connection.rows("SELECT id, json_extract(value, '$.source') FROM records")
    connection.execute_many(
        "UPDATE records SET position = ? WHERE id = ?",
        [(source_position(source or ""), number) for number, source in sources],
    )
    connection.execute(
        "INSERT INTO record_counts SELECT collection, public_year, count(*) FROM records"
        " GROUP BY collection, public_year"
    )
    connection.execute(
        "CREATE INDEX records_in_order ON records"
        " (collection, max(public_year, 2025), position, key, public_year)"
    )


def _version(connection: Connection) -> int:
    return int(connection.rows("PRAGMA user_version")[0][0])


def terms_version(connection: Connection) -> int:
    """Return the version of the rules by which the terms in a file were written."""
    return read_number(connection, "terms", missing=1)


def privacy_version(connection: Connection) -> int:
    """Return the version of the rules by which a file says what the public may see."""
    return read_number(connection, "privacy", missing=1)


def read_number(connection: Connection, name: str, *, missing: int) -> int:
    """Return a number that the file notes of itself; another if it notes none."""
    require_table(connection, "metadata")
    rows = connection.rows("SELECT value FROM metadata WHERE name = ?", (name,))
    return int(rows[0][0]) if rows else missing


def reindex_file(connection: Connection, progress: Callable[[int, int], None]) -> None:
    """Rewrite the index of all records; ``progress`` gets the groups done and their number."""
    with connection.transaction():
        _rewrite_index(connection, progress)


def _rewrite_index(connection: Connection, progress: Callable[[int, int], None]) -> None:
    forget_columns(connection)
    for table in INDEX_TABLES:
        connection.execute(f"DELETE FROM {table}")
    SqliteWriter(connection, Postings(connection)).rewrite(progress=progress)
    for name, version in (("terms", TERM_RULES_VERSION), ("privacy", PRIVACY_RULES_VERSION)):
        connection.execute("REPLACE INTO metadata VALUES (?, ?)", (name, str(version)))
    connection.execute("UPDATE changes SET counter = counter + 1")

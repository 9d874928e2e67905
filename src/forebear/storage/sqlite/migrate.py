"""How does an archive of an older format come up to date?

Records are what an archive keeps; terms, postings and vocabulary follow from them and change
from version to version.  So after the tables have their new form the index is built anew from
the records.  All of it is one transaction: whoever is interrupted finds the old archive.
"""

from forebear.errors import ArchiveError
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import SqliteRecords
from forebear.storage.sqlite.schema import FORMAT_VERSION, MIGRATIONS

INDEX_TABLES = ("postings", "personas", "terms", "place_names")


def migrate(connection: Connection) -> None:
    """Bring an archive up to date; refuse one of a newer format."""
    if _version(connection) == FORMAT_VERSION:
        return
    with connection.transaction():
        found = _version(connection)  # another program may have been faster
        if found > FORMAT_VERSION:
            raise ArchiveError(
                f"{str(connection.path)!r} has format version {found}, this program knows "
                f"{FORMAT_VERSION}",
                hint="install a newer forebear",
            )
        for version in range(found, FORMAT_VERSION):
            for statement in MIGRATIONS[version].split(";"):
                connection.execute(statement)
        if found < FORMAT_VERSION:
            _index_anew(connection)
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def _version(connection: Connection) -> int:
    return int(connection.rows("PRAGMA user_version")[0][0])


def _index_anew(connection: Connection) -> None:
    for table in INDEX_TABLES:
        connection.execute(f"DELETE FROM {table}")
    SqliteRecords(connection, Postings(connection)).rewrite()
    connection.execute("UPDATE changes SET counter = counter + 1")

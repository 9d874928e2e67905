"""The file as a storage: writing, record search and knowledge over one connection."""

from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.find import SqliteFinder
from forebear.storage.sqlite.knowledge import SqliteKnowledge
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import SqliteRecords


class SqliteStorage(SqliteRecords, SqliteFinder, SqliteKnowledge):
    """An archive's records in one SQLite file."""

    def __init__(self, connection: Connection) -> None:
        postings = Postings(connection)
        SqliteRecords.__init__(self, connection, postings)
        SqliteFinder.__init__(self, connection, postings)
        SqliteKnowledge.__init__(self, connection, postings)

"""The file as a storage: writing, record search and knowledge over one connection."""

from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.files import SqliteFiles
from forebear.storage.sqlite.knowledge import SqliteKnowledge
from forebear.storage.sqlite.place_tree import SqlitePlaceTree
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import SqliteRecords
from forebear.storage.sqlite.shelves import SqliteShelves


class SqliteStorage(SqliteRecords, SqliteFiles, SqliteShelves, SqlitePlaceTree, SqliteKnowledge):
    """An archive's records in one SQLite file."""

    def __init__(self, connection: Connection) -> None:
        postings = Postings(connection)
        SqliteRecords.__init__(self, connection, postings)
        SqliteFiles.__init__(self, connection)
        SqliteShelves.__init__(self, connection, postings)
        SqliteKnowledge.__init__(self, connection, postings)

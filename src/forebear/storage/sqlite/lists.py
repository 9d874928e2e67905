"""The ranked lists that somebody made of collections, as the file keeps them."""

import json

from forebear.storage.sqlite.checksums import require_table
from forebear.storage.sqlite.connection import Connection


class SqliteLists:
    """Keeps in an archive file which collections make up which list."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def load(self) -> dict[str, tuple[str, ...]]:
        """Return the collections of each list by its name."""
        require_table(self._connection, "lists")
        rows = self._connection.rows("SELECT name, collections FROM lists ORDER BY name")
        return {name: tuple(json.loads(collections)) for name, collections in rows}

    def save(self, lists: dict[str, tuple[str, ...]]) -> None:
        """Keep these lists and no others."""
        with self._connection.transaction():
            self._connection.execute("DELETE FROM lists")
            self._connection.execute_many(
                "INSERT INTO lists VALUES (?, ?)",
                [(name, json.dumps(collections)) for name, collections in lists.items()],
            )

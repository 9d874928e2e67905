"""Records drawn at random from the file, without reading the rest of it."""

import random

from forebear.storage.sqlite.connection import Connection


class SqliteDraws:
    """Draws records of an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return keys of records of a collection, drawn at random, some perhaps twice."""
        bounds = self._connection.row(
            "SELECT min(id), max(id) FROM records WHERE collection = ?", (collection,)
        )
        if bounds is None or bounds[0] is None:
            return []
        chosen = random.Random(f"{seed}/{collection}")
        return [self._key_from(collection, chosen.randint(*bounds)) for _ in range(count)]

    def _key_from(self, collection: str, number: int) -> str:
        """Return the first record of a collection from this number on; there is one."""
        row = self._connection.row(
            "SELECT key FROM records WHERE collection = ? AND id >= ? ORDER BY id LIMIT 1",
            (collection, number),
        )
        return str(row[0]) if row else ""

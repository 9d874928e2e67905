"""How are the records of a file read without searching: by collection, at random, or all?"""

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from forebear.records.privacy import Viewer
from forebear.search.record_search.ranked_list import ListSearch
from forebear.storage.sqlite.find import SqliteFinder
from forebear.storage.sqlite.groups import read_groups

# A search must be quick to start, and browses nothing.
if TYPE_CHECKING:
    from forebear.ingest.store import Group, SourceFile
    from forebear.search.store import CollectionRow

GROUPS_PER_READ = 2_000  # so that memory stays small


class SqliteBrowser(SqliteFinder):
    """Reads the records of an archive file in any order."""

    def browse(self, search: ListSearch, *, viewer: Viewer) -> "list[CollectionRow]":
        """Return the records that pass a gate and that the viewer may see, in any order."""
        from forebear.search.store import CollectionRow

        with self._connection.snapshot():
            rows = self._connection.rows_in(
                "SELECT DISTINCT r.key, json_extract(r.value, '$.source') FROM records r"
                " JOIN personas p ON p.record = r.id WHERE p.id IN",
                list(self._passing(search, viewer)),
            )
            sources = dict(rows)
        return [
            CollectionRow(record_key=key, source=source or "") for key, source in sources.items()
        ]

    def groups(self) -> "Iterator[tuple[Group, SourceFile | None]]":
        """Yield all groups of records, each with the file it came from."""
        from forebear.ingest.store import SourceFile

        last = 0
        while rows := self._connection.rows(
            "SELECT g.id, f.shelf, f.name FROM record_groups g LEFT JOIN files f ON f.id = g.file"
            " WHERE g.id > ? ORDER BY g.id LIMIT ?",
            (last, GROUPS_PER_READ),
        ):
            last = rows[-1][0]
            groups = read_groups(self._connection, [number for number, _, _ in rows])
            for group, (_, collection, name) in zip(groups, rows, strict=True):
                file = None if collection is None else SourceFile(shelf=collection, name=name)
                yield group, file

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return keys of records of a collection chosen at random; a key may repeat."""
        bounds = self._connection.row(
            "SELECT min(id), max(id) FROM records WHERE collection = ?", (collection,)
        )
        if bounds is None or bounds[0] is None:
            return []
        chance = random.Random(f"{seed}/{collection}")
        return [self._key_from(collection, chance.randint(*bounds)) for _ in range(count)]

    def _key_from(self, collection: str, number: int) -> str:
        """Return the first record of a collection from this number on; there is one."""
        row = self._connection.row(
            "SELECT key FROM records WHERE collection = ? AND id >= ? ORDER BY id LIMIT 1",
            (collection, number),
        )
        return str(row[0]) if row else ""

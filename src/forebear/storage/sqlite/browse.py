"""How are the records of a file read without searching: by collection, at random, or all?"""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.store import CollectionRow, cut_rows, is_whole_collection
from forebear.storage.sqlite.checksums import require_sound
from forebear.storage.sqlite.find import SqliteFinder
from forebear.storage.sqlite.groups import RECORD, read_groups

# A search must be quick to start, and browses nothing.
if TYPE_CHECKING:
    from forebear.ingest.store import Group, SourceFile

# Records that are public since this year or longer are one run of the index `records_in_order`.
# The number is part of the index; change both, with a migration.
SETTLED_YEAR = 2025
FEW_PERSONAS = 2_000  # whose rows are read and sorted
WALKED_ROWS = 500  # at a time
GROUPS_PER_READ = 2_000  # so that memory stays small


class SqliteBrowser(SqliteFinder):
    """Reads the records of an archive file in any order."""

    def browse(
        self,
        search: ListSearch,
        *,
        viewer: Viewer,
        limit: int,
        after: CollectionRow | None = None,
        before: CollectionRow | None = None,
    ) -> list[CollectionRow]:
        """Return records that pass a gate and that the viewer may see, in the source's order."""
        with self._connection.snapshot():
            if is_whole_collection(search):
                runs = self._runs(search, viewer)
                return self._read_runs(runs, limit=limit, after=after, before=before)
            passing = self._passing(search, viewer)
            if len(passing) <= FEW_PERSONAS:
                rows = self._rows_of(passing)
                return cut_rows(rows, limit=limit, after=after, before=before)
            return self._walk(search, viewer, passing, limit=limit, after=after, before=before)

    def _runs(self, search: ListSearch, viewer: Viewer) -> list[tuple[str, int, int]]:
        """Return the runs of the index of rows: a collection, a year, the last year to be seen."""
        runs = []
        for name in search.collections:
            years = self._connection.rows(
                "SELECT public_year FROM record_counts WHERE collection = ?", (name,)
            )
            seen = [year for (year,) in years if viewer.may_see(year)]
            runs += [(name, run, max(seen)) for run in {max(year, SETTLED_YEAR) for year in seen}]
        return runs

    def _read_runs(
        self,
        runs: Iterable[tuple[str, int, int]],
        *,
        limit: int,
        after: CollectionRow | None,
        before: CollectionRow | None,
    ) -> list[CollectionRow]:
        """Return the rows after or before a row, read from each run and merged."""
        way, order = ("<", "DESC") if before else (">", "ASC")
        start = before or after
        rows = [
            self._sound_row(row)
            for run in runs
            for row in self._connection.rows(
                f"{RECORD} FROM records r WHERE collection = ?"
                f" AND max(public_year, {SETTLED_YEAR}) = ? AND public_year <= ?"
                f" AND (position, key) {way} (?, ?)"
                f" ORDER BY position {order}, key {order} LIMIT ?",
                (*run, *(start.place if start else ("", "")), limit),
            )
        ]
        return cut_rows(rows, limit=limit, after=after, before=before)

    def _sound_row(self, row: Sequence[Any]) -> CollectionRow:
        """Return a row of `RECORD`, refused if it is damaged: its year says who may see it."""
        require_sound(self._connection, "records", row)
        return CollectionRow(position=row[6], record_key=row[1])

    def _rows_of(self, personas: BitMap) -> list[CollectionRow]:
        numbers = set(self._personas(personas).records.tolist())
        rows = self._connection.rows_in(f"{RECORD} FROM records r WHERE r.id IN", list(numbers))
        return [self._sound_row(row) for row in rows]

    def _walk(
        self,
        search: ListSearch,
        viewer: Viewer,
        passing: BitMap,
        *,
        limit: int,
        after: CollectionRow | None,
        before: CollectionRow | None,
    ) -> list[CollectionRow]:
        """Return rows of a large part of a collection: walk through it until there are enough."""
        runs = self._runs(search, viewer)
        rows: list[CollectionRow] = []
        while len(rows) < limit:
            chunk = self._read_runs(runs, limit=WALKED_ROWS, after=after, before=before)
            if not chunk:
                break
            keys = [row.record_key for row in chunk]
            personas = self._connection.rows_in(
                "SELECT p.id, r.key FROM personas p JOIN records r ON r.id = p.record"
                " WHERE r.key IN",
                keys,
            )
            present = {key for number, key in personas if number in passing}
            matches = [row for row in chunk if row.record_key in present]
            if before:
                rows, before = [*matches, *rows], chunk[0]
            else:
                rows, after = [*rows, *matches], chunk[-1]
        return rows[-limit:] if before else rows[:limit]

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
                file = None if collection is None else SourceFile(collection=collection, name=name)
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

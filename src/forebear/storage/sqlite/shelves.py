"""Rows of a collection as they stand in the file, for those who browse."""

from typing import TYPE_CHECKING

from forebear.records.privacy import Viewer
from forebear.search.record_search.ranked_list import ListSearch
from forebear.storage.sqlite.find import SqliteFinder

if TYPE_CHECKING:
    from forebear.search.results.browse import ShelfRow


class SqliteShelves(SqliteFinder):
    """Finds all records that pass a gate, not only the best."""

    def rows_of(self, search: ListSearch, *, viewer: Viewer) -> "list[ShelfRow]":
        """Return the records that pass a gate and that the viewer may see, in any order."""
        from forebear.search.results.browse import ShelfRow

        with self._connection.snapshot():
            personas = self._passing(search, viewer)
            found = self._connection.rows_in(
                "SELECT DISTINCT r.key, json_extract(r.value, '$.source') FROM records r"
                " JOIN personas p ON p.record = r.id WHERE p.id IN",
                list(personas),
            )
            sources = dict(found)
        return [ShelfRow(record_key=key, source=source or "") for key, source in sources.items()]

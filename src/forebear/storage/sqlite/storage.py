"""How is a file a storage: writing, searching and looking after records over one connection?"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

from pyroaring import BitMap

from forebear.records.privacy import OWNER, Viewer
from forebear.search.expansion.catalog import Condition
from forebear.search.expansion.learned_variants import LearnedVariant
from forebear.search.facets import ListFacets
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.store import is_whole_collection
from forebear.search.terms.term import NOWHERE, term, value_of
from forebear.storage.places import PLACE_FIELDS, KnownPlace, PlaceTree
from forebear.storage.sqlite.browse import SqliteBrowser
from forebear.storage.sqlite.cache import save_statistics
from forebear.storage.sqlite.columns import ArchiveColumns
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.erase import SqliteEraser
from forebear.storage.sqlite.knowledge import SqliteKnowledge, read_entries, write_entries
from forebear.storage.sqlite.models import read_variants, write_variants
from forebear.storage.sqlite.postings import Postings

# A search must be quick to start, and needs none of these.
if TYPE_CHECKING:
    from forebear.ingest.store import SourceFile
    from forebear.normalize.gazetteer import Gazetteer, GazetteerEntry
    from forebear.storage.port import CheckReport


class SqliteStorage(SqliteEraser, SqliteBrowser):
    """An archive's records in one SQLite file."""

    def __init__(self, connection: Connection) -> None:
        postings, columns = Postings(connection), ArchiveColumns(connection)
        SqliteEraser.__init__(self, connection, postings, columns)
        SqliteBrowser.__init__(self, connection, postings, columns)
        self._viewers: dict[Viewer, SqliteKnowledge] = {}  # a viewer of each year, and the owner

    def snapshot(self) -> AbstractContextManager[None]:
        """Make everything read inside be of one moment."""
        return self._connection.snapshot()

    def _facets(self, search: ListSearch, viewer: Viewer) -> ListFacets:
        if not is_whole_collection(search):
            return super()._facets(search, viewer)
        count = partial(super()._facets, search, viewer)
        return self.knowledge(viewer).collection_facets(search.name, count)

    def knowledge(self, viewer: Viewer) -> SqliteKnowledge:
        """Return what the viewer may know, as it is now."""
        knowledge = self._viewers.get(viewer)
        if knowledge is None:
            knowledge = SqliteKnowledge(
                self._connection, self._postings, viewer, holding=self._personas_holding
            )
            knowledge = self._viewers.setdefault(viewer, knowledge)
        return knowledge

    def _personas_holding(self, condition: Condition) -> BitMap:
        """Return the personas that have any term of a condition; not to be changed."""
        return self._conditions.current().read(condition)

    def save_statistics(self) -> None:
        """Save what was counted here in the file, for the next who opens it."""
        for viewer, knowledge in self._viewers.items():
            for change, counts in knowledge.moments.all()[-1:]:  # what is older is of no use
                if counts.counted:
                    save_statistics(self._connection, dict(counts.counted), viewer, change=change)
                counts.counted.clear()

    def places(self) -> list[str]:
        """Return the ids of all places that some persona has."""
        terms = [row for field in PLACE_FIELDS for row in self._postings.terms_of(field, live=True)]
        return sorted({value_of(term) for _, term in terms} - {NOWHERE})

    def place_tree(self, name: str = "", *, viewer: Viewer, depth: int) -> list[KnownPlace]:
        """Return the places of this name, or the largest, each with those inside it."""
        with self._connection.snapshot():
            visible = sorted(self.knowledge(viewer).places())
            tree = PlaceTree(visible, self.gazetteer_entries())
            hidden = self._conditions.current().hidden(viewer)

            def count(place: str) -> int:
                names = frozenset(term(field, place) for field in PLACE_FIELDS)
                return len(self._postings.holding(names) - hidden)

            return list(tree.walk(tree.named(name) if name else tree.inside(""), depth, count))

    def gazetteer(self) -> "Gazetteer":
        """Return what gazetteers say of places."""
        return self.knowledge(OWNER).gazetteer

    def gazetteer_entries(self) -> "dict[str, GazetteerEntry]":
        """Return what gazetteers say of each place, by its id."""
        return read_entries(self._connection)

    def add_to_gazetteer(self, entries: "Iterable[GazetteerEntry]") -> None:
        """Add what a gazetteer says of places."""
        write_entries(self._connection, entries)

    def name_variants(self) -> tuple[LearnedVariant, ...]:
        """Return the name variants that the archive learned, also those that were revoked."""
        return read_variants(self._connection)

    def put_name_variants(self, variants: Iterable[LearnedVariant]) -> None:
        """Store learned name variants; one of the same pair is replaced."""
        write_variants(self._connection, variants)

    def check(self) -> "CheckReport":
        """Compare the index with what the records say."""
        from forebear.storage.sqlite.upkeep import check_file

        return check_file(self._connection)

    def digest(self) -> str:
        """Return a hash of the contents, the same whatever the order they came in."""
        from forebear.storage.sqlite.upkeep import digest_file

        return digest_file(self._connection)

    def compact(self) -> None:
        """Give back the space that deletions left."""
        from forebear.storage.sqlite.upkeep import compact_file

        self._columns.forget()
        compact_file(self._connection)
        self._columns.extend()

    def change_counter(self) -> int:
        """Return a number that every change of records, places or takedowns raises."""
        return self._connection.counter()

    def terms_version(self) -> int:
        """Return the version of the rules by which the terms in the file were written."""
        from forebear.storage.sqlite.schema import terms_version

        return terms_version(self._connection)

    def privacy_version(self) -> int:
        """Return the version of the rules by which it was decided what the public may see."""
        from forebear.storage.sqlite.schema import privacy_version

        return privacy_version(self._connection)

    def import_year(self) -> int:
        """Return the year of the last import; 0 if there was none."""
        from forebear.storage.sqlite.schema import read_number

        return read_number(self._connection, "import_year", missing=0)

    def note_import(self, year: int) -> None:
        """Note the year of an import."""
        with self._connection.transaction():
            self._connection.execute(
                "REPLACE INTO metadata VALUES ('import_year', ?)", (str(year),)
            )

    def reindex(self, progress: Callable[[int, int], None]) -> None:
        """Write the terms of all records again, by the rules of today."""
        from forebear.storage.sqlite.migrate import reindex_file

        try:
            reindex_file(self._connection, progress)
        finally:
            self._postings.forget_ids()
        self._columns.extend()

    def finish(self, file: "SourceFile") -> None:
        """Note that the import of a file has ended, and write the columns that are missing."""
        super().finish(file)
        self._columns.extend()

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        count = super().delete_collection(name)
        self._columns.erase_outdated()
        return count

    def erase(self, record_key: str) -> None:
        """Delete a record for good; an import does not bring it back."""
        super().erase(record_key)
        self._columns.erase_outdated()

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        super().take_down(record_key, reason=reason, at=at)
        self._columns.erase_outdated()

    def delete_all(self) -> None:
        """Delete every record, collection and takedown."""
        from forebear.storage.sqlite.upkeep import delete_records

        delete_records(self._connection)

    def close(self) -> None:
        """Save what was counted for the next search, and close the file."""
        self.save_statistics()
        self._connection.close()

"""What is in the archive, for those who look without searching?"""

from typing import TYPE_CHECKING

from forebear.archive.opened import OpenedArchive
from forebear.errors import NotFoundError
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.results.describe import Description, describe

# Those who search do not browse, and a search must be quick to start.
if TYPE_CHECKING:
    from forebear.search.results.browse import ShelfRow
    from forebear.search.results.facets import Facet
    from forebear.storage.coverage import Coverage
    from forebear.storage.sqlite.place_tree import KnownPlace


class Holdings(OpenedArchive):
    """An archive whose collections, places and records can be looked at."""

    def collections(self) -> tuple[Collection, ...]:
        """Return what the archive says of its collections."""
        return self._storage.collections()

    def collection(self, name: str) -> Collection:
        """Return what the archive says of one collection."""
        for collection in self._storage.collections():
            if collection.name == name:
                return collection
        raise NotFoundError(f"there is no collection {name!r}", hint="see `forebear collections`")

    def counts(self, *, viewer: Viewer) -> dict[str, int]:
        """Return how many records of each collection the viewer may see."""
        return {
            collection.name: self._storage.count(collection.name, viewer=viewer)
            for collection in self._storage.collections()
        }

    def coverage(self, collection: str, *, viewer: Viewer) -> "Coverage":
        """Return the places and years that the records of a collection are from."""
        return self._storage.known_to(viewer).coverage(collection)

    def field_presence(self, collection: str, *, viewer: Viewer) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""
        return self._storage.known_to(viewer).field_presence(collection)

    def places(self, name: str = "", *, viewer: Viewer, depth: int = 2) -> "list[KnownPlace]":
        """Return the places of this name, or the largest, each with those inside it."""
        return self._storage.place_tree(name, viewer=viewer, depth=depth)

    def browse(
        self, collection: str, *, viewer: Viewer, place: str = "", year: int | None = None
    ) -> "tuple[tuple[Facet, ...], list[ShelfRow]]":
        """Return how a collection, or a part of it, spreads, and its rows in their order."""
        from forebear.search.results.browse import shelf_search
        from forebear.search.results.facets import merge_facets

        known = self._storage.known_to(viewer)
        search = shelf_search(self.collection(collection), known, place=place, year=year)
        counted = merge_facets([self._storage.facets(search, viewer=viewer)])
        rows = self._storage.rows_of(search, viewer=viewer)
        return counted, sorted(rows, key=lambda row: row.place)

    def neighbors(self, record_key: str, *, viewer: Viewer, around: int) -> "list[ShelfRow]":
        """Return a record with those beside it in its source."""
        from forebear.search.results.browse import neighbors, shelf_search

        record = self.record(record_key, viewer=viewer)
        known = self._storage.known_to(viewer)
        search = shelf_search(self.collection(record.collection), known)
        rows = self._storage.rows_of(search, viewer=viewer)
        return neighbors(rows, record_key, around=around)

    def record(self, record_key: str, *, viewer: Viewer) -> Record:
        """Return a record that the viewer may see."""
        found = self._storage.get(record_key, viewer=viewer)
        if found is None:
            raise NotFoundError(
                f"there is no record {record_key!r} to be seen",
                hint="records are named COLLECTION:ID, as search results show them",
            )
        return found

    def household(self, record_key: str, *, viewer: Viewer) -> tuple[Record, ...]:
        """Return the records of a record's group, itself included."""
        return self._storage.group_of(record_key, viewer=viewer)

    def describe(self, record_key: str, position: int, *, viewer: Viewer) -> Description:
        """Return a record in a few words, seen from one of its personas."""
        record = self.record(record_key, viewer=viewer)
        group = self.household(record_key, viewer=viewer)
        # The group holds the record too; seen from the record's own copy, nobody is twice.
        others = [member for member in group if member.key != record.key]
        return describe(record, position, [record, *others])

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return self._storage.takedowns()

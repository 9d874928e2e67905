"""What record search needs of a storage: a port that memory, SQLite and a cluster implement.

There is one definition of the score and it is computed where the records are.  Whatever
the storage, the same search gives the same records in the same order with the same bits;
the contract suite holds every implementation to the one in ``storage/memory``.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.record_search.facets import ListFacets
from forebear.search.record_search.ranked_list import ListSearch, RankedList


class RecordStorage(Protocol):
    """Where records are searched and read."""

    @property
    def lists_at_once(self) -> int:
        """Return how many lists it pays to search at the same time."""

    @property
    def list_seconds(self) -> float:
        """Return how long one list may take before the others go on without it."""

    def find(self, search: ListSearch, *, viewer: Viewer, top: int) -> RankedList:
        """Return the best records the viewer may see, each once, under its best persona."""

    def facets(self, search: ListSearch, *, viewer: Viewer) -> ListFacets:
        """Return how everything that passes the gate spreads, never narrowed."""

    def get(self, record_key: str, *, viewer: Viewer) -> Record | None:
        """Return a record, or None if there is none that the viewer may see."""

    def group_of(self, record_key: str, *, viewer: Viewer) -> tuple[Record, ...]:
        """Return all records of the record's group, itself included."""

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""

    def count(self, collection: str, *, viewer: Viewer) -> int:
        """Return how many records of a collection the viewer may see."""


@runtime_checkable
class FindsTogether(Protocol):
    """A storage that is quicker with many lists at once than with one after the other."""

    def find_together(
        self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int
    ) -> list[RankedList]:
        """Return what ``find`` returns for each of the lists, in their order."""

"""What does a search need of a storage?

Memory, SQLite and a cluster implement this protocol.  The score has one definition and is
computed where the records are: the same search gives the same records in the same order with the
same bits on every storage.  The contract suite compares them all with ``storage/memory``.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.record_search.facets import ListFacets
from forebear.search.record_search.ranked_list import ListSearch, RankedList


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionRow:
    """A record of a collection, and where it was in its source."""

    record_key: str
    source: str  # FILE:LINE, as records have it

    @property
    def file(self) -> str:
        """Return the file it was read from."""
        return self._split()[0]

    @property
    def place(self) -> tuple[str, int, str]:
        """Return what rows are ordered by: file, line, and the key where there is no line."""
        return *self._split(), self.record_key

    def _split(self) -> tuple[str, int]:
        file, _, line = self.source.rpartition(":")
        return (file, int(line)) if line.isdecimal() else (self.source, 0)


class SearchStore(Protocol):
    """Where records are searched and read."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Make everything read inside be of one moment; a cluster cannot, and does nothing."""
        ...

    def knowledge(self, viewer: Viewer) -> Knowledge:
        """Return what the viewer may know of the archive as it is now."""
        ...

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        """Return the best records of each list, in the order of the lists.

        A record appears once in a list, under its best persona.  A list that fails or is late
        has the state "failed" and says why; the others are not affected.
        """
        ...

    def facets(self, searches: Sequence[ListSearch], *, viewer: Viewer) -> list[ListFacets]:
        """Count, for each list, everything that passes its gate, never narrowed."""
        ...

    def browse(self, search: ListSearch, *, viewer: Viewer) -> list[CollectionRow]:
        """Return the records that pass a gate and that the viewer may see, in any order."""
        ...

    def records(
        self, keys: Sequence[str], *, viewer: Viewer, groups: bool = False
    ) -> dict[str, tuple[Record, ...]]:
        """Return records by key, those left out that are not there or that may not be seen.

        With ``groups`` each comes with all records of its household, in their order.
        """
        ...

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""
        ...

    def count(self, collection: str, *, viewer: Viewer) -> int:
        """Return how many records of a collection the viewer may see."""
        ...

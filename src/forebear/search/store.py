"""What does a search need of a storage?

Memory, SQLite and a cluster implement this protocol.  The score has one definition and is
computed where the records are: the same search gives the same records in the same order with the
same bits on every storage.  The contract suite compares them all with ``storage/memory``.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.facets import ListFacets
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.terms.term import COLLECTION, terms


def source_position(source: str) -> str:
    """Return a text that sorts records as they are in their source: by file, then by line.

    >>> source_position("book.csv:7") < source_position("book.csv:12")
    True
    """
    file, _, line = source.rpartition(":")
    if not (line.isascii() and line.isdecimal()):
        file, line = source, "0"
    return f"{file}\t{line:0>12}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionRow:
    """A record of a collection, and where it is in its source."""

    position: str  # as `source_position` gives it
    record_key: str

    @property
    def place(self) -> tuple[str, str]:
        """Return what rows are ordered by."""
        return self.position, self.record_key

    @property
    def file(self) -> str:
        """Return the file it was read from."""
        return self.position.rpartition("\t")[0]


def cut_rows(
    rows: Iterable[CollectionRow],
    *,
    limit: int,
    after: CollectionRow | None,
    before: CollectionRow | None,
) -> list[CollectionRow]:
    """Return the first of some rows, the first after one, or the last before one, in order."""
    ordered = sorted(rows, key=lambda row: row.place)
    if before:
        return [row for row in ordered if row.place < before.place][-limit:]
    return [row for row in ordered if not after or row.place > after.place][:limit]


def is_whole_collection(search: ListSearch) -> bool:
    """Return whether a search finds everything of its collections."""
    gate = search.gate
    everything = (terms(COLLECTION, search.collections),)
    return (
        not gate.required
        and not gate.excluded
        and [branch.conditions for branch in gate.branches] == [everything]
    )


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

    def browse(
        self,
        search: ListSearch,
        *,
        viewer: Viewer,
        limit: int,
        after: CollectionRow | None = None,
        before: CollectionRow | None = None,
    ) -> list[CollectionRow]:
        """Return records that pass a gate and that the viewer may see, in the source's order.

        They are the first ones, the first ones after a row, or the last ones before a row.  Rows
        of a whole collection cost the same however large it is.
        """
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

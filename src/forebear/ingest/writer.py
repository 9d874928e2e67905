"""Where do imported records go?  To whoever implements this port; storage does."""

from collections.abc import Sequence
from typing import Protocol

from forebear.records.collections import Collection
from forebear.records.record import Record


class RecordWriter(Protocol):
    """Takes in the records of a collection."""

    def put_collection(self, collection: Collection) -> None:
        """Make the collection known, or replace what is known of it."""
        ...

    def write(self, groups: Sequence[tuple[Record, ...]]) -> None:
        """Write one batch in one transaction.

        A group is the records of one household; a record without ``group`` is a group of
        one.  A record whose key exists replaces it, with its whole group.
        """
        ...

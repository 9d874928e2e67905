"""A writer that keeps what an import writes, for tests that look at the records."""

from collections.abc import Sequence

from forebear.ingest.store import Group, RecordStore, SourceFile
from forebear.records.collections import Collection
from forebear.records.record import Record


class ListWriter(RecordStore):
    """Keeps the records it is given."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def put_collection(self, collection: Collection) -> None:
        pass

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        del file  # not asked for here
        self.records.extend(record for group in groups for record in group)

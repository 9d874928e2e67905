"""Which collections do the records of a file go to?"""

from forebear.ingest.readers.source import Source
from forebear.ingest.store import Group, RecordStore
from forebear.records.collections import Collection


class Shelves:
    """The collections that a file's records go to, each made known before its first record."""

    def __init__(self, source: Source, writer: RecordStore) -> None:
        self._source = source
        self._writer = writer
        self._known: set[str] = set()
        if not source.target.by_type:
            self._put(source.target.collection)

    def prepare(self, batch: list[Group]) -> None:
        """Make known the collections of a batch."""
        for group in batch:
            for record in group:
                if record.collection not in self._known:
                    self._put(self._source.target.collection_of(record))

    def _put(self, collection: Collection) -> None:
        self._known.add(collection.name)
        self._writer.put_collection(collection)

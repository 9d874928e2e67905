"""Which keys have the records that a search returned by number?

Keys are read for the hits that are shown or logged, most of them in the snapshot of the search.
Later, numbers may belong to other records: a number is used again after its record was deleted, and
an import of a corrected file writes records under new numbers.  So a key that is read after
a change must have the tie key of its hit; otherwise the record is looked for by its tie key.
"""

from collections.abc import Mapping, Sequence

from forebear.errors import StorageError
from forebear.search.hits import tie_key
from forebear.storage.sqlite.checksums import raise_damaged, sound_keys
from forebear.storage.sqlite.connection import Connection


class RecordKeys:
    """Reads the keys of records, each once; created in the snapshot of a search."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._change = connection.change()
        self._keys: dict[int, str] = {}

    def __call__(self, records: Sequence[int], ties: Sequence[int]) -> list[str]:
        """Return the keys of records, given their numbers and their tie keys."""
        unread = {
            number: tie
            for number, tie in zip(records, ties, strict=True)
            if number not in self._keys
        }
        if unread:
            with self._connection.snapshot():
                is_unchanged = self._change == self._connection.change()
                self._keys |= self._read(unread) if is_unchanged else self._find(unread)
        return [self._keys[number] for number in records]

    def _read(self, ties: Mapping[int, int]) -> dict[int, str]:
        keys = self._stored(list(ties))
        if len(keys) < len(ties):
            raise_damaged(self._connection, "the key of a record")
        return keys

    def _find(self, ties: Mapping[int, int]) -> dict[int, str]:
        """Return the keys of records that may have other numbers now."""
        stored = self._stored(list(ties)).items()
        keys = {number: key for number, key in stored if tie_key(key) == ties[number]}
        moved = {tie: number for number, tie in ties.items() if number not in keys}
        if moved:  # rare, so that no index is needed
            rows = self._connection.rows_in(
                "SELECT DISTINCT record, tie FROM personas WHERE tie IN", list(moved)
            )
            numbers = {record: moved[tie] for record, tie in rows}
            keys |= {numbers[record]: key for record, key in self._stored(list(numbers)).items()}
        if len(keys) < len(ties):
            raise StorageError(
                "a record of this result was deleted after the search", hint="search again"
            )
        return keys

    def _stored(self, numbers: list[int]) -> dict[int, str]:
        rows = self._connection.rows_in(
            "SELECT id, key, checksum FROM records WHERE id IN", numbers
        )
        return sound_keys(self._connection, rows)

"""What does the file have of a record, a household or a source file?

Records are read by key for a viewer, who may see a household without the people on it who may be
living; or all of them, household by household.  A search returns records by number, and keys are
read for the hits that are shown or logged, most of them in the snapshot of the search.  Later,
numbers may belong to other records: a number is used again after its record was deleted, and
an import of a corrected file writes records under new numbers.  So a key that is read after
a change must have the tie key of its hit; otherwise the record is looked for by its tie key.
"""

import hashlib
import random
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import MsgspecError

from forebear.errors import StorageError
from forebear.records.codec import decode_collection, decode_record
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer, mask
from forebear.records.record import Record
from forebear.search.hits import tie_key
from forebear.storage.sqlite.checksums import (
    raise_damaged,
    require_sound,
    require_table,
    sound_keys,
)
from forebear.storage.sqlite.connection import Connection

# A search must be quick to start, and imports nothing.
if TYPE_CHECKING:
    from forebear.ingest.store import Group, Journal, SourceFile

# A record as it was written, its checksum last.
RECORD = (
    "SELECT r.id, r.key, r.collection, r.record_group, r.headings, r.value, r.position,"
    " r.public_year, r.checksum"
)
# The same with its headings, and with its group and the checksum of that.
STORED_RECORDS = (
    f"{RECORD}, h.columns, g.id, g.public_year, g.full_year, g.file, g.checksum"
    " FROM records r LEFT JOIN headings h ON h.id = r.headings"
    " LEFT JOIN record_groups g ON g.id = r.record_group"
)
ACTIONS_ON = "SELECT id, search, record, kind, rank, at, source FROM actions WHERE record IN"
GROUPS_PER_READ = 2_000  # so that memory stays small


class SqliteRecords:
    """Reads the records of an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""
        require_table(self._connection, "collections")
        rows = self._connection.rows("SELECT value FROM collections ORDER BY name")
        return tuple(decode_collection(value) for (value,) in rows)

    def count(self, collection: str, *, viewer: Viewer) -> int:
        """Return how many records of a collection the viewer may see."""
        rows = self._connection.rows(
            "SELECT public_year, records FROM record_counts WHERE collection = ?", (collection,)
        )
        return sum(records for year, records in rows if viewer.may_see(year))

    def records(
        self, keys: Sequence[str], *, viewer: Viewer, groups: bool = False
    ) -> dict[str, tuple[Record, ...]]:
        """Return records by key that the viewer may see, each alone or with its household."""
        visible = []
        for row in self._connection.rows_in(f"{STORED_RECORDS} WHERE r.key IN", list(keys)):
            record = read_record(self._connection, row)
            _, public_year, full_year, *_ = row[10:]
            if viewer.may_see(public_year):
                visible.append((row[1], row[3], full_year, record))
        masked = {group for _, group, full_year, _ in visible if not viewer.may_see(full_year)}
        numbers = sorted({group for _, group, *_ in visible} if groups else masked)
        members = dict(zip(numbers, read_groups(self._connection, numbers), strict=True))
        members |= {number: self._mask(members[number]) for number in masked}
        records = {}
        for key, group, _, record in visible:
            if groups:
                records[key] = members[group]
            elif group in masked:
                records[key] = tuple(member for member in members[group] if member.key == key)
            else:
                records[key] = (record,)
        return records

    def _mask(self, group: tuple[Record, ...]) -> tuple[Record, ...]:
        """Return a group without the people on it who may be living."""
        row = self._connection.row(
            "SELECT value FROM collections WHERE name = ?", (group[0].collection,)
        )
        if row is None:
            raise StorageError(f"collection {group[0].collection!r} is not in the archive")
        return mask(group, decode_collection(row[0]))

    def groups(self) -> "Iterator[tuple[Group, SourceFile | None]]":
        """Yield all groups of records, each with the file it came from."""
        from forebear.ingest.store import SourceFile

        last = 0
        while rows := self._connection.rows(
            "SELECT g.id, f.shelf, f.name FROM record_groups g LEFT JOIN files f ON f.id = g.file"
            " WHERE g.id > ? ORDER BY g.id LIMIT ?",
            (last, GROUPS_PER_READ),
        ):
            last = rows[-1][0]
            groups = read_groups(self._connection, [number for number, _, _ in rows])
            for group, (_, collection, name) in zip(groups, rows, strict=True):
                file = None if collection is None else SourceFile(collection=collection, name=name)
                yield group, file

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return keys of records of a collection chosen at random; a key may repeat."""
        bounds = self._connection.row(
            "SELECT min(id), max(id) FROM records WHERE collection = ?", (collection,)
        )
        if bounds is None or bounds[0] is None:
            return []
        chance = random.Random(f"{seed}/{collection}")
        keys = []
        for _ in range(count):
            rows = self._connection.rows(  # there is a record from any such number on
                "SELECT key FROM records WHERE collection = ? AND id >= ? ORDER BY id LIMIT 1",
                (collection, chance.randint(*bounds)),
            )
            keys += [key for (key,) in rows]
        return keys

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        require_table(self._connection, "takedowns")
        return dict(self._connection.rows("SELECT record, reason FROM takedowns ORDER BY record"))

    def erased(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that were erased."""
        stored = {value for (value,) in self._connection.rows("SELECT hash FROM tombstones")}
        if not stored:
            return frozenset()
        return frozenset(
            key for key in record_keys if tombstone_of(self._connection, key) in stored
        )

    def keys_from(self, file: "SourceFile") -> list[str]:
        """Return the keys of the records that came from a file."""
        rows = self._connection.rows(
            "SELECT r.key FROM files f JOIN record_groups g ON g.file = f.id"
            " JOIN records r ON r.record_group = g.id WHERE f.shelf = ? AND f.name = ?"
            " ORDER BY r.id",
            (file.collection, file.name),
        )
        return [key for (key,) in rows]

    def groups_holding(self, record_keys: Iterable[str]) -> "list[Group]":
        """Return the stored groups in which any of these records is."""
        rows = self._connection.rows_in(
            "SELECT record_group FROM records WHERE key IN", list(record_keys)
        )
        return read_groups(self._connection, sorted({number for (number,) in rows}))

    def attached(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that are attached to a tree."""
        from forebear.interactions.events import Action, last_actions

        of_search: dict[str, list[Action]] = {}
        for _, search, record, kind, rank, at, source in sorted(
            self._connection.rows_in(ACTIONS_ON, list(record_keys))
        ):
            action = Action(
                search_id=search, record_key=record, kind=kind, rank=rank, at=at, source=source
            )
            of_search.setdefault(search, []).append(action)
        return frozenset(
            record
            for actions in of_search.values()
            for record, last in last_actions(actions).items()
            if last.kind == "attach"
        )

    def unfinished(self, file: "SourceFile") -> "Journal | None":
        """Return the journal of an import of this file that did not end."""
        from forebear.ingest.store import Journal

        row = self._connection.row(
            "SELECT i.file, i.content, i.mapping FROM imports i JOIN files f ON f.id = i.file"
            " WHERE f.shelf = ? AND f.name = ?",
            (file.collection, file.name),
        )
        if row is None:
            return None
        number, content, mapping = row
        ids = self._connection.rows("SELECT line, id FROM import_ids WHERE file = ?", (number,))
        return Journal(file=file, content=content, mapping=mapping, ids=dict(ids))

    def all_unfinished(self) -> "list[SourceFile]":
        """Return the files whose import did not end."""
        from forebear.ingest.store import SourceFile

        rows = self._connection.rows(
            "SELECT f.shelf, f.name FROM imports i JOIN files f ON f.id = i.file ORDER BY 1, 2"
        )
        return [SourceFile(collection=collection, name=name) for collection, name in rows]


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


def read_record(connection: Connection, row: Sequence[Any]) -> Record:
    """Return the record of a row of `STORED_RECORDS`, refused if it is damaged."""
    require_sound(connection, "records", row[:9])
    require_sound(connection, "record_groups", row[10:15])
    try:
        return decode_record(row[5], row[9])
    except (TypeError, ValueError, MsgspecError):
        raise_damaged(connection, f"the heading of {row[1]!r}")


def read_groups(connection: Connection, numbers: Sequence[int]) -> list[tuple[Record, ...]]:
    """Return the groups with these numbers, in their order; records in that of the source."""
    rows = connection.rows_in(f"{STORED_RECORDS} WHERE r.record_group IN", list(numbers))
    groups: defaultdict[int, list[Record]] = defaultdict(list)
    for row in sorted(rows):
        groups[row[3]].append(read_record(connection, row))
    return [tuple(groups[number]) for number in numbers if number in groups]


def tombstone_of(connection: Connection, record_key: str) -> bytes:
    """Return the hash by which the archive notes that a record was erased."""
    read = "SELECT value FROM secrets WHERE name = 'tombstones'"
    row = connection.row(read)
    if row is None:
        connection.execute(
            "INSERT INTO secrets VALUES ('tombstones', ?)", (secrets.token_bytes(32),)
        )
        row = connection.row(read)
    secret = bytes(row[0]) if row else b""
    return hashlib.blake2b(record_key.encode(), key=secret, digest_size=16).digest()

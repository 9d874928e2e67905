"""How are records written, with all that is found through them, in one transaction?"""

import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from forebear.errors import StorageError
from forebear.records.codec import encode_collection, encode_record
from forebear.records.collections import Collection
from forebear.records.privacy import HIDDEN, PublicYears
from forebear.records.record import Record
from forebear.search.store import source_position
from forebear.search.terms.term import value_of
from forebear.storage.columns import Personas, join_personas
from forebear.storage.places import place_name
from forebear.storage.sqlite.batches import Batch, encode_batch, markers_of
from forebear.storage.sqlite.checksums import (
    group_checksums,
    persona_checksums,
    record_checksum,
    require_sound,
)
from forebear.storage.sqlite.columns import ArchiveColumns
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Ints, Postings, pair_terms
from forebear.storage.sqlite.records import SqliteRecords, read_groups

# A search must be quick to start, and imports nothing.
if TYPE_CHECKING:
    from forebear.ingest.store import Encode, EncodedBatch, Journal, SourceFile

REWRITTEN_GROUPS = 2000  # at a time, so that memory stays small

Changes = defaultdict[int, list[int]]  # personas by term


class SqliteWriter(SqliteRecords):
    """Writes records into an archive file, and notes which imports did not end."""

    def __init__(self, connection: Connection, postings: Postings, columns: ArchiveColumns) -> None:
        super().__init__(connection)
        self._postings = postings
        self._columns = columns

    def put_collection(self, collection: Collection) -> None:
        """Add a collection, or say something new of it; its records are indexed again if it counts.

        Its title and licence are on no record and in no term.
        """
        stored = {stored.name: stored for stored in self.collections()}.get(collection.name)
        if stored == collection:
            return
        with self._writing():
            self._connection.execute(
                "REPLACE INTO collections VALUES (?, ?)",
                (collection.name, encode_collection(collection)),
            )
            if stored and replace(stored, title="", licence="") != replace(
                collection, title="", licence=""
            ):
                self.rewrite(collection.name)

    def write(
        self, groups: Sequence[tuple[Record, ...]], *, file: "SourceFile | None" = None
    ) -> None:
        """Write groups of records; a record that is there already is replaced, group and all."""
        erased = self.erased(record.key for group in groups for record in group)
        rest = [tuple(r for r in group if r.key not in erased) for group in groups]
        with self._writing():
            number = file_id(self._connection, file) if file else None
            self._replace([group for group in rest if group], number)

    def encoder(self) -> "Encode":
        """Return what makes records of the collections known by now ready to be stored."""
        collections = {collection.name: collection for collection in self.collections()}
        return partial(encode_batch, collections=collections)

    def write_encoded(self, batches: "Sequence[EncodedBatch]", *, file: "SourceFile") -> bool:
        """Write batches, unless a record of them is there already, or twice; return whether."""
        stored = {collection.name: collection for collection in self.collections()}
        ours = [_checked(batch) for batch in batches]
        used = [item for batch in ours for item in batch.collections.items()]
        keys = [key for batch in ours for key in batch.keys]
        if any(stored.get(name) != collection for name, collection in used):
            return False
        if len(set(keys)) < len(keys) or self.erased(keys):
            return False
        with self._writing():
            if any(self._connection.rows_in("SELECT 1 FROM records WHERE key IN", keys)):
                return False
            inserted = self._insert(ours, file_id(self._connection, file))
            if inserted:
                self._columns.append(join_personas(inserted))
        return True

    def rewrite(
        self,
        collection: str | None = None,
        *,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        """Write the records of a collection, or all, once more, with their index.

        This runs inside a transaction of the caller's.  ``progress`` gets the groups done and
        the number of all.
        """
        groups = self._connection.rows(
            "SELECT DISTINCT g.file, g.id FROM record_groups g JOIN records r"
            " ON r.record_group = g.id WHERE ? IS NULL OR r.collection = ? ORDER BY g.file, g.id",
            (collection, collection),
        )
        done = 0
        for file, ids in groupby(groups, key=itemgetter(0)):
            numbers = [number for _, number in ids]
            for start in range(0, len(numbers), REWRITTEN_GROUPS):
                chunk = numbers[start : start + REWRITTEN_GROUPS]
                self._replace(read_groups(self._connection, chunk), file)
                done += len(chunk)
                progress(done, len(groups))
        if collection is None:
            terms = self._connection.rows(
                "SELECT term FROM terms WHERE id IN (SELECT term FROM postings)"
            )
            self._insert_vocabulary(term for (term,) in terms)

    def delete(self, record_keys: Iterable[str]) -> None:
        """Delete records, each with its whole group."""
        with self._writing():
            self._postings.remove(self._remove(list(record_keys)))

    def restate(self, records: Iterable[Record]) -> None:
        """Replace records of which nothing that is searched has changed."""
        values = [
            (encode_record(record), source_position(record.source), record.key)
            for record in records
        ]
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE records SET value = ?1, position = ?2, checksum = records_checksum"
                "(id, key, collection, record_group, headings, ?1, ?2, public_year)"
                " WHERE key = ?3",
                values,
            )

    def begin(self, journal: "Journal") -> None:
        """Note that an import begins."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._connection.transaction():
            number = file_id(self._connection, journal.file)
            self._connection.execute("DELETE FROM import_ids WHERE file = ?", (number,))
            self._connection.execute(
                "REPLACE INTO imports VALUES (?, ?, ?, ?)",
                (number, journal.content, journal.mapping, at),
            )
            self._connection.execute_many(
                "INSERT INTO import_ids VALUES (?, ?, ?)",
                [(number, line, record_id) for line, record_id in journal.ids.items()],
            )

    def finish(self, file: "SourceFile") -> None:
        """Note that the import of a file has ended."""
        with self._connection.transaction():
            number = file_id(self._connection, file)
            for table in ("import_ids", "imports"):
                self._connection.execute(f"DELETE FROM {table} WHERE file = ?", (number,))

    def import_lock(self) -> AbstractContextManager[None]:
        """Keep other imports out until this one ends; wait for one that is running."""
        return self._connection.import_lock()

    def _replace(self, groups: Sequence[tuple[Record, ...]], file: int | None) -> None:
        """Put groups in the place of those that hold their records."""
        collections = {collection.name: collection for collection in self.collections()}
        for group in groups:
            if group[0].collection not in collections:
                raise StorageError(f"collection {group[0].collection!r} is not in the archive")
        # First out, then in: a record may get the numbers of the one it replaces.
        self._postings.remove(self._remove([record.key for group in groups for record in group]))
        self._insert([encode_batch(_last(groups), collections)], file)

    @contextmanager
    def _writing(self, *, durable: bool = False) -> Iterator[None]:
        """Make what is written inside one transaction that others notice."""
        try:
            with self._connection.transaction(durable=durable):
                yield
                self._connection.execute("UPDATE changes SET counter = counter + 1")
                self._postings.keep_ids()
        except BaseException:
            self._postings.forget_ids()
            raise

    def _remove(self, keys: list[str]) -> Changes:
        """Delete records with their groups and return which postings lose which personas."""
        removed: Changes = defaultdict(list)
        lost: Counter[tuple[Any, ...]] = Counter()
        groups = {
            group
            for (group,) in self._connection.rows_in(
                "SELECT record_group FROM records WHERE key IN", keys
            )
        }
        for group in groups:
            stored = self._connection.row(
                "SELECT id, public_year, full_year, file, checksum FROM record_groups WHERE id = ?",
                (group,),
            ) or (group, 0, 0, None, 0)
            require_sound(self._connection, "record_groups", stored)
            years = PublicYears(*stored[1:3])
            markers = [
                self._postings.ids(markers_of(years, is_masked)).values()
                for is_masked in (False, True)
            ]
            for row in self._connection.rows(
                "SELECT p.id, p.record, p.position, p.tie, p.masked, p.terms, p.checksum"
                " FROM personas p JOIN records r ON r.id = p.record WHERE r.record_group = ?",
                (group,),
            ):
                require_sound(self._connection, "personas", row)
                persona, *_, is_masked, terms, _ = row
                for term in (*array.array("i", terms), *markers[is_masked]):
                    removed[term].append(persona)
            self._connection.execute(
                "DELETE FROM personas WHERE record IN"
                " (SELECT id FROM records WHERE record_group = ?)",
                (group,),
            )
            for counted in self._connection.rows(
                "SELECT collection, public_year FROM records WHERE record_group = ?", (group,)
            ):
                lost[counted] -= 1
            self._connection.execute("DELETE FROM records WHERE record_group = ?", (group,))
            self._connection.execute("DELETE FROM record_groups WHERE id = ?", (group,))
        self._count(lost)
        return removed

    def _insert(self, batches: Iterable[Batch], file: int | None) -> list[Personas]:
        """Insert groups with all that is found through their personas, and return those."""
        added, inserted = [], []
        for batch in batches:
            pairs, personas = self._insert_batch(batch, file)
            added.append(pairs)
            inserted.append(personas)
        if added:
            self._postings.add(added)
        return inserted

    def _insert_batch(self, batch: Batch, file: int | None) -> tuple[Ints, Personas]:
        """Insert groups and return the pairs of their terms and markers, and their personas."""
        years = self._public_years(batch)
        records = self._insert_records(batch, years, file)
        # Personas of one group's years, masked or not, have the same markers.
        years_of_persona = years[batch.group_of_record[batch.personas[:, 0]]]
        _, firsts, set_of_persona = np.unique(
            (years_of_persona[:, 0] << 32 | years_of_persona[:, 1]) << 1 | batch.personas[:, 3],
            return_index=True,
            return_inverse=True,
        )
        markers_of_set = [
            markers_of(PublicYears(*years_of_persona[first].tolist()), batch.personas[first, 3] > 0)
            for first in firsts.tolist()
        ]
        markers = sorted({marker for names in markers_of_set for marker in names})
        ids, new = self._postings.assign_ids([*batch.terms, *markers])
        self._insert_vocabulary(new)
        last = self._last("personas")
        pairs = batch.pairs(ids)
        personas = self._insert_personas(batch, records, last, pairs)
        marker_ids = dict(zip(markers, ids[len(batch.terms) :].tolist(), strict=True))
        numbers = np.arange(last + 1, last + 1 + len(batch.personas))
        added = [pair_terms(pairs & 0xFFFFFFFF, (pairs >> 32) + (last + 1))]
        for place, names in enumerate(markers_of_set):
            members = numbers[set_of_persona == place]
            added += [
                pair_terms(np.full_like(members, marker_ids[name]), members) for name in names
            ]
        return np.concatenate(added), personas

    def _public_years(self, batch: Batch) -> Ints:
        """Return the public years of each group; never, if a record of it is taken down."""
        years = batch.public_years
        if hidden := self.takedowns():
            years = years.copy()
            for key, _, group, *_ in batch.records:
                if key in hidden:
                    years[group] = HIDDEN
        return years

    def _insert_records(self, batch: Batch, years: Ints, file: int | None) -> int:
        """Insert groups and their records, and return the number before the first record's."""
        group, record = self._last("record_groups"), self._last("records")
        self._connection.execute_many(
            "INSERT OR IGNORE INTO headings (columns) VALUES (?)",
            [(columns,) for columns in batch.headings],
        )
        number_of = dict(
            self._connection.rows_in(
                "SELECT columns, id FROM headings WHERE columns IN", batch.headings
            )
        )
        headings = [number_of[columns] for columns in batch.headings]
        numbers = np.arange(group + 1, group + 1 + len(years))
        checksums = group_checksums(numbers, years, file)
        self._connection.execute_many(
            "INSERT INTO record_groups (id, public_year, full_year, file, checksum)"
            " VALUES (?, ?, ?, ?, ?)",
            list(
                zip(
                    *(numbers.tolist(), years[:, 0].tolist(), years[:, 1].tolist()),
                    *([file] * len(years), checksums.tolist()),
                    strict=True,
                )
            ),
        )
        masked = years[batch.group_of_record, 0].tolist()
        rows = []
        for number, (key, collection, at, columns, value, position) in enumerate(batch.records):
            row = (
                *(record + 1 + number, key, collection, group + 1 + at, headings[columns], value),
                *(position, masked[number]),
            )
            rows.append((*row, record_checksum(*row)))
        self._connection.execute_many(
            "INSERT INTO records"
            " (id, key, collection, record_group, headings, value, position, public_year, checksum)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        names = [record[1] for record in batch.records]
        self._count(Counter(zip(names, masked, strict=True)))
        return record

    def _count(self, changes: Mapping[tuple[Any, ...], int]) -> None:
        """Add to the numbers of records by collection and public year."""
        self._connection.execute_many(
            "INSERT INTO record_counts VALUES (?, ?, ?) ON CONFLICT (collection, public_year)"
            " DO UPDATE SET records = records + excluded.records",
            [(*counted, number) for counted, number in changes.items()],
        )
        self._connection.execute("DELETE FROM record_counts WHERE records = 0")

    def _last(self, table: str) -> int:
        """Return the highest number that a row of a table has."""
        return int(self._connection.rows(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0])

    def _insert_personas(self, batch: Batch, records: int, last: int, pairs: Ints) -> Personas:
        """Insert personas, each with the sorted numbers of its terms."""
        lower = pairs.astype("<i4")
        blob = lower.tobytes()
        bounds = np.arange(len(batch.personas) + 1, dtype=np.int64) << 32
        edges = np.searchsorted(pairs, bounds)
        terms = [blob[start:end] for start, end in pairwise((edges * 4).tolist())]
        places, *about = batch.personas.T
        numbers = np.arange(last + 1, last + 1 + len(terms))
        columns = (numbers, places + (records + 1), *about)
        checksums = persona_checksums(columns, terms)
        self._connection.execute_many(
            "INSERT INTO personas (id, record, position, tie, masked, terms, checksum)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            list(
                zip(
                    *(column.tolist() for column in columns), terms, checksums.tolist(), strict=True
                )
            ),
        )
        return Personas(
            numbers=numbers,
            records=columns[1],
            positions=columns[2],
            ties=columns[3],
            terms=lower,
            firsts=edges[:-1],
            counts=np.diff(edges),
        )

    def _insert_vocabulary(self, terms: Iterable[str]) -> None:
        """Note the own names of places."""
        place_names = {(name, value_of(term)) for term in terms if (name := place_name(term))}
        self._connection.execute_many(
            "INSERT OR IGNORE INTO place_names VALUES (?, ?)", sorted(place_names)
        )


def file_id(connection: Connection, file: "SourceFile") -> int:
    """Return the number of a file, a new one if it is not known yet."""
    values = (file.collection, file.name)
    connection.execute("INSERT OR IGNORE INTO files (shelf, name) VALUES (?, ?)", values)
    return int(connection.rows("SELECT id FROM files WHERE shelf = ? AND name = ?", values)[0][0])


def _checked(batch: "EncodedBatch") -> Batch:
    if not isinstance(batch, Batch):
        raise StorageError(f"SQLite cannot store a batch of {type(batch).__name__!r}")
    return batch


def _last(groups: Sequence[tuple[Record, ...]]) -> list[tuple[Record, ...]]:
    """Return the groups that stand when later ones replace earlier ones of the same record."""
    last: list[tuple[Record, ...]] = []
    seen: set[str] = set()
    for group in reversed(groups):
        if seen.isdisjoint(record.key for record in group):
            last.append(group)
        seen.update(record.key for record in group)
    return last[::-1]

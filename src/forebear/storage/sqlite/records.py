"""Records in the file: written with their index in one transaction, read for a viewer."""

import array
from collections import defaultdict
from collections.abc import Iterable, Sequence

from forebear.errors import StorageError
from forebear.normalize.names import folds
from forebear.records.collections import Collection
from forebear.records.privacy import NEVER, Viewer, public_year
from forebear.records.record import Record
from forebear.search.record_search.rank import tie_key
from forebear.search.terms.fields import field_of, value_of
from forebear.search.terms.write import WrittenPersona, write_terms
from forebear.storage.sqlite.codec import (
    decode_collection,
    decode_record,
    encode_collection,
    encode_record,
)
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings
from forebear.storage.vocabulary import GIVEN_FIELDS, SURNAME_FIELDS, place_name

# A marker beside the terms: the first year in which the public may see the persona.
PUBLIC = "public"

Changes = defaultdict[int, list[int]]  # personas by term


class SqliteRecords:
    """Writes and reads the records of an archive file."""

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._connection = connection
        self._postings = postings

    def put_collection(self, collection: Collection) -> None:
        """Add a collection, or say something new of it."""
        with self._connection.transaction():
            self._connection.execute(
                "REPLACE INTO collections VALUES (?, ?)",
                (collection.name, encode_collection(collection)),
            )

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""
        rows = self._connection.rows("SELECT value FROM collections ORDER BY name")
        return tuple(decode_collection(value) for (value,) in rows)

    def write(self, groups: Sequence[tuple[Record, ...]]) -> None:
        """Write groups of records; a record that is there already is replaced, group and all."""
        collections = {collection.name: collection for collection in self.collections()}
        for group in groups:
            if group[0].collection not in collections:
                raise StorageError(f"collection {group[0].collection!r} is not in the archive")
        try:
            with self._connection.transaction():
                removed = self._remove([record.key for group in groups for record in group])
                added = self._insert(
                    [(group, collections[group[0].collection]) for group in _last(groups)]
                )
                self._postings.change(added, removed)
                self._connection.execute("UPDATE changes SET counter = counter + 1")
        except BaseException:
            self._postings.forget_ids()
            raise

    def delete(self, record_keys: Iterable[str]) -> None:
        """Delete records, each with its whole group."""
        with self._connection.transaction():
            self._postings.change({}, self._remove(list(record_keys)))
            self._connection.execute("UPDATE changes SET counter = counter + 1")

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        rows = self._connection.rows("SELECT key FROM records WHERE collection = ?", (name,))
        with self._connection.transaction():
            self._postings.change({}, self._remove([key for (key,) in rows]))
            self._connection.execute("DELETE FROM collections WHERE name = ?", (name,))
            self._connection.execute("UPDATE changes SET counter = counter + 1")
        return len(rows)

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        with self._connection.transaction():
            self._connection.execute(
                "REPLACE INTO takedowns VALUES (?, ?, ?)", (record_key, reason, at)
            )
        self._rewrite(record_key)

    def restore(self, record_key: str) -> None:
        """Take a takedown back."""
        with self._connection.transaction():
            self._connection.execute("DELETE FROM takedowns WHERE record = ?", (record_key,))
        self._rewrite(record_key)

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return dict(self._connection.rows("SELECT record, reason FROM takedowns ORDER BY record"))

    def _rewrite(self, record_key: str) -> None:
        group = self.group_of(record_key, viewer=Viewer(year=0, is_owner=True))
        if group:
            self.write([group])

    def get(self, record_key: str, *, viewer: Viewer) -> Record | None:
        """Return a record, or None if there is none that the viewer may see."""
        group = self.group_of(record_key, viewer=viewer)
        return next((record for record in group if record.key == record_key), None)

    def group_of(self, record_key: str, *, viewer: Viewer) -> tuple[Record, ...]:
        """Return all records of the record's group, itself included."""
        rows = self._connection.rows(
            "SELECT g.public_year, r.value, h.columns FROM records r"
            " JOIN record_groups g ON g.id = r.record_group"
            " JOIN headings h ON h.id = r.headings WHERE r.record_group ="
            " (SELECT record_group FROM records WHERE key = ?) ORDER BY r.id",
            (record_key,),
        )
        return tuple(
            decode_record(value, headings) for year, value, headings in rows if viewer.may_see(year)
        )

    def count(self, collection: str, *, viewer: Viewer) -> int:
        """Return how many records of a collection the viewer may see."""
        rows = self._connection.rows(
            "SELECT g.public_year, count(*) FROM records r JOIN record_groups g"
            " ON g.id = r.record_group WHERE r.collection = ? GROUP BY g.public_year",
            (collection,),
        )
        return sum(count for year, count in rows if viewer.may_see(year))

    def _remove(self, keys: list[str]) -> Changes:
        """Delete records with their groups and return which postings lose which personas."""
        removed: Changes = defaultdict(list)
        groups = {
            group
            for (group,) in self._connection.rows_in(
                "SELECT record_group FROM records WHERE key IN", keys
            )
        }
        for group in groups:
            (year,) = self._connection.row(
                "SELECT public_year FROM record_groups WHERE id = ?", (group,)
            ) or (0,)
            public = self._postings.ids([f"{PUBLIC}={year}"]).values()
            for persona, terms in self._connection.rows(
                "SELECT p.id, p.terms FROM personas p JOIN records r ON r.id = p.record"
                " WHERE r.record_group = ?",
                (group,),
            ):
                for term in (*array.array("i", terms), *public):
                    removed[term].append(persona)
            self._connection.execute(
                "DELETE FROM personas WHERE record IN"
                " (SELECT id FROM records WHERE record_group = ?)",
                (group,),
            )
            self._connection.execute("DELETE FROM records WHERE record_group = ?", (group,))
            self._connection.execute("DELETE FROM record_groups WHERE id = ?", (group,))
        return removed

    def _insert(self, groups: Sequence[tuple[tuple[Record, ...], Collection]]) -> Changes:
        """Insert groups and return which postings gain which personas."""
        written: list[tuple[int, int, WrittenPersona]] = []  # public year, record row, persona
        hidden = self.takedowns().keys()
        for group, collection in groups:
            is_hidden = any(record.key in hidden for record in group)
            year = NEVER if is_hidden else public_year(group, collection)
            rows = self._insert_group(group, year)
            written.extend(
                (year, rows[persona.record_key], persona)
                for persona in write_terms(group, collection)
            )
        terms = {term for _, _, persona in written for term in persona.terms}
        terms |= {f"{PUBLIC}={year}" for year, _, _ in written}
        ids = self._postings.assign_ids(terms)
        self._insert_vocabulary(terms)
        return self._insert_personas(written, ids)

    def _insert_group(self, group: tuple[Record, ...], year: int) -> dict[str, int]:
        number = self._connection.execute(
            "INSERT INTO record_groups (public_year) VALUES (?)", (year,)
        )
        rows = {}
        for record in group:
            value, columns = encode_record(record)
            rows[record.key] = self._connection.execute(
                "INSERT INTO records (key, collection, record_group, headings, value)"
                " VALUES (?, ?, ?, ?, ?)",
                (record.key, record.collection, number, self._headings(columns), value),
            )
        return rows

    def _headings(self, columns: str) -> int:
        """Return the number of a table's headings, which all its rows share."""
        self._connection.execute("INSERT OR IGNORE INTO headings (columns) VALUES (?)", (columns,))
        row = self._connection.row("SELECT id FROM headings WHERE columns = ?", (columns,))
        return int(row[0]) if row else 0

    def _insert_personas(
        self, written: Sequence[tuple[int, int, WrittenPersona]], ids: dict[str, int]
    ) -> Changes:
        added: Changes = defaultdict(list)
        (number,) = self._connection.row("SELECT coalesce(max(id), 0) FROM personas") or (0,)
        rows = []
        for year, record, persona in written:
            number += 1
            terms = sorted(ids[term] for term in persona.terms)
            tie = tie_key(persona.record_key)
            blob = array.array("i", terms).tobytes()
            rows.append((number, record, persona.position, tie, blob))
            for term in (*terms, ids[f"{PUBLIC}={year}"]):
                added[term].append(number)
        self._connection.execute_many("INSERT INTO personas VALUES (?, ?, ?, ?, ?)", rows)
        return added

    def _insert_vocabulary(self, terms: Iterable[str]) -> None:
        """Note the folded forms of names and the own names of places."""
        name_folds, place_names = set(), set()
        for term in terms:
            field, value = field_of(term), value_of(term)
            if field in SURNAME_FIELDS:
                name_folds |= {("surname", fold, value) for fold in folds(value)}
            elif field in GIVEN_FIELDS:
                name_folds |= {("given", fold, value) for fold in folds(value)}
            elif name := place_name(term):
                place_names.add((name, value))
        self._connection.execute_many(
            "INSERT OR IGNORE INTO name_folds VALUES (?, ?, ?)", sorted(name_folds)
        )
        self._connection.execute_many(
            "INSERT OR IGNORE INTO place_names VALUES (?, ?)", sorted(place_names)
        )


def _last(groups: Sequence[tuple[Record, ...]]) -> list[tuple[Record, ...]]:
    """Return the groups that stand when later ones replace earlier ones of the same record."""
    kept: list[tuple[Record, ...]] = []
    seen: set[str] = set()
    for group in reversed(groups):
        if seen.isdisjoint(record.key for record in group):
            kept.append(group)
        seen.update(record.key for record in group)
    return kept[::-1]

"""Postings: which personas have a term, as roaring bitmaps in segments.

What is added in one transaction becomes a *segment*: a row for each of its terms, in their order,
after all rows that are there.  So nothing that is stored is read or written again.  A term has a
row in each segment that has personas of it, so that segments must stay few: as soon as
`MERGED_SEGMENTS` are of one level, which is of one order of size, they are merged into one of the
next level.  A posting is therefore written once a level, and the levels grow with the logarithm of
the archive.  A persona is in the postings of a term at most once.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from pyroaring import BitMap

from forebear.search.expansion.catalog import Condition
from forebear.storage.sqlite.checksums import (
    posting_checksum,
    sound_postings,
    sound_terms,
    term_checksum,
)
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.containers import Ints, merge_bitmaps, read_bitmaps, write_bitmaps
from forebear.storage.sqlite.moments import PerChange

MAX_IDS = 1_000_000  # held in memory; beyond, the file is read again
MERGED_SEGMENTS = 8  # of one level
LEVEL_BITS = 4  # of the number of a segment
LEVEL_BYTES = 1 << 16  # a segment of level 0 is smaller, one of level 1 up to eight times this
MERGED_TERMS = 1 << 16  # at a time, so that memory stays small

# Every segment is found by one look at the primary key; the list of them is in no table.
SEGMENTS = (
    "WITH RECURSIVE segments (number) AS (SELECT min(segment) FROM postings UNION ALL"
    " SELECT (SELECT min(segment) FROM postings WHERE segment > number) FROM segments"
    " WHERE number IS NOT NULL) "
)


class Postings:
    """Reads and writes the postings of an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._moments = PerChange[dict[str, int]](connection, dict)
        # The numbers that a writer knows: those of the last change that it made itself.
        self._ids: dict[str, int] = {}
        self._ids_at = -1

    def ids(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the numbers of those terms that the archive has."""
        distinct = set(terms)
        with self._connection.snapshot():
            if self._connection.change() is None:
                numbers = self._look_up(distinct, self._writer_ids())
            else:
                numbers = self._moments.current()
                if len(numbers) > MAX_IDS:
                    numbers = self._moments.replace(numbers, {})
                self._look_up(distinct, numbers)
        return {term: numbers[term] for term in distinct if term in numbers}

    def assign_ids(self, terms: Sequence[str]) -> tuple[Ints, list[str]]:
        """Return the number of each of these distinct terms, and those that are new."""
        ((last,),) = self._connection.rows("SELECT coalesce(max(id), 0) FROM terms")
        numbers = self._writer_ids()
        # As many numbers as the last: every term of the file is known, and the others are new.
        if not len(numbers) == last <= MAX_IDS:
            self._look_up(terms, numbers)
        missing = sorted([term for term in terms if term not in numbers])
        rows = [
            (number, term, term_checksum(number, term))
            for number, term in enumerate(missing, start=last + 1)
        ]
        self._connection.execute_many("INSERT INTO terms VALUES (?, ?, ?)", rows)
        numbers.update(zip(missing, range(last + 1, last + 1 + len(missing)), strict=True))
        return np.fromiter(map(numbers.__getitem__, terms), np.int64, len(terms)), missing

    def keep_ids(self) -> None:
        """Remember the numbers of a change that was committed."""
        self._ids_at += 1

    def forget_ids(self) -> None:
        """Forget numbers that a transaction gave and took back."""
        self._ids = {}

    def holding(self, condition: Condition) -> BitMap:
        """Return the personas that have any term of a condition."""
        return self.of_ids(self.ids(condition).values())

    def of_ids(self, ids: Iterable[int]) -> BitMap:
        """Return the personas that have any of these terms, by number."""
        bitmaps = [BitMap.deserialize(personas) for _, _, personas in self._read(ids)]
        return BitMap.union(*bitmaps) if bitmaps else BitMap()

    def each_of(self, ids: Sequence[int]) -> dict[int, BitMap]:
        """Return the personas of each of these terms that has some, by number."""
        bitmaps: defaultdict[int, list[bytes]] = defaultdict(list)
        for term, _, personas in self._read(ids):
            bitmaps[term].append(personas)
        return {term: read_bitmaps(stored) for term, stored in bitmaps.items()}

    def of_field(self, field: str) -> dict[str, BitMap]:
        """Return the personas of each value of a field that any persona has."""
        values = {number: term[len(field) + 1 :] for number, term in self.terms_of(field)}
        personas = self.each_of(list(values))
        return {values[term]: having for term, having in personas.items()}

    def add(self, pairs: Sequence[Ints]) -> None:
        """Give terms to personas that have none of these yet, by `pair_terms` of them."""
        terms, bitmaps = write_bitmaps(np.concatenate(pairs))
        level = _level(sum(map(len, bitmaps)))
        self._insert(self._new_segment(level), terms, bitmaps)
        while len(segments := self._segments(level)) >= MERGED_SEGMENTS:
            level += 1
            self._merge(segments, self._new_segment(level))

    def remove(self, removed: Mapping[int, Sequence[int]]) -> None:
        """Take personas out of the postings of terms, by number."""
        changed, emptied = [], []
        for term, segment, stored in self._read(removed):
            before = BitMap.deserialize(stored)
            personas = before - BitMap(removed[term])
            if not personas:
                emptied.append((segment, term))
            elif len(personas) < len(before):
                changed.append(_row(segment, term, personas.serialize()))
        self._connection.execute_many("REPLACE INTO postings VALUES (?, ?, ?, ?)", changed)
        self._connection.execute_many(
            "DELETE FROM postings WHERE segment = ? AND term = ?", emptied
        )

    def merge_all(self) -> None:
        """Merge all segments into one, inside a transaction of the caller's."""
        segments = self._segments()
        if len(segments) > 1:
            level = 1 + max(segment & (1 << LEVEL_BITS) - 1 for segment in segments)
            self._merge(segments, self._new_segment(level))

    def take_blocks(self, *, has_checksums: bool) -> None:
        """Take over the postings of an older format, by term and block, as one segment."""
        checksum = "checksum" if has_checksums else "postings_checksum(term, block, personas)"
        ((size,),) = self._connection.rows(
            "SELECT coalesce(sum(length(personas)), 0) FROM postings_by_block"
        )
        self._join(
            f"SELECT term, block, personas, {checksum} FROM postings_by_block WHERE",
            self._new_segment(_level(size)),
        )
        self._connection.execute("DROP TABLE postings_by_block")

    def _segments(self, level: int | None = None) -> list[int]:
        """Return the numbers of the segments, or of those of a level, in the order of writing."""
        rows = self._connection.rows(f"{SEGMENTS}SELECT number FROM segments")
        numbers = [number for (number,) in rows if number is not None]
        return [n for n in numbers if level is None or n & (1 << LEVEL_BITS) - 1 == level]

    def _new_segment(self, level: int) -> int:
        """Return a number above all others, so that its rows come after all rows."""
        ((last,),) = self._connection.rows("SELECT coalesce(max(segment), 0) FROM postings")
        return int((last >> LEVEL_BITS) + 1 << LEVEL_BITS) + min(level, (1 << LEVEL_BITS) - 1)

    def _merge(self, segments: Sequence[int], into: int) -> None:
        """Write the postings of some segments as one segment."""
        chosen = f"segment IN ({', '.join(map(str, segments))})"
        self._join(
            f"SELECT term, segment, personas, checksum FROM postings WHERE {chosen} AND", into
        )
        self._connection.execute(f"DELETE FROM postings WHERE {chosen}")

    def _join(self, query: str, into: int) -> None:
        """Write as one segment what a query, which ends in its conditions, gives for each term."""
        ((last,),) = self._connection.rows("SELECT coalesce(max(id), 0) FROM terms")
        for first in range(0, last + 1, MERGED_TERMS):
            rows = self._connection.rows(
                f"{query} term >= ? AND term < ?", (first, first + MERGED_TERMS)
            )
            stored = sound_postings(self._connection, rows)
            if stored:
                terms, _, bitmaps = zip(*stored, strict=True)
                self._insert(into, *merge_bitmaps(terms, bitmaps))

    def _insert(self, segment: int, terms: Iterable[int], bitmaps: Iterable[bytes]) -> None:
        """Write rows of a segment, terms ascending."""
        self._connection.execute_many(
            "INSERT INTO postings VALUES (?, ?, ?, ?)",
            [_row(segment, term, personas) for term, personas in zip(terms, bitmaps, strict=True)],
        )

    def _writer_ids(self) -> dict[str, int]:
        """Return the numbers that a writer knows, unless another has changed the archive."""
        change = self._connection.counter()
        if change != self._ids_at or len(self._ids) > MAX_IDS:
            self._ids, self._ids_at = {}, change
        return self._ids

    def _look_up(self, terms: Collection[str], numbers: dict[str, int]) -> dict[str, int]:
        """Add the numbers of terms to those that are known, and return them."""
        unknown = [term for term in terms if term not in numbers]
        rows = self._connection.rows_in(
            "SELECT id, term, checksum FROM terms WHERE term IN", unknown
        )
        for number, term in sound_terms(self._connection, rows):
            numbers[term] = number
        return numbers

    def terms_of(self, field: str, *, live: bool = False) -> list[tuple[int, str]]:
        """Return the terms of a field with their numbers; ``live`` are those that personas have."""
        condition = (
            " AND EXISTS (SELECT 1 FROM postings p WHERE p.segment IN segments"
            " AND p.term = terms.id)"
        )
        rows = self._connection.rows(
            f"{SEGMENTS if live else ''}SELECT id, term, checksum FROM terms"
            f" WHERE term >= ? AND term < ?{condition if live else ''}",
            (f"{field}=", f"{field}>"),
        )
        return sound_terms(self._connection, rows)

    def _read(self, numbers: Iterable[int]) -> list[tuple[int, int, bytes]]:
        """Return term, segment and personas of terms by number, in the order of segments."""
        rows = self._connection.rows_in(
            f"{SEGMENTS}SELECT term, segment, personas, checksum FROM postings"
            " WHERE segment IN segments AND term IN",
            list(numbers),
        )
        return sound_postings(self._connection, rows)


def _row(segment: int, term: int, personas: bytes) -> tuple[int, int, bytes, int]:
    return segment, term, personas, posting_checksum(term, segment, personas)


def _level(size: int) -> int:
    """Return the level of a segment of this many bytes: each is eight times as large."""
    level = 0
    while size >= LEVEL_BYTES:
        size >>= 3
        level += 1
    return level

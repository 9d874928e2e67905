"""Which personas have a term?  Roaring bitmaps in segments, written with arrays.

What is added in one transaction becomes a *segment*: a row for each of its terms, in their order,
after all rows that are there.  So nothing that is stored is read or written again.  A term has a
row in each segment that has personas of it, so that segments must stay few: as soon as
`MERGED_SEGMENTS` are of one level, which is of one order of size, they are merged into one of the
next level.  A posting is therefore written once a level, and the levels grow with the logarithm of
the archive.  A persona is in the postings of a term at most once.

A batch of records has personas of very many terms, and a bitmap object for each would cost more
than all the rest.  So the bytes of all bitmaps of a batch are written, and short ones are merged,
with arrays.  The form (RoaringFormatSpec) of a bitmap without runs is: a cookie, the number of
containers, key and cardinality less one of each, the offset of each, and the containers.  A
container has the personas whose upper 16 bits are its key: up to 4,096 are a list of their lower 16
bits, more are a set of 65,536 bits, and those are left to the library.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from forebear.search.expansion.catalog import Condition
from forebear.storage.sqlite.cache import PerChange
from forebear.storage.sqlite.checksums import (
    posting_rows,
    sound_postings,
    sound_terms,
    term_checksum,
)
from forebear.storage.sqlite.connection import Connection

Ints = NDArray[np.int64]

PERSONA_BITS = 32  # of a pair of a term and a persona
LOW_BITS = 16  # of a persona: its place in a container
LOW = (1 << LOW_BITS) - 1
MAX_LISTED = 4096  # personas of a container; one of more is a set of bits
MAX_SHORT_BYTES = 1024  # of a bitmap that is merged with arrays: its containers are lists
COOKIE = 12346
PLAIN = COOKIE.to_bytes(4, "little")
# Words of 16 bits: of the cookie and the number of containers, and for each container.
HEADER_WORDS = 4
CONTAINER_WORDS = 4

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
        assigned = list(map(numbers.get, terms))
        unknown = [place for place, number in enumerate(assigned) if number is None]
        missing = sorted([terms[place] for place in unknown])
        rows = [
            (number, term, term_checksum(number, term))
            for number, term in enumerate(missing, start=last + 1)
        ]
        self._connection.execute_many("INSERT INTO terms VALUES (?, ?, ?)", rows)
        numbers.update(zip(missing, range(last + 1, last + 1 + len(missing)), strict=True))
        for place in unknown:
            assigned[place] = numbers[terms[place]]
        return np.array(assigned, np.int64), missing

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
                changed += posting_rows(segment, [term], [personas.serialize()])
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

    def _insert(self, segment: int, terms: Sequence[int], bitmaps: Sequence[bytes]) -> None:
        """Write rows of a segment, terms ascending."""
        self._connection.execute_many(
            "INSERT INTO postings VALUES (?, ?, ?, ?)",
            posting_rows(segment, terms, bitmaps),
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


def _level(size: int) -> int:
    """Return the level of a segment of this many bytes: each is eight times as large."""
    level = 0
    while size >= LEVEL_BYTES:
        size >>= 3
        level += 1
    return level


def pair_terms(terms: Ints, personas: Ints) -> Ints:
    """Return each term, by number, with its persona, as one number that sorts."""
    pairs = terms << PERSONA_BITS
    pairs |= personas
    return pairs


def write_bitmaps(pairs: Ints) -> tuple[list[int], list[bytes]]:
    """Sort pairs of `pair_terms`, and return the terms, ascending, with the bitmap of each.

    No pair is there twice.
    """
    if not len(pairs):
        return [], []
    pairs.sort()
    # There are many millions of pairs: no more arrays of their length than must be.
    changes = np.flatnonzero((pairs[1:] ^ pairs[:-1]) > LOW) + 1
    starts = np.concatenate([np.zeros(1, np.int64), changes])  # of the containers
    counts = np.diff(starts, append=len(pairs))
    keys = pairs[starts] >> LOW_BITS
    firsts = np.flatnonzero(np.diff(keys >> (PERSONA_BITS - LOW_BITS), prepend=-1))  # of the terms
    terms = keys[firsts] >> (PERSONA_BITS - LOW_BITS)
    containers = np.diff(firsts, append=len(starts))
    personas = np.add.reduceat(counts, firsts)
    ends = np.cumsum(HEADER_WORDS + CONTAINER_WORDS * containers + personas)
    begins = ends - (HEADER_WORDS + CONTAINER_WORDS * containers + personas)

    words = np.empty(ends[-1], "<u2")
    for place, values in enumerate((COOKIE, 0, containers & LOW, containers >> LOW_BITS)):
        words[begins + place] = values
    number = np.arange(len(starts)) - np.repeat(firsts, containers)  # of a container in its term
    heads = np.repeat(begins, containers) + HEADER_WORDS + 2 * number
    words[heads] = keys & LOW
    words[heads + 1] = counts - 1
    heads += 2 * np.repeat(containers, containers)
    offsets = 2 * (HEADER_WORDS + CONTAINER_WORDS * np.repeat(containers, containers))
    offsets += 2 * (starts - np.repeat(starts[firsts], containers))
    words[heads] = offsets & LOW
    words[heads + 1] = offsets >> LOW_BITS
    places = np.repeat(ends - np.cumsum(personas), personas)
    places += np.arange(len(pairs))
    words[places] = pairs.astype("<u2")  # the low bits

    data = words.tobytes()
    bitmaps = [
        data[start:end]
        for start, end in zip((2 * begins).tolist(), (2 * ends).tolist(), strict=True)
    ]
    for place in np.flatnonzero(np.maximum.reduceat(counts, firsts) > MAX_LISTED).tolist():
        first = starts[firsts[place]]
        members = pairs[first : first + personas[place]].astype(np.uint32)
        bitmaps[place] = BitMap(array("I", members.tobytes())).serialize()
    return terms.tolist(), bitmaps


def merge_bitmaps(terms: Sequence[int], bitmaps: Sequence[bytes]) -> tuple[list[int], list[bytes]]:
    """Return each of some terms once, ascending, and a bitmap of the personas of all its bitmaps.

    No persona is in two bitmaps of a term.
    """
    numbers = np.array(terms, np.int64)
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    stored = [bitmaps[place] for place in order.tolist()]
    firsts = np.flatnonzero(np.diff(numbers, prepend=-1))
    counts = np.diff(firsts, append=len(stored))
    merged = [stored[first] for first in firsts.tolist()]  # of terms with one bitmap it is that
    is_short = np.fromiter(map(_is_short, stored), bool, len(stored))
    is_several = counts > 1
    is_written = is_several & (np.add.reduceat(is_short, firsts, dtype=np.int64) == counts)
    rows = np.flatnonzero(np.repeat(is_written, counts))
    _, written = write_bitmaps(_read_short(numbers[rows], [stored[row] for row in rows.tolist()]))
    for place, bitmap in zip(np.flatnonzero(is_written).tolist(), written, strict=True):
        merged[place] = bitmap
    for place in np.flatnonzero(is_several & ~is_written).tolist():
        first = firsts[place]
        merged[place] = read_bitmaps(stored[first : first + counts[place]]).serialize()
    return numbers[firsts].tolist(), merged


def _is_short(bitmap: bytes) -> bool:
    """Return whether all containers of a bitmap are lists, and together short."""
    return len(bitmap) <= MAX_SHORT_BYTES and bitmap.startswith(PLAIN)


def _read_short(terms: Ints, bitmaps: Sequence[bytes]) -> Ints:
    """Return the pairs of terms and personas of short bitmaps."""
    words = np.frombuffer(b"".join(bitmaps), "<u2").astype(np.int64)
    lengths = np.fromiter(map(len, bitmaps), np.int64, len(bitmaps)) >> 1
    starts = np.cumsum(lengths) - lengths
    containers = words[starts + 2]
    row = np.repeat(np.arange(len(bitmaps)), containers)
    first_of_row = np.cumsum(containers) - containers
    heads = starts[row] + HEADER_WORDS + 2 * (np.arange(len(row)) - first_of_row[row])
    keys = terms[row] << PERSONA_BITS | words[heads] << LOW_BITS
    counts = words[heads + 1] + 1
    before = np.cumsum(counts) - counts
    begins = starts[row] + HEADER_WORDS + CONTAINER_WORDS * containers[row]
    begins += before - before[first_of_row[row]]
    places = np.repeat(begins - before, counts)
    places += np.arange(len(places))
    pairs: Ints = np.repeat(keys, counts) | words[places]
    return pairs


def read_bitmaps(bitmaps: Sequence[bytes]) -> BitMap:
    """Return the personas of one term, of all its bitmaps."""
    if len(bitmaps) == 1:
        return BitMap.deserialize(bitmaps[0])
    return BitMap.union(*map(BitMap.deserialize, bitmaps))

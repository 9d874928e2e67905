"""Postings: which personas have a term, as roaring bitmaps in blocks.

A batch of records adds a few personas to very many postings.  So each pair of a term and a
persona becomes one number, with the block first and the term before the persona; sorted once,
the pairs of a batch fall into runs: one for each block and term that changes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from forebear.search.expansion.catalog import Condition
from forebear.storage.sqlite.checksums import (
    posting_checksum,
    sound_postings,
    sound_terms,
    term_checksum,
)
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.containers import BLOCK_BITS, extend_block, read_blocks, write_block
from forebear.storage.sqlite.moments import PerChange

MOST_IDS = 1_000_000  # kept in memory; beyond, the file is asked again
TERM_BITS = 32
LOW = (1 << BLOCK_BITS) - 1  # where a persona stands in its block

Ints = NDArray[np.int64]
Run = tuple[int, int, bytes]  # block, term and the low bits of the personas to add


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
                if len(numbers) > MOST_IDS:
                    numbers = self._moments.replace(numbers, {})
                self._look_up(distinct, numbers)
        return {term: numbers[term] for term in distinct if term in numbers}

    def assign_ids(self, terms: Sequence[str]) -> tuple[Ints, list[str]]:
        """Return the number of each of these distinct terms, and those that are new."""
        (last,) = self._connection.rows("SELECT coalesce(max(id), 0) FROM terms")[0]
        numbers = self._writer_ids()
        # As many numbers as the last: every term of the file is known, and the others are new.
        if not len(numbers) == last <= MOST_IDS:
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
        found = [BitMap.deserialize(personas) for _, _, personas in self._read("term IN", ids)]
        return BitMap.union(*found) if found else BitMap()

    def each_of(self, ids: Sequence[int]) -> dict[int, BitMap]:
        """Return the personas of each of these terms that has some, by number."""
        blocks: defaultdict[int, list[bytes]] = defaultdict(list)
        for term, _, personas in self._read("term IN", ids):
            blocks[term].append(personas)
        return {term: read_blocks(stored) for term, stored in blocks.items()}

    def of_field(self, field: str) -> dict[str, BitMap]:
        """Return the personas of each value of a field that somebody has, in one go."""
        found: defaultdict[str, list[bytes]] = defaultdict(list)
        values = {number: term[len(field) + 1 :] for number, term in self.terms_of(field)}
        for term, _, personas in self._read("term IN", values):
            found[values[term]].append(personas)
        return {value: read_blocks(stored) for value, stored in found.items()}

    def add(self, pairs: Sequence[Ints], *, known: int) -> None:
        """Give terms to personas, by `pairs_of` them.

        No persona above the number ``known`` is in any postings yet.
        """
        begun = known >> BLOCK_BITS  # the block that has room left
        runs = list(_runs(np.concatenate(pairs)))
        stored = dict(self._blobs(begun, [term for block, term, _ in runs if block <= begun]))
        fresh, longer = [], []
        for block, term, values in runs:
            if block <= begun and term in stored:
                longer.append(_row(term, block, extend_block(stored[term], block, values)))
            else:
                fresh.append(_row(term, block, write_block(block, values)))
        self._connection.execute_many("INSERT INTO postings VALUES (?, ?, ?, ?)", fresh)
        self._connection.execute_many(
            "UPDATE postings SET personas = ?3, checksum = ?4 WHERE term = ?1 AND block = ?2",
            longer,
        )

    def remove(self, removed: Mapping[int, list[int]]) -> None:
        """Take personas out of the postings of terms, by number."""
        removing = _by_block(removed)
        changed, emptied = [], []
        for (term, block), personas in self._stored(removing).items():
            personas -= BitMap(removing[term, block])
            if personas:
                changed.append(_row(term, block, personas.serialize()))
            else:
                emptied.append((term, block))
        self._connection.execute_many("REPLACE INTO postings VALUES (?, ?, ?, ?)", changed)
        self._connection.execute_many("DELETE FROM postings WHERE term = ? AND block = ?", emptied)

    def _writer_ids(self) -> dict[str, int]:
        """Return the numbers that a writer knows, unless another has changed the archive."""
        change = self._connection.counter()
        if change != self._ids_at or len(self._ids) > MOST_IDS:
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
        condition = " AND EXISTS (SELECT 1 FROM postings p WHERE p.term = terms.id)" if live else ""
        rows = self._connection.rows(
            f"SELECT id, term, checksum FROM terms WHERE term >= ? AND term < ?{condition}",
            (f"{field}=", f"{field}>"),
        )
        return sound_terms(self._connection, rows)

    def _read(self, condition: str, numbers: Iterable[int]) -> list[tuple[int, int, bytes]]:
        """Return term, block and personas of postings by numbers that a condition asks for."""
        rows = self._connection.rows_in(
            f"SELECT term, block, personas, checksum FROM postings WHERE {condition}",
            list(numbers),
        )
        return sound_postings(self._connection, rows)

    def _stored(self, keys: Iterable[tuple[int, int]]) -> dict[tuple[int, int], BitMap]:
        terms_of: defaultdict[int, list[int]] = defaultdict(list)
        for term, block in keys:
            terms_of[block].append(term)
        return {
            (term, block): BitMap.deserialize(personas)
            for block, terms in terms_of.items()
            for term, personas in self._blobs(block, terms)
        }

    def _blobs(self, block: int, terms: list[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the terms that have personas in a block, with those."""
        for term, _, personas in self._read(f"block = {block} AND term IN", terms):
            yield term, personas


def _row(term: int, block: int, personas: bytes) -> tuple[int, int, bytes, int]:
    return term, block, personas, posting_checksum(term, block, personas)


def pairs_of(terms: Ints, personas: Ints) -> Ints:
    """Return each term, by number, with the persona beside it, as one number that sorts."""
    pairs = personas >> BLOCK_BITS
    pairs <<= TERM_BITS
    pairs |= terms
    pairs <<= BLOCK_BITS
    pairs |= personas & LOW
    return pairs


def _runs(pairs: Ints) -> Iterator[Run]:
    """Sort pairs and yield the personas of each block and term, blocks and terms in order."""
    pairs.sort()
    # There are many millions of pairs: no more arrays of their length than must be.
    changes = np.flatnonzero((pairs[1:] ^ pairs[:-1]) > LOW) + 1
    edges = [0, *changes.tolist(), len(pairs)] if len(pairs) else []
    keys = (pairs[edges[:-1]] >> BLOCK_BITS).tolist()
    values = pairs.astype("<u2").tobytes()  # the low bits
    for key, start, end in zip(keys, edges[:-1], edges[1:], strict=True):
        yield key >> TERM_BITS, key & (1 << TERM_BITS) - 1, values[2 * start : 2 * end]


def _by_block(changes: Mapping[int, list[int]]) -> dict[tuple[int, int], list[int]]:
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for term, personas in changes.items():
        for persona in personas:
            found[term, persona >> BLOCK_BITS].append(persona)
    return dict(found)

"""Postings: which personas have a term, as roaring bitmaps in blocks.

A batch of records adds a few personas to very many postings, so the pairs of a batch are
sorted once, as numbers, and fall into runs: one for each block and term that changes.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from forebear.search.expansion.clauses import Condition
from forebear.storage.sqlite.connection import Connection

BLOCK_BITS = 16  # 65,536 personas a block
MOST_IDS = 1_000_000  # kept in memory; beyond, the file is asked again

Ints = NDArray[np.int64]
Run = tuple[int, int, "array[int]"]  # block, term and the personas to add


class Postings:
    """Reads and writes the postings of an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: dict[str, int] = {}  # terms never change their number, so this stays true

    def ids(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the numbers of those terms that the archive has."""
        wanted = set(terms)
        known = self._look_up(wanted)
        return {term: known[term] for term in wanted if term in known}

    def assign_ids(self, terms: Sequence[str]) -> tuple[Ints, list[str]]:
        """Return the number of each of these distinct terms, and those that are new."""
        known = self._look_up(terms)
        missing = sorted(term for term in terms if term not in known)
        (last,) = self._connection.rows("SELECT coalesce(max(id), 0) FROM terms")[0]
        rows = [(number, term) for number, term in enumerate(missing, start=last + 1)]
        self._connection.execute_many("INSERT INTO terms VALUES (?, ?)", rows)
        known.update((term, number) for number, term in rows)
        return np.array([known[term] for term in terms], dtype=np.int64), missing

    def forget_ids(self) -> None:
        """Forget numbers that a transaction gave and took back."""
        self._ids = {}

    def holding(self, condition: Condition) -> BitMap:
        """Return the personas that have any term of a condition."""
        return self.of_ids(self.ids(condition).values())

    def of_ids(self, ids: Iterable[int]) -> BitMap:
        """Return the personas that have any of these terms, by number."""
        found = [
            BitMap.deserialize(personas)
            for (personas,) in self._connection.rows_in(
                "SELECT personas FROM postings WHERE term IN", list(ids)
            )
        ]
        return BitMap.union(*found) if found else BitMap()

    def add(self, terms: Ints, personas: Ints, *, known: int) -> None:
        """Give each of these terms, by number, to the persona beside it.

        No persona above the number ``known`` is in any postings yet.
        """
        fresh: list[Run] = []
        touched: list[Run] = []
        for run in _runs(terms, personas):
            (touched if run[0] <= known >> BLOCK_BITS else fresh).append(run)
        self._connection.execute_many(
            "INSERT INTO postings VALUES (?, ?, ?)",
            [(term, block, BitMap(added).serialize()) for block, term, added in fresh],
        )
        stored = self._stored((term, block) for block, term, _ in touched)
        self._connection.execute_many(
            "REPLACE INTO postings VALUES (?, ?, ?)",
            [
                (term, block, (stored.get((term, block), _NONE) | BitMap(added)).serialize())
                for block, term, added in touched
            ],
        )

    def remove(self, removed: Mapping[int, list[int]]) -> None:
        """Take personas out of the postings of terms, by number."""
        removing = _by_block(removed)
        changed, emptied = [], []
        for (term, block), personas in self._stored(removing).items():
            personas -= BitMap(removing[term, block])
            if personas:
                changed.append((term, block, personas.serialize()))
            else:
                emptied.append((term, block))
        self._connection.execute_many("REPLACE INTO postings VALUES (?, ?, ?)", changed)
        self._connection.execute_many("DELETE FROM postings WHERE term = ? AND block = ?", emptied)

    def _look_up(self, terms: Collection[str]) -> dict[str, int]:
        """Return the numbers known so far, among them those of these terms that have one."""
        if len(self._ids) > MOST_IDS:
            self._ids = {}
        known = self._ids  # another thread may begin a new one at any moment
        unknown = [term for term in terms if term not in known]
        for number, term in self._connection.rows_in(
            "SELECT id, term FROM terms WHERE term IN", unknown
        ):
            known[term] = number
        return known

    def _stored(self, keys: Iterable[tuple[int, int]]) -> dict[tuple[int, int], BitMap]:
        terms_of: defaultdict[int, list[int]] = defaultdict(list)
        for term, block in keys:
            terms_of[block].append(term)
        return {
            (term, block): BitMap.deserialize(personas)
            for block, terms in terms_of.items()
            for term, personas in self._connection.rows_in(
                f"SELECT term, personas FROM postings WHERE block = {block} AND term IN", terms
            )
        }


_NONE = BitMap()


def _runs(terms: Ints, personas: Ints) -> Iterator[Run]:
    """Yield the personas of each block and term, blocks and terms in order."""
    low = (1 << BLOCK_BITS) - 1
    pairs = np.sort(personas >> BLOCK_BITS << 48 | terms << BLOCK_BITS | personas & low)
    keys = pairs >> BLOCK_BITS
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    blocks, numbers = keys[starts] >> 32, keys[starts] & 0xFFFFFFFF
    sorted_personas = array("I", ((keys >> 32 << BLOCK_BITS) | pairs & low).astype("u4").tobytes())
    ends = np.append(starts, len(keys))[1:]
    for block, term, start, end in zip(
        blocks.tolist(), numbers.tolist(), starts.tolist(), ends.tolist(), strict=True
    ):
        yield block, term, sorted_personas[start:end]


def _by_block(changes: Mapping[int, list[int]]) -> dict[tuple[int, int], list[int]]:
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for term, personas in changes.items():
        for persona in personas:
            found[term, persona >> BLOCK_BITS].append(persona)
    return dict(found)

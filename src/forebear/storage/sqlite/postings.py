"""Postings: which personas have a term, as roaring bitmaps in blocks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from pyroaring import BitMap

from forebear.search.expansion.clauses import Condition
from forebear.storage.sqlite.connection import Connection

BLOCK_BITS = 16  # 65,536 personas a block


class Postings:
    """Reads and writes the postings of an archive file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: dict[str, int] = {}  # terms never change their number, so this stays true

    def ids(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the numbers of those terms that the archive has."""
        wanted = set(terms)
        unknown = [term for term in wanted if term not in self._ids]
        for number, term in self._connection.rows_in(
            "SELECT id, term FROM terms WHERE term IN", unknown
        ):
            self._ids[term] = number
        return {term: self._ids[term] for term in wanted if term in self._ids}

    def assign_ids(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the numbers of all these terms, new ones for those the archive lacks."""
        wanted = set(terms)
        missing = sorted(wanted - self.ids(wanted).keys())
        self._connection.execute_many(
            "INSERT INTO terms (term) VALUES (?)", [(term,) for term in missing]
        )
        return self.ids(wanted)

    def forget_ids(self) -> None:
        """Forget numbers that a transaction gave and took back."""
        self._ids.clear()

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

    def change(self, added: Mapping[int, list[int]], removed: Mapping[int, list[int]]) -> None:
        """Add personas to and remove personas from the postings of terms, by number."""
        adding, removing = _by_block(added), _by_block(removed)
        changed, emptied = [], []
        for (term, block), personas in self._stored(adding.keys() | removing.keys()):
            # First out, then in: a replaced record may get the number of the one it replaces.
            personas -= BitMap(removing.get((term, block), ()))
            personas |= BitMap(adding.get((term, block), ()))
            if personas:
                changed.append((term, block, personas.serialize()))
            else:
                emptied.append((term, block))
        self._connection.execute_many("REPLACE INTO postings VALUES (?, ?, ?)", changed)
        self._connection.execute_many("DELETE FROM postings WHERE term = ? AND block = ?", emptied)

    def _stored(self, keys: Iterable[tuple[int, int]]) -> Iterable[tuple[tuple[int, int], BitMap]]:
        blocks: defaultdict[int, list[int]] = defaultdict(list)
        for term, block in keys:
            blocks[block].append(term)
        for block, terms in blocks.items():
            stored = {
                term: BitMap.deserialize(personas)
                for term, personas in self._connection.rows_in(
                    f"SELECT term, personas FROM postings WHERE block = {block} AND term IN", terms
                )
            }
            yield from (((term, block), stored.get(term, BitMap())) for term in terms)


def _by_block(changes: Mapping[int, list[int]]) -> dict[tuple[int, int], list[int]]:
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for term, personas in changes.items():
        for persona in personas:
            found[term, persona >> BLOCK_BITS].append(persona)
    return dict(found)

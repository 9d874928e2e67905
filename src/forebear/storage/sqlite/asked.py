"""What was asked before: conditions as term numbers and as personas, and who is hidden.

The lists of one search ask for the same names, years and places, and searches that follow each
other for the same collections.  An answer holds as long as nothing was written; the archive's
counter of changes, read in the same snapshot, says so.
"""

from array import array
from collections.abc import Iterable, Sequence
from sys import getsizeof

from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Condition
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.hidden import hidden_personas
from forebear.storage.sqlite.postings import Postings

MOST_NUMBERED = 20_000  # conditions; some searches' worth
MOST_HELD = 400  # conditions; a bitmap of a large archive may take a megabyte
MOST_ABSENT = 200_000  # terms
MOST_BYTES = 64 << 20  # of the personas of single terms

Numbers = Sequence[int]


class AskedConditions:
    """Answers about conditions, each worked out once."""

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._connection = connection
        self._postings = postings
        self._changes = -1
        self._numbers: dict[Condition, Numbers] = {}
        self._holding: dict[Condition, BitMap] = {}
        self._absent: set[str] = set()  # terms that the archive lacks
        self._hidden: dict[Viewer, BitMap] = {}
        self._personas: dict[int, BitMap] = {}  # that have a term, by its number
        self._bytes = 0  # that these take

    def prepare(self, conditions: Iterable[Condition]) -> None:
        """Get ready, inside a snapshot, for a search that asks for these conditions."""
        self._forget()
        numbers = self._numbers
        new = {condition for condition in conditions if condition not in numbers}
        if not new:
            return
        asked = set().union(*new)
        asked -= self._absent
        ids = self._postings.ids(asked)
        self._absent.update(asked.difference(ids))
        for condition in new:
            numbers[condition] = array("i", [ids[term] for term in condition if term in ids])

    def numbers(self, condition: Condition) -> Numbers:
        """Return the numbers of the condition's terms that the archive has."""
        return self._numbers[condition]

    def holding(self, condition: Condition) -> BitMap:
        """Return the personas that have any term of a condition; not to be changed."""
        found = self._holding.get(condition)
        if found is None:
            found = self._union(self._numbers[condition])
            self._holding[condition] = found
        return found

    def hidden(self, viewer: Viewer) -> BitMap:
        """Return the personas that a viewer may not see; not to be changed."""
        self._forget()
        if viewer not in self._hidden:
            self._hidden[viewer] = hidden_personas(self._connection, self._postings, viewer)
        return self._hidden[viewer]

    def _union(self, numbers: Numbers) -> BitMap:
        """Return the personas that have any of these terms; a few terms are asked for often."""
        known = self._personas
        new = [number for number in numbers if number not in known]
        if new:
            read = self._postings.each_of(new)
            known.update(read)
            self._bytes += sum(map(getsizeof, read.values()))
        having = [known[number] for number in numbers if number in known]
        return BitMap.union(*having) if having else BitMap()

    def _forget(self) -> None:
        """Forget what is no longer true, and what takes too much room."""
        (changes,) = self._connection.rows("SELECT counter FROM changes")[0]
        if changes != self._changes or len(self._numbers) > MOST_NUMBERED:
            self._numbers = {}
        if changes != self._changes or len(self._holding) > MOST_HELD:
            self._holding = {}
        if changes != self._changes or len(self._absent) > MOST_ABSENT:
            self._absent = set()
        if changes != self._changes:
            self._hidden = {}
        if changes != self._changes or self._bytes > MOST_BYTES:
            self._personas, self._bytes = {}, 0
        self._changes = changes

"""What was asked before: conditions as term numbers and as personas.

The lists of one search ask for the same names, years and places, and searches that follow each
other for the same collections.  An answer holds as long as nothing was written; the archive's
counter of changes, read in the same snapshot, says so.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from forebear.search.expansion.clauses import Condition
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings

MOST_NUMBERED = 20_000  # conditions; some searches' worth
MOST_HELD = 400  # conditions; a bitmap of a large archive may take a megabyte

Ints = NDArray[np.int64]


class AskedConditions:
    """Answers about conditions, each worked out once."""

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._connection = connection
        self._postings = postings
        self._changes = -1
        self._numbers: dict[Condition, Ints] = {}
        self._holding: dict[Condition, BitMap] = {}

    def prepare(self, conditions: Iterable[Condition]) -> None:
        """Get ready, inside a snapshot, for a search that asks for these conditions."""
        (changes,) = self._connection.rows("SELECT counter FROM changes")[0]
        if changes != self._changes or len(self._numbers) > MOST_NUMBERED:
            self._numbers = {}
        if changes != self._changes or len(self._holding) > MOST_HELD:
            self._holding = {}
        self._changes = changes
        new = {condition for condition in conditions if condition not in self._numbers}
        ids = self._postings.ids(set().union(*new))
        for condition in new:
            found = [ids[term] for term in condition if term in ids]
            self._numbers[condition] = np.array(sorted(found), dtype=np.int64)

    def numbers(self, condition: Condition) -> Ints:
        """Return the numbers of the condition's terms that the archive has, in order."""
        return self._numbers[condition]

    def holding(self, condition: Condition) -> BitMap:
        """Return the personas that have any term of a condition; not to be changed."""
        found = self._holding.get(condition)
        if found is None:
            found = self._postings.of_ids(self._numbers[condition].tolist())
            self._holding[condition] = found
        return found

"""Which clauses and gate conditions were built before from the same facts?

A builder reads a few facts of a query: the surnames, the years of birth, the sex.  ``Facts`` notes
which, so no list of them has to be right.  What was built is stored under the values of the facts
that its builder read, and a query with the same values gets the same objects, whatever else it
says.  A builder decides what to read by what it has read, so equal values give an equal clause.

A clause also depends on the archive: on its names, on how common they are, on what is usually
stated.  So each viewer has a cache after each change, and a storage gives it with its knowledge.
What the public's searches find in their cache was built from what the public may know.
"""

import threading
from collections.abc import Hashable
from itertools import count

from forebear.search.expansion.catalog import Clause, Condition

MAX_ENTRIES = 20_000  # of each of two generations
MAX_TERMS = 200_000  # of the conditions of a generation, about 20 MB
MAX_VALUES = 20_000  # different values of facts

Slot = tuple[str, str | int]  # a fact: its kind and the catalog's word for it
Built = Clause | Condition | None
Group = dict[Hashable, Built]  # by builder: what was built from the same values of the same facts


class ClauseCache:
    """What was built for one viewer of an archive since its last change.

    Groups have two generations.  A full generation becomes the older one, and what is used of
    the older one moves to the new one; the rest is dropped with it.
    """

    def __init__(self, *, max_entries: int = MAX_ENTRIES, max_terms: int = MAX_TERMS) -> None:
        self._max_entries = max_entries
        self._max_terms = max_terms
        self._read_by: dict[Hashable, int] = {}  # by builder: the facts it reads, as a set's number
        self._slots: list[tuple[Slot, ...]] = []  # of each set of facts
        self._sets: dict[frozenset[Slot], int] = {}
        self._values: dict[Hashable, int] = {}
        self._next_value = count()  # a number is given once, also after values were dropped
        self._recent: dict[tuple[int, ...], Group] = {}
        self._older: dict[tuple[int, ...], Group] = {}
        self._entries = 0  # of the recent groups
        self._terms = 0
        self._lock = threading.Lock()

    def value(self, value: Hashable) -> int:
        """Return the number of a value of a fact, so that keys are short."""
        number = self._values.get(value)
        if number is None:
            if len(self._values) >= MAX_VALUES:
                self._values = {}
            number = self._values.setdefault(value, next(self._next_value))
        return number

    def facts_read(self, builder: Hashable) -> int | None:
        """Return the number of the set of facts that a builder reads; None if it never ran."""
        return self._read_by.get(builder)

    def slots(self, facts_read: int) -> tuple[Slot, ...]:
        """Return the facts of a set."""
        return self._slots[facts_read]

    def note(self, builder: Hashable, read: set[Slot]) -> int:
        """Note what a builder read this time, and return the set of all that it ever read."""
        number = self._read_by.get(builder)
        if number is not None and read.issubset(self._slots[number]):
            return number
        with self._lock:
            number = self._read_by.get(builder)
            slots = frozenset(read.union(() if number is None else self._slots[number]))
            if slots not in self._sets:
                self._slots.append(tuple(slots))
                self._sets[slots] = len(self._slots) - 1
            number = self._read_by[builder] = self._sets[slots]
        return number

    def group(self, key: tuple[int, ...]) -> Group:
        """Return what was built from these values; ``key`` is a set of facts and their values."""
        group = self._recent.get(key)
        if group is None:
            with self._lock:
                group = self._recent.setdefault(key, self._older.get(key, {}))
                self._count(len(group), sum(map(count_terms, group.values())))
        return group

    def add(self, group: Group, builder: Hashable, built: Built) -> None:
        """Add what was built to a group."""
        group[builder] = built
        with self._lock:
            self._count(1, count_terms(built))

    def _count(self, entries: int, terms: int) -> None:
        self._entries += entries
        self._terms += terms
        if self._entries > self._max_entries or self._terms > self._max_terms:
            self._older, self._recent, self._entries, self._terms = self._recent, {}, 0, 0


def count_terms(built: Built) -> int:
    """Return how many terms the conditions of a clause have, or a condition alone."""
    if isinstance(built, Clause):
        return sum(map(len, built.any_of)) + len(built.none_of)
    return 0 if built is None else len(built)

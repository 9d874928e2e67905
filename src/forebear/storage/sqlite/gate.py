"""Which personas does the gate of each list let in, and who is hidden?  On bitmaps.

The branches are the same for most lists of a search, so each is evaluated once, and a list takes
of it what lies in its collections.

The lists of one search have the same names, years and places, and searches that follow each
other the same collections.  What a condition comes to holds until something is written, so it is
cached by the archive's last change.  Searches in several threads share it without waiting: what
one adds is what another would add, and a search ends with the cache with which it began.

Hidden personas are few beside the others, so what is counted for the public is what is counted
for all, less them; and the year that opens a record is a term like any other, so time passing
needs no rewrite.  Masked personas stand for the others of their record, for the public of the
years before all of it opens; the owner never sees them.
"""

import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from sys import getsizeof

import numpy as np
from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Branch, Condition
from forebear.search.record_search.ranked_list import YEAR_FIELD, ListSearch, narrow
from forebear.search.record_search.score import Ints
from forebear.search.terms.term import COLLECTION, terms, value_of
from forebear.storage.sqlite.batches import PUBLIC, UNTIL
from forebear.storage.sqlite.cache import Answers, PerChange
from forebear.storage.sqlite.columns import read_personas
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings

MAX_NUMBERED = 20_000  # conditions; some searches' worth
MAX_HELD = 400  # conditions; a bitmap of a large archive may take a megabyte
MAX_ABSENT = 200_000  # terms
MAX_BYTES = 64 << 20  # of the personas of single terms

Numbers = Sequence[int]


class GateBitmaps:
    """The gates of the lists that are searched together, inside one snapshot."""

    def __init__(
        self, cache: "ConditionCache", searches: Sequence[ListSearch], *, hidden: BitMap
    ) -> None:
        cache.prepare(condition for search in searches for condition in _conditions(search))
        self._cache = cache
        self._hidden = hidden
        # By identity: the lists of a search share their branches, which are long to compare.
        self._branches: dict[int, list[BitMap]] = {}
        self._unions: dict[int, BitMap] = {}

    def candidates(self, search: ListSearch) -> tuple[BitMap, int]:
        """Return the personas that are scored, and in how many steps they were narrowed."""
        allowed = self._allowed(search)
        gated = self._union(search.gate.branches) & allowed
        if len(gated) <= search.gate.limit:
            return gated, 0
        branches = [branch & allowed for branch in self._evaluated(search.gate.branches)]
        refinements = [
            allowed & self._cache.holding(condition) for condition in search.gate.refinements
        ]
        return narrow(branches, refinements, limit=search.gate.limit)

    def passing(self, search: ListSearch) -> BitMap:
        """Return all personas that pass the gate, however many they are."""
        return self._union(search.gate.branches) & self._allowed(search)

    def _allowed(self, search: ListSearch) -> BitMap:
        holding = self._cache.holding
        allowed = holding(terms(COLLECTION, search.collections))
        if self._hidden:
            allowed = allowed - self._hidden
        for condition in search.gate.required:
            allowed = allowed & holding(condition)
        return allowed

    def _union(self, branches: tuple[Branch, ...]) -> BitMap:
        union = self._unions.get(id(branches))
        if union is None:
            union = self._unions[id(branches)] = BitMap.union(*self._evaluated(branches))
        return union

    def _evaluated(self, branches: tuple[Branch, ...]) -> list[BitMap]:
        """Return the personas of each branch; the rarest facts first, for they leave least."""
        evaluated = self._branches.get(id(branches))
        if evaluated is None:
            holding = self._cache.holding
            evaluated = [
                BitMap.intersection(*sorted(map(holding, branch.conditions), key=len))
                for branch in branches
            ]
            self._branches[id(branches)] = evaluated
        return evaluated


def _conditions(search: ListSearch) -> Iterator[Condition]:
    gate = search.gate
    yield terms(COLLECTION, search.collections)
    yield from gate.required
    yield from gate.refinements
    for branch in gate.branches:
        yield from branch.conditions


class ConditionCaches:
    """The cache of each of the archive's last changes."""

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._moments = PerChange(connection, lambda: ConditionCache(connection, postings))

    def current(self) -> "ConditionCache":
        """Return the cache of the moment that the current snapshot sees."""
        cache = self._moments.current()
        return self._moments.replace(cache, cache.trimmed()) if cache.is_full else cache


@dataclass(slots=True)
class ConditionCache:
    """What conditions come to at one moment, each computed once."""

    connection: Connection
    postings: Postings
    answers: Answers = field(default_factory=Answers)  # who is hidden, and the numbers of years
    by_condition: dict[Condition, Numbers] = field(default_factory=dict)
    by_holding: dict[Condition, BitMap] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)  # terms that the archive lacks
    by_number: dict[int, BitMap] = field(default_factory=dict)  # the personas that have a term
    size: int = 0  # bytes that these take
    lock: threading.Lock = field(default_factory=threading.Lock)  # of the size

    @property
    def is_full(self) -> bool:
        """Return whether some of the results take too much room."""
        return (
            len(self.by_condition) > MAX_NUMBERED
            or len(self.by_holding) > MAX_HELD
            or len(self.absent) > MAX_ABSENT
            or self.size > MAX_BYTES
        )

    def trimmed(self) -> "ConditionCache":
        """Return a cache without those results that take too much room."""
        cache = ConditionCache(self.connection, self.postings, self.answers)
        if len(self.by_condition) <= MAX_NUMBERED:
            cache.by_condition = self.by_condition
        if len(self.by_holding) <= MAX_HELD:
            cache.by_holding = self.by_holding
        if len(self.absent) <= MAX_ABSENT:
            cache.absent = self.absent
        if self.size <= MAX_BYTES:
            cache.by_number, cache.size = self.by_number, self.size
        return cache

    def prepare(self, conditions: Iterable[Condition]) -> None:
        """Get ready for a search with these conditions."""
        numbers = self.by_condition
        new = {condition for condition in conditions if condition not in numbers}
        if not new:
            return
        terms = set().union(*new) - self.absent
        ids = self.postings.ids(terms)
        self.absent.update(terms.difference(ids))
        for condition in new:
            numbers[condition] = array("i", [ids[term] for term in condition if term in ids])

    def numbers(self, condition: Condition) -> Numbers:
        """Return the numbers of the condition's terms that the archive has."""
        return self.by_condition[condition]

    def holding(self, condition: Condition) -> BitMap:
        """Return the personas that have any term of a condition; not to be changed."""
        personas = self.by_holding.get(condition)
        if personas is None:
            personas = self._union(self.by_condition[condition])
            self.by_holding[condition] = personas
        return personas

    def read(self, condition: Condition) -> BitMap:
        """Return the personas of any condition, of which there may be many; not to be changed."""
        self.prepare([condition])
        return self._union(self.by_condition[condition])

    def hidden(self, viewer: Viewer) -> BitMap:
        """Return the personas that a viewer may not see; not to be changed."""
        return self.answers.get(viewer, lambda: hidden_personas(self.postings, viewer))

    def event_years(self) -> tuple[Ints, Ints]:
        """Return the numbers of the terms that are years of events, in order, and the years."""

        def read() -> tuple[Ints, Ints]:
            terms = sorted(self.postings.terms_of(YEAR_FIELD))
            years = [int(value_of(term)) for _, term in terms]
            return np.array([number for number, _ in terms], np.int64), np.array(years, np.int64)

        return self.answers.get(YEAR_FIELD, read)

    def _union(self, numbers: Numbers) -> BitMap:
        """Return the personas that have any of these terms; a few terms are in most searches."""
        cached = self.by_number
        new = [number for number in numbers if number not in cached]
        if new:
            read = self.postings.each_of(new)
            cached.update(read)
            size = sum(map(getsizeof, read.values()))
            with self.lock:
                self.size += size
        having = [cached[number] for number in numbers if number in cached]
        return BitMap.union(*having) if having else BitMap()


def hidden_personas(postings: Postings, viewer: Viewer) -> BitMap:
    """Return the personas that a viewer may not see."""
    ended = [n for n, year in _years(postings, UNTIL) if viewer.may_see(year)]
    if viewer.is_owner:
        return postings.of_ids(ended)
    closed = [n for n, year in _years(postings, PUBLIC) if not viewer.may_see(year)]
    return postings.of_ids([*ended, *closed])


def _years(postings: Postings, marker: str) -> list[tuple[int, int]]:
    """Return the numbers of the terms with a marker, each with its year."""
    return [(number, int(value_of(term))) for number, term in postings.terms_of(marker)]


def terms_only_of(hidden: BitMap, connection: Connection, postings: Postings) -> frozenset[int]:
    """Return the numbers of the terms that only these personas have."""
    # Of each term, by its number.
    hidden_bearers = np.bincount(read_personas(connection, hidden).terms)
    bearers = np.zeros_like(hidden_bearers)
    counted = postings.each_of(np.flatnonzero(hidden_bearers).tolist())
    for term, personas in counted.items():
        bearers[term] += len(personas)
    return frozenset(np.flatnonzero((hidden_bearers > 0) & (hidden_bearers == bearers)).tolist())

"""Which terms and personas does a condition come to, and who is hidden?  Cached across searches.

The lists of one search have the same names, years and places, and searches that follow each
other the same collections.  A result holds until something is written, so results are
cached by the archive's last change.  Searches in several threads share them without waiting: what
one adds is what another would add, and a search ends with the cache with which it began.
"""

import threading
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from sys import getsizeof

import numpy as np
from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Condition
from forebear.search.record_search.ranked_list import YEAR_FIELD
from forebear.search.record_search.score import Ints
from forebear.search.terms.term import value_of
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.hidden import hidden_personas
from forebear.storage.sqlite.moments import Answers, PerChange
from forebear.storage.sqlite.postings import Postings

MAX_NUMBERED = 20_000  # conditions; some searches' worth
MAX_HELD = 400  # conditions; a bitmap of a large archive may take a megabyte
MAX_ABSENT = 200_000  # terms
MAX_BYTES = 64 << 20  # of the personas of single terms

Numbers = Sequence[int]


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

"""What may threads share that read an archive at different moments?

Whatever is counted or looked up in an archive is true until its next change.  So it is cached by
the number of the change that a snapshot sees: a thread that began before a change and one that
began after it use different caches.  The last two changes are cached; whoever reads an older
one, or writes, has a cache that no other thread sees.
"""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from forebear.storage.sqlite.connection import Connection

CACHED_CHANGES = 2

T = TypeVar("T")


class PerChange(Generic[T]):
    """A cache for each of the last changes of an archive, created when it is first used."""

    def __init__(self, connection: Connection, create: Callable[[], T]) -> None:
        self._connection = connection
        self._create = create
        self._caches: dict[int, T] = {}
        self._lock = threading.Lock()

    def current(self) -> T:
        """Return the cache of the moment that the current snapshot sees."""
        change = self._connection.change()
        if change is None:  # a transaction: what it reads may never be committed
            return self._create()
        cache = self._caches.get(change)
        return self._add(change) if cache is None else cache

    def replace(self, old: T, new: T) -> T:
        """Put a cache in the place of another, which threads may still use."""
        with self._lock:
            for change, cache in self._caches.items():
                if cache is old:
                    self._caches[change] = new
        return new

    def all(self) -> list[tuple[int, T]]:
        """Return the cached changes and their caches."""
        with self._lock:
            return sorted(self._caches.items(), key=lambda pair: pair[0])

    def _add(self, change: int) -> T:
        with self._lock:
            cache = self._caches.get(change)
            if cache is None:
                cache = self._create()
                newest = sorted([*self._caches, change])[-CACHED_CHANGES:]
                self._caches = {
                    number: cache if number == change else self._caches[number] for number in newest
                }
        return cache


class Answers:
    """Answers that are computed once, however many threads ask at the same time.

    With ``most`` all of them are computed again when there are more.
    """

    def __init__(self, *, most: int | None = None) -> None:
        self._most = most
        self._answers: dict[Any, Any] = {}
        self._locks: dict[Any, threading.RLock] = {}
        self._lock = threading.Lock()

    def get(self, question: Any, compute: Callable[[], T]) -> T:
        """Return the answer to a question; a thread that asks while it is computed waits."""
        answers = self._answers
        try:
            answer: T = answers[question]
        except KeyError:
            with self._lock:
                lock = self._locks.setdefault(question, threading.RLock())
            with lock:
                answers = self._answers
                if question not in answers:
                    answers[question] = compute()
                answer = answers[question]
            with self._lock:
                self._locks.pop(question, None)
                if self._most is not None and len(self._answers) > self._most:
                    self._answers = {}
        return answer

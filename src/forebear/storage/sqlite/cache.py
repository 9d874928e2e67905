"""What was counted of an archive already, in memory or in its file?

Whatever is counted or looked up in an archive is true until its next change.  So it is cached by
the number of the change that a snapshot sees: a thread that began before a change and one that
began after it use different caches.  The last two changes are cached; whoever reads an older
one, or writes, has a cache that no other thread sees.

Which names personas bear, and which parts of the archive normally have a fact, takes longer to
count than a search in a large archive.  So these statistics are saved in the file, for whoever
opens it next, with the number of the archive's last change.  They are those of one viewer: names
that only hidden people bear are not among the public's.  Their table is created when there is
something to save; a file without it, or one that may not be written, is slower to start.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from forebear.records.privacy import Viewer
from forebear.storage.sqlite.checksums import value_checksum
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


TABLE = "answers"


def read_statistics(
    connection: Connection, question: str, viewer: Viewer, *, change: int
) -> list[str] | None:
    """Return the words of an answer; None if it was not saved since the last change."""
    if not connection.rows("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)):
        return None
    rows = connection.rows(
        f"SELECT answer, checksum FROM {TABLE} WHERE question = ? AND viewer = ? AND change = ?",
        (question, _name_of(viewer), change),
    )
    if not rows or value_checksum(question, _name_of(viewer), change, rows[0][0]) != rows[0][1]:
        return None  # a damaged answer is counted again
    words: list[str] = json.loads(rows[0][0])
    return words


def save_statistics(
    connection: Connection, counted: Mapping[str, Sequence[str]], viewer: Viewer, *, change: int
) -> None:
    """Save the answers to some questions, if that can be done at once."""
    rows = [
        (*row, value_checksum(*row))
        for question, answer in counted.items()
        for row in [(question, _name_of(viewer), change, json.dumps(answer, ensure_ascii=False))]
    ]
    connection.write_if_free(
        [
            (
                f"CREATE TABLE IF NOT EXISTS {TABLE} (question TEXT NOT NULL, viewer TEXT NOT NULL,"
                " change INTEGER NOT NULL, answer TEXT NOT NULL, checksum INTEGER NOT NULL,"
                " PRIMARY KEY (question, viewer))",
                (),
            ),
            (f"DELETE FROM {TABLE} WHERE change < ?", (change,)),
            *((f"INSERT OR IGNORE INTO {TABLE} VALUES (?, ?, ?, ?, ?)", row) for row in rows),
        ]
    )


def _name_of(viewer: Viewer) -> str:
    return "owner" if viewer.is_owner else str(viewer.year)

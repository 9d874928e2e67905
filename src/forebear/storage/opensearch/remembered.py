"""Answers that stay right until the archive changes."""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from forebear.errors import StorageError
from forebear.storage.opensearch.indexes import Indexes

NOTICED_SECONDS = 60.0

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Remembered:
    """Keeps answers until the archive changes.

    A change made here is noticed at once, one made by another program within a minute:
    working out what an archive normally has takes long, and an import changes it all the time.
    While the cluster cannot tell, the last answer it gave is better than none.  So nothing is
    kept here that decides who may see what.
    """

    def __init__(self, indexes: Indexes) -> None:
        self._indexes = indexes
        self._answers: dict[Hashable, Any] = {}
        self._earlier: dict[Hashable, Any] = {}
        self._change = -1
        self._checked = float("-inf")
        self._lock = threading.RLock()  # lists are searched at once; one works an answer out

    def keep(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """Return the answer kept under a key, worked out if there is none that still holds."""
        with self._lock:
            try:
                if time.monotonic() - self._checked > NOTICED_SECONDS:
                    self._notice()
                if key not in self._answers:
                    self._answers[key] = self._earlier[key] = work_out()
            except StorageError:
                if key not in self._earlier:
                    raise
                self._make_do(key)
            answer: T = self._answers[key]
            return answer

    def forget(self) -> None:
        """Forget everything, because the archive was changed here."""
        with self._lock:
            self._answers, self._checked = {}, float("-inf")

    def _notice(self) -> None:
        change = self._indexes.change_number()
        if change != self._change:
            self._answers, self._change = {}, change
        self._checked = time.monotonic()

    def _make_do(self, key: Hashable) -> None:
        """Use the last answer for a while, instead of waiting for the cluster every time."""
        _log.warning("the cluster cannot tell %r; its last answer is used", key)
        self._answers.setdefault(key, self._earlier[key])
        self._change, self._checked = -1, time.monotonic()

"""How many searches run at once?

A search is mostly computation in one process, so that more at once are not done sooner: each
takes longer and holds its memory longer.  Others wait in turn.  Requests that do not search never
wait here.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from forebear.archive import Archive

SEARCHES_AT_ONCE = 3  # in one process


class Turns:
    """The searches of a server, a few at a time."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._free = threading.BoundedSemaphore(SEARCHES_AT_ONCE)

    @contextmanager
    def take(self) -> Iterator[None]:
        """Search and read what was found, at one moment of the archive."""
        with self._free, self._archive.storage.snapshot():
            yield

"""When is a search logged?  Once, after its result has been sent.

Until it is written a search waits here, so that whoever comes back with its id (for the next
page, to attach a record) finds it logged, however quick they are.  While another program writes to
the archive, searches wait longer; there is room for a limited number, and when it is full the
oldest search is dropped and counted.  Attachments never wait here: they are written at once, or
the request fails.
"""

import logging
import threading
import time

from forebear.archive import Archive
from forebear.archive.result import Result
from forebear.errors import ArchiveError, ForebearError, NotFoundError
from forebear.interactions.events import LoggedSearch
from forebear.search.query.person_query import PersonQuery

MAX_WAITING = 100  # searches; each may hold a thousand records
# Searches of this process wait while an attempt does, so attempts are short and pauses long.
ATTEMPT_SECONDS = 0.2
PAUSE_SECONDS = 1.0
ATTEMPTS = 60

logger = logging.getLogger(__name__)


class SearchLog:
    """The archive's log, for searches of the public."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._waiting: dict[str, tuple[Result, str]] = {}  # the oldest first
        self._lock = threading.Lock()  # of the searches that wait
        self._writing = threading.Lock()  # held by the one thread that writes them
        self.dropped = 0  # searches that were never logged because too many waited

    def add(self, result: Result, searcher: str = "") -> None:
        """Let a search wait until ``flush`` logs it; ``searcher`` is an address."""
        with self._lock:
            self._waiting[result.id] = result, searcher
            while len(self._waiting) > MAX_WAITING:
                oldest = next(iter(self._waiting))
                del self._waiting[oldest]
                self.dropped += 1
                logger.warning("search %s was not logged: too many searches wait", oldest)

    def flush(self) -> None:
        """Log all searches that wait; if another thread is doing so, it does ours too."""
        if not self._writing.acquire(blocking=False):
            return
        try:
            for _ in range(ATTEMPTS):
                while self._waiting:
                    if not self._write(next(iter(self._waiting)), ATTEMPT_SECONDS):
                        break
                if not self._waiting:
                    return
                time.sleep(PAUSE_SECONDS)
        finally:
            self._writing.release()

    def write_now(self, result: Result, searcher: str = "") -> None:
        """Log a search, or fail."""
        self._archive.log(result, searcher=searcher)

    def find(self, search_id: str, query: PersonQuery) -> LoggedSearch | None:
        """Return the search logged under an id, if the public made it with this query."""
        if not search_id:
            return None
        self._write(search_id, ATTEMPT_SECONDS)
        try:
            logged = self._archive.logged_search(search_id)
        except NotFoundError:
            return None
        is_same = logged.viewer == "public" and logged.query == query.source
        return logged if is_same else None

    def _write(self, search_id: str, seconds: float) -> bool:
        """Log a search if it waits; return False if it has to wait longer."""
        with self._lock:
            result, searcher = self._waiting.pop(search_id, (None, ""))
        if result is None:
            return True
        try:
            self._archive.log(result, searcher=searcher, wait=seconds)
        except ArchiveError:  # another program writes to the archive
            with self._lock:
                self._waiting = {search_id: (result, searcher), **self._waiting}
            return False
        except ForebearError as error:  # the result is out; only an operator can be told
            logger.warning("search %s was not logged: %s", search_id, error)
        return True

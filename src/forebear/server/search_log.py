"""When is a search logged?  Once, after its answer has gone out.

Until it is written a search waits here, so that whoever comes back with its id (the next
page, an attachment) finds it logged, however quick they are.
"""

import logging
import secrets
import threading

from forebear.archive import Archive
from forebear.errors import ForebearError, NotFoundError
from forebear.interactions.events import LoggedSearch
from forebear.search.query.person_query import PersonQuery
from forebear.search.searcher import SearchResult

logger = logging.getLogger(__name__)


class SearchLog:
    """The archive's log, for searches of the public."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._waiting: dict[str, tuple[SearchResult, str]] = {}
        self._lock = threading.Lock()

    def promise(self, search_id: str, result: SearchResult, searcher: str = "") -> None:
        """Hold a search until ``write`` logs it under its id; ``searcher`` is an address."""
        self._waiting[search_id] = result, searcher

    def write_now(self, result: SearchResult, searcher: str = "") -> str:
        """Log a search and return its id, or fail."""
        viewer = self._archive.viewer(is_owner=False)
        return self._archive.log_search(
            result, viewer=viewer, search_id=new_id(), searcher=searcher
        )

    def write(self, search_id: str) -> None:
        """Log a promised search, unless that has happened."""
        with self._lock:
            waiting = self._waiting.pop(search_id, None)
            if waiting is None:
                return
            result, searcher = waiting
            viewer = self._archive.viewer(is_owner=False)
            try:
                self._archive.log_search(
                    result, viewer=viewer, search_id=search_id, searcher=searcher
                )
            except ForebearError as error:  # the answer is out; only an operator can be told
                logger.warning("search %s was not logged: %s", search_id, error)

    def find(self, search_id: str, query: PersonQuery) -> LoggedSearch | None:
        """Return the search logged under an id, if the public made it with this query."""
        if not search_id:
            return None
        self.write(search_id)
        try:
            logged = self._archive.logged_search(search_id)
        except NotFoundError:
            return None
        is_same = logged.viewer == "public" and logged.query == query.source
        return logged if is_same else None


def new_id() -> str:
    """Return an id that nobody guesses and no other search has."""
    return f"s{secrets.token_hex(8)}"

"""What happens when a visitor searches, opens a page, attaches or rejects?

A search is logged once, after its page has been sent.  Until it is written it waits in memory, so
that a request with its id (for the next page, or to attach a record) finds it logged, however quick
it is.  While another program writes to the archive, searches wait longer; there is room for a
limited number, and when it is full the oldest search is dropped and counted.  Attachments never
wait: they are written at once, or the request fails.
"""

import logging
import threading
import time
from dataclasses import dataclass

from forebear.archive import Archive
from forebear.archive.result import Result
from forebear.errors import AccessError, ArchiveError, ForebearError, ModelError, NotFoundError
from forebear.interactions.events import Action, ActionKind, LoggedSearch, judge
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.absence import Absence
from forebear.search.searcher import SearchOptions
from forebear.server.form import SearchForm
from forebear.server.visitors import Visitor


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorSearch:
    """A result, and what has been done with it."""

    result: Result
    is_logged: bool
    attached: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()


class Searches:
    """The searches that the public makes in an archive."""

    def __init__(self, archive: Archive, *, allow_votes: bool = False) -> None:
        self.log = SearchLog(archive)
        self._archive = archive
        self._allow_votes = allow_votes

    def may_act(self, visitor: Visitor) -> bool:
        """Return whether a visitor may attach and reject records."""
        return visitor.is_signed_in or self._allow_votes

    def open(self, form: SearchForm) -> VisitorSearch:
        """Return the result of a form: that of the search it names, else a new one."""
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is None:
            return VisitorSearch(result=self._search(form, query), is_logged=False)
        try:
            result = self._search(form, query, model=logged.model, search_id=logged.id)
        except (ModelError, NotFoundError):  # the program has changed since, and the model with it
            return VisitorSearch(result=self._search(form, query), is_logged=False)
        judged = judge(logged, self._archive.actions(logged.id))
        return VisitorSearch(
            result=result, is_logged=True, attached=judged.attached, rejected=judged.rejected
        )

    def act(
        self, form: SearchForm, record_key: str, kind: ActionKind, *, visitor: Visitor
    ) -> Action:
        """Log that a record of a form's search was attached or rejected."""
        if not self.may_act(visitor):
            raise AccessError(
                "only who is signed in can attach or reject records",
                hint="open your sign-in link; whoever runs the archive can send you one",
            )
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is not None:
            return self._archive.record_actions([(logged.id, record_key, kind)])[0]
        self._archive.record(record_key, viewer="public")  # a search of no record is not logged
        result = self._search(form, query)
        self.log.write_now(result, visitor)
        return self._archive.record_actions([(result.id, record_key, kind)])[0]

    def missing(self, form: SearchForm, record_key: str) -> Absence | None:
        """Return why a record is not in the result of a form; None if it is."""
        self._archive.record(record_key, viewer="public")
        return self.open(form).result.missing(record_key)

    def _search(
        self,
        form: SearchForm,
        query: PersonQuery,
        *,
        model: str | None = None,
        search_id: str | None = None,
    ) -> Result:
        options = SearchOptions(show_impossible=form.show_impossible, order=form.order, model=model)
        return self._archive.search(
            query, options=options, viewer="public", log=False, search_id=search_id
        )


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
        self._waiting: dict[str, tuple[Result, Visitor]] = {}  # the oldest first
        self._lock = threading.Lock()  # of the searches that wait
        self._writing = threading.Lock()  # held by the one thread that writes them
        self.dropped = 0  # searches that were never logged because too many waited

    def add(self, result: Result, visitor: Visitor) -> None:
        """Let a search wait until ``flush`` logs it."""
        with self._lock:
            self._waiting[result.id] = result, visitor
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

    def write_now(self, result: Result, visitor: Visitor) -> None:
        """Log a search, or fail."""
        self._archive.log(result, searcher=visitor.identity)

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
            entry = self._waiting.pop(search_id, None)
        if entry is None:
            return True
        result, visitor = entry
        try:
            self._archive.log(result, searcher=visitor.identity, wait=seconds)
        except ArchiveError:  # another program writes to the archive
            with self._lock:
                self._waiting = {search_id: entry, **self._waiting}
            return False
        except ForebearError as error:  # the result has been sent; only an operator can act
            logger.warning("search %s was not logged: %s", search_id, error)
        return True

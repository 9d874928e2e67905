"""What happens when a visitor searches, opens a page, attaches or rejects?

A search is logged once, after its page has been sent.  Until it is written it waits in memory, so
that a request with its id (for the next page, or to attach a record) finds it logged, however quick
it is.  While another program writes to the archive, searches wait longer; there is room for a
limited number, and when it is full the oldest search is dropped and counted.  Attachments never
wait: they are written at once, or the request fails.

A visitor who is signed in attaches and rejects.  What others say is a vote, which the owner has to
release before anything is learned from it.  A search belongs to the visitor who made it: whoever
judges a record of another visitor's search gets a new search.

The log has a size and an age up to which the server leaves it; beyond, it removes the oldest
searches of which nothing was attached or rejected, in the background.
"""

import logging
import threading
import time
from dataclasses import dataclass

from forebear.archive import Archive, new_search_id
from forebear.archive.result import Result
from forebear.errors import AccessError, ArchiveError, ForebearError, ModelError, NotFoundError
from forebear.interactions.events import (
    WHOLE_SEARCH,
    Action,
    ActionKind,
    LoggedSearch,
    Vote,
    judge,
)
from forebear.interactions.trials import Trial
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.missing import MissingReason
from forebear.search.search_result import SearchOptions
from forebear.server.form import SearchForm
from forebear.server.options import DEFAULT_LOG_LIMITS, LogLimits
from forebear.server.visitors import ANONYMOUS, Visitor


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorSearch:
    """A result, and what has been done with it."""

    result: Result
    is_logged: bool
    attached: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()
    is_complete: bool = False  # whether the visitor looked at all records


class Searches:
    """The searches that the public makes in an archive."""

    def __init__(
        self,
        archive: Archive,
        *,
        allow_votes: bool = False,
        challenger: str = "",
        limits: LogLimits = DEFAULT_LOG_LIMITS,
    ) -> None:
        self.log = SearchLog(archive, limits=limits)
        self._archive = archive
        self._allow_votes = allow_votes
        self._challenger = challenger

    def may_act(self, visitor: Visitor) -> bool:
        """Return whether a visitor may attach and reject records."""
        return visitor.is_signed_in or self._allow_votes

    def open(self, form: SearchForm, visitor: Visitor = ANONYMOUS) -> VisitorSearch:
        """Return the result of a form: that of the search it names, else a new one."""
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is None:
            return VisitorSearch(result=self._new_search(form, query, visitor), is_logged=False)
        try:
            trial = self._archive.trial_of(logged) if form.order == "score" else None
            result = self._search(form, query, model=logged.model, search_id=logged.id, trial=trial)
        except (ModelError, NotFoundError):  # the program has changed since, and the model with it
            return VisitorSearch(result=self._new_search(form, query, visitor), is_logged=False)
        actions = self._archive.actions(logged.id)
        votes = [_as_action(vote) for vote in self._archive.votes_on(logged.id)]
        judged = judge(logged, [*votes, *actions])
        return VisitorSearch(
            result=result,
            is_logged=True,
            attached=judged.attached,
            rejected=judged.rejected,
            maybe=judged.maybe,
            is_complete=judged.is_complete,
        )

    def act(
        self, form: SearchForm, record_key: str, kind: ActionKind, *, visitor: Visitor
    ) -> Action | Vote:
        """Log what a visitor did with a record of a form's search, or how they voted on it."""
        if not self.may_act(visitor):
            raise AccessError(
                "only who is signed in can attach or reject records",
                hint="open your sign-in link; whoever runs the archive can send you one",
            )
        if not visitor.is_signed_in and kind not in ("attach", "reject"):
            raise AccessError(
                f"only who is signed in can do this: {kind}",
                hint="a later vote on the same record replaces the earlier one",
            )
        search_id = self._own_search(form, record_key, visitor)
        if visitor.is_signed_in:
            return self._archive.record_actions([(search_id, record_key, kind)])[0]
        return self._archive.vote(search_id, record_key, "attach" if kind == "attach" else "reject")

    def note_opened(self, form: SearchForm, record_key: str, visitor: Visitor) -> None:
        """Log that a signed-in visitor opened a record of a search of theirs; else nothing."""
        try:
            logged = self.log.find(form.search_id, form.query())
            if logged is None or logged.searcher != self._archive.pseudonym(visitor.identity):
                return
            self._archive.note_opened(logged.id, record_key, wait=ATTEMPT_SECONDS)
        except ForebearError as error:  # the record has been sent; it is not worth a retry
            logger.info("opening %s was not logged: %s", record_key, error)

    def review(self, form: SearchForm, *, is_complete: bool, visitor: Visitor) -> str:
        """Log whether a visitor has looked at all records of a search, and return its id."""
        if not visitor.is_signed_in:
            raise AccessError(
                "only who is signed in can mark a search as reviewed",
                hint="open your sign-in link; whoever runs the archive can send you one",
            )
        search_id = self._own_search(form, WHOLE_SEARCH, visitor)
        logged, actions = self._archive.logged_search(search_id), self._archive.actions(search_id)
        if judge(logged, actions).is_complete != is_complete:
            kind: ActionKind = "complete" if is_complete else "undo"
            self._archive.record_actions([(search_id, WHOLE_SEARCH, kind)])
        return search_id

    def _own_search(self, form: SearchForm, record_key: str, visitor: Visitor) -> str:
        """Return the id of the visitor's search of a form; if there is none, log one."""
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is not None and logged.searcher == self._archive.pseudonym(visitor.identity):
            return logged.id
        if record_key:  # a search of no record is not logged
            self._archive.record(record_key, viewer="public")
        result = self._search(form, query)  # of a list the visitor saw elsewhere: no trial
        self.log.write_now(result, visitor)
        return result.id

    def missing(self, form: SearchForm, record_key: str) -> MissingReason | None:
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
        trial: Trial | None = None,
    ) -> Result:
        options = SearchOptions(show_impossible=form.show_impossible, order=form.order, model=model)
        return self._archive.search(
            query,
            options=options,
            viewer="public",
            log=False,
            search_id=search_id,
            trial=trial,
        )

    def _new_search(self, form: SearchForm, query: PersonQuery, visitor: Visitor) -> Result:
        """Search for the first time; a share of the searches is of two models in a trial."""
        search_id = new_search_id()
        trial = self._trial_for(form, visitor)
        if trial is None or not trial.includes(search_id):
            return self._search(form, query, search_id=search_id)
        return self._search(form, query, search_id=search_id, trial=trial, model=trial.incumbent)

    def _trial_for(self, form: SearchForm, visitor: Visitor) -> Trial | None:
        """Return the trial that attachments of a new search may decide, if it runs."""
        if not self._challenger or not self.may_act(visitor) or form.order != "score":
            return None
        trial = self._archive.running_trial()
        return trial if trial is not None and trial.challenger == self._challenger else None


def _as_action(vote: Vote) -> Action:
    """Return what a vote says, for the page of the visitor's search."""
    return Action(
        search_id=vote.search_id,
        record_key=vote.record_key,
        kind=vote.kind,
        rank=vote.rank,
        at=vote.at,
        source="vote",
    )


MAX_WAITING = 100  # searches; each may hold a thousand records
# Searches of this process wait while an attempt does, so attempts are short and pauses long.
ATTEMPT_SECONDS = 0.2
PAUSE_SECONDS = 1.0
ATTEMPTS = 60
PRUNE_SECONDS = 600.0  # between two times that the log is pruned
SETTLE_SECONDS = 60.0  # between two times that the attachments of a trial are counted


logger = logging.getLogger(__name__)


class SearchLog:
    """The archive's log, for searches of the public."""

    def __init__(self, archive: Archive, *, limits: LogLimits = DEFAULT_LOG_LIMITS) -> None:
        self._archive = archive
        self._limits = limits
        self._next_pruning = 0.0
        self._next_settling = 0.0
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
                    self._prune()
                    self._settle_trial()
                    return
                time.sleep(PAUSE_SECONDS)
        finally:
            self._writing.release()

    def write_now(self, result: Result, visitor: Visitor) -> None:
        """Log a search of which a record is judged now, or fail."""
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

    def _prune(self) -> None:
        """Remove from the log what is too old or too much, if it is time to."""
        if time.monotonic() < self._next_pruning:
            return
        self._next_pruning = time.monotonic() + PRUNE_SECONDS
        days, megabytes = self._limits.days, self._limits.megabytes
        try:
            removed = self._archive.prune_log(
                older_than_days=days,
                max_bytes=None if megabytes is None else round(megabytes * 1e6),
                wait=ATTEMPT_SECONDS,
            )
        except ForebearError as error:  # another program writes; the next time will do
            logger.info("the log was not pruned: %s", error)
            return
        if removed.searches:
            logger.info("removed %s searches from the log", removed.searches)

    def _settle_trial(self) -> None:
        """Count what was attached from interleaved searches, if it is time to."""
        if time.monotonic() < self._next_settling:
            return
        self._next_settling = time.monotonic() + SETTLE_SECONDS
        try:
            trial = self._archive.settle_trial()
        except ForebearError as error:  # another program writes; the next time will do
            logger.info("attachments of the trial were not counted: %s", error)
            return
        if trial is not None and trial.state != "running":
            logger.warning("the trial of %s ended: %s", trial.challenger, trial.reason)

    def _write(self, search_id: str, seconds: float) -> bool:
        """Log a search if it waits; return False if it has to wait longer."""
        with self._lock:
            entry = self._waiting.pop(search_id, None)
        if entry is None:
            return True
        result, visitor = entry
        try:
            self._archive.log(result, searcher=visitor.identity, wait=seconds, compact=True)
        except ArchiveError:  # another program writes to the archive
            with self._lock:
                self._waiting = {search_id: entry, **self._waiting}
            return False
        except ForebearError as error:  # the result has been sent; only an operator can act
            logger.warning("search %s was not logged: %s", search_id, error)
        return True

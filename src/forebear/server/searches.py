"""What happens when somebody searches, turns a page, attaches or rejects."""

import threading
from dataclasses import dataclass

from forebear.archive import Archive
from forebear.errors import ModelError, NotFoundError
from forebear.interactions.events import Action, ActionKind, LoggedSearch, judge
from forebear.search.fusion.arrangement import Arrangement
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.absence import Absence
from forebear.search.results.facets import Facet
from forebear.search.searcher import SearchResult
from forebear.server.search_form import SearchForm
from forebear.server.search_log import SearchLog


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSearch:
    """An answer, and what has been done with it."""

    result: SearchResult
    logged_id: str  # "" if it is new and has still to be logged
    attached: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()


class Searches:
    """The searches that the public makes in an archive."""

    def __init__(self, archive: Archive) -> None:
        self.log = SearchLog(archive)
        self._archive = archive
        # What the archive remembers between searches is not made for two at a time.
        self._lock = threading.Lock()

    def open(self, form: SearchForm) -> FoundSearch:
        """Return the answer to a form: that of the search it names, else a new one."""
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is None:
            return FoundSearch(result=self._search(form, query), logged_id="")
        try:
            result = self._search(form, query, model=logged.model)
        except (ModelError, NotFoundError):  # the program has changed since, and the model with it
            return FoundSearch(result=self._search(form, query), logged_id="")
        return _found(result, logged, self._archive.actions_on(logged.id))

    def act(
        self, form: SearchForm, record_key: str, kind: ActionKind, *, searcher: str = ""
    ) -> Action:
        """Log that a record of a form's search was attached or rejected."""
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is not None:
            return self._archive.act(logged.id, record_key, kind)
        viewer = self._archive.viewer(is_owner=False)
        self._archive.record(record_key, viewer=viewer)  # nothing is logged for what is not there
        search_id = self.log.write_now(self._search(form, query), searcher)
        return self._archive.act(search_id, record_key, kind)

    def _search(
        self, form: SearchForm, query: PersonQuery, *, model: str | None = None
    ) -> SearchResult:
        with self._lock:
            return self._archive.search(
                query,
                viewer=self._archive.viewer(is_owner=False),
                model=model,
                show_impossible=form.show_impossible,
                arrangement=Arrangement(order=form.order),
            )

    def facets(self, result: SearchResult) -> tuple[Facet, ...]:
        """Return how everything that was found spreads."""
        with self._lock:
            return self._archive.facets(result, viewer=self._archive.viewer(is_owner=False))

    def missing(self, form: SearchForm, record_key: str) -> Absence | None:
        """Return why a record is not in the answer to a form; None if it is."""
        viewer = self._archive.viewer(is_owner=False)
        self._archive.record(record_key, viewer=viewer)
        result = self.open(form).result
        with self._lock:
            return self._archive.absence(result, record_key, viewer=viewer)


def _found(result: SearchResult, logged: LoggedSearch, actions: tuple[Action, ...]) -> FoundSearch:
    judged = judge(logged, actions)
    return FoundSearch(
        result=result,
        logged_id=logged.id,
        attached=judged.attached,
        rejected=judged.rejected,
    )

"""What happens when somebody searches, turns a page, attaches or rejects."""

from dataclasses import dataclass

from forebear.archive import Archive
from forebear.archive.result import Result
from forebear.errors import ModelError, NotFoundError
from forebear.interactions.events import Action, ActionKind, judge
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.absence import Absence
from forebear.search.searcher import SearchOptions
from forebear.server.search_form import SearchForm
from forebear.server.search_log import SearchLog


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSearch:
    """An answer, and what has been done with it."""

    result: Result
    is_logged: bool
    attached: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()


class Searches:
    """The searches that the public makes in an archive."""

    def __init__(self, archive: Archive) -> None:
        self.log = SearchLog(archive)
        self._archive = archive

    def open(self, form: SearchForm) -> FoundSearch:
        """Return the answer to a form: that of the search it names, else a new one."""
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is None:
            return FoundSearch(result=self._search(form, query), is_logged=False)
        try:
            result = self._search(form, query, model=logged.model, search_id=logged.id)
        except (ModelError, NotFoundError):  # the program has changed since, and the model with it
            return FoundSearch(result=self._search(form, query), is_logged=False)
        judged = judge(logged, self._archive.actions(logged.id))
        return FoundSearch(
            result=result, is_logged=True, attached=judged.attached, rejected=judged.rejected
        )

    def act(
        self, form: SearchForm, record_key: str, kind: ActionKind, *, searcher: str = ""
    ) -> Action:
        """Log that a record of a form's search was attached or rejected."""
        query = form.query()
        logged = self.log.find(form.search_id, query)
        if logged is not None:
            return self._archive.record_actions([(logged.id, record_key, kind)])[0]
        self._archive.record(record_key, viewer="public")  # a search of no record is not logged
        result = self._search(form, query)
        self.log.write_now(result, searcher)
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

"""How is an archive searched, and with which model?

A search uses the model that was promoted, as far as its clauses are those of this version.  It can
be logged, so that records can be attached, and a logged search can be repeated.
"""

import json
import secrets
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from forebear.archive.records import ReadableArchive, ViewerChoice, ViewerName, now
from forebear.archive.result import Result
from forebear.errors import ForebearError, NotFoundError
from forebear.records.collections import RecordList
from forebear.records.privacy import PRIVACY_RULES_VERSION, Viewer
from forebear.search.expansion.clause_hashes import ModelFit, clause_hashes, fit_model
from forebear.search.interleaved import interleave
from forebear.search.model import DEFAULT, SHIPPED, Model, model_from_json, shipped_model
from forebear.search.query.person_query import PersonQuery
from forebear.search.query.read import Fact, read_query
from forebear.search.search_result import SearchOptions, options_from_json
from forebear.search.searcher import Searcher
from forebear.search.terms.term import TERM_RULES_VERSION

# A search must be quick to start: everything else is loaded by the method that needs it.
if TYPE_CHECKING:
    from forebear.interactions.events import LoggedSearch
    from forebear.interactions.trials import Trial
    from forebear.search.facets import Facet
    from forebear.search.results.missing import MissingReason
    from forebear.search.results.query_info import TypeInfo

LOG_SECONDS = 2.0  # that logging a search waits for others who write
DEFAULT_OPTIONS = SearchOptions()


class SearchableArchive(ReadableArchive):
    """An open archive that can be searched."""

    def compile_searches(self) -> None:
        """Search with compiled loops from now on: worth their start for a thousand searches."""
        self._storage.compile_loops()

    def search(
        self,
        query: str | Mapping[str, Any] | PersonQuery = "",
        *,
        options: SearchOptions = DEFAULT_OPTIONS,
        viewer: ViewerChoice = None,
        log: bool = True,
        search_id: str | None = None,
        lists: Sequence[RecordList] | None = None,
        trial: "Trial | None" = None,
        **facts: Fact,
    ) -> Result:
        """Return the records in which a person may appear, the best first.

        The query is a line of text, the JSON form of a query, or single facts:
        ``search(given="Mary", surname="Brown", birth="1851", spouse="Thomas Green")``.
        With ``log`` the search is logged, so that records can be attached to it; if another
        program writes to the archive for longer than two seconds, it is not, with a warning.
        ``search_id`` replaces the random id of the search, ``lists`` those of the archive: which
        collections are ranked together.  With a ``trial`` the records of its two models are
        interleaved.
        """
        person, viewer = read_query(query, facts), self.viewer(viewer)
        name = new_search_id() if search_id is None else search_id
        with self._storage.snapshot():
            change = self._storage.change_counter()
            searcher = self._searcher(self.model(options.model), viewer, lists)
            if trial is None:
                search_result = searcher.search(person, options, viewer=viewer)
            else:
                other = self._searcher(self.model(trial.challenger), viewer, lists)
                pair = searcher.search_twice(person, other, options, viewer=viewer)
                search_result = interleave(*pair, seed=f"{trial.id} {name}")
        result = Result(
            self,
            search_result,
            viewer=viewer,
            search_id=name,
            change=change,
            trial=trial.id if trial else None,
        )
        if log:
            try:
                self.log(result, wait=LOG_SECONDS)
            except ForebearError as error:
                warnings.warn(f"search {result.id} was not logged: {error}", stacklevel=2)
        return result

    def log(
        self,
        result: Result,
        *,
        searcher: str = "",
        wait: float = LOG_SECONDS,
        compact: bool = False,
    ) -> None:
        """Log a search and what it found, waiting this many seconds for others who write.

        ``searcher`` is what is known of who searched; only a pseudonym of it is stored.  A
        ``compact`` entry has no lists; they are logged when a record of it is judged.
        """
        from forebear.interactions.current import compact_entry

        with self._log.patience(wait):
            entry = self._entry(result, searcher=self.pseudonym(searcher))
            self._log.add_search(compact_entry(entry) if compact else entry)

    def pseudonym(self, searcher: str) -> str:
        """Return the name of a searcher in the log, computed from what is known of them."""
        from forebear.interactions.log import pseudonym

        return pseudonym(searcher, self._log.key()) if searcher else ""

    def repeat_search(
        self,
        search: "str | LoggedSearch",
        *,
        viewer: ViewerChoice = None,
        lists: Sequence[RecordList] | None = None,
    ) -> Result:
        """Return what a logged search would find now, with its model and its options."""
        logged = self.logged_search(search) if isinstance(search, str) else search
        return self.search(
            json.loads(logged.query),
            options=options_from_json(logged.options, model=logged.model),
            viewer=viewer,
            log=False,
            search_id=logged.id,
            lists=lists,
            trial=self.trial_of(logged),
        )

    def explain_query(
        self,
        query: str | Mapping[str, Any] | PersonQuery = "",
        *,
        viewer: ViewerChoice = None,
        model: str | None = None,
        **facts: Fact,
    ) -> "tuple[TypeInfo, ...]":
        """Return what a query looks for in each record type, and which rule says so."""
        from forebear.search.results.query_info import explain_query

        person = read_query(query, facts)
        with self._storage.snapshot():
            knowledge = self._storage.knowledge(self.viewer(viewer))
            return explain_query(person, knowledge, self.model(model), person.record_types)

    def facets(self, result: Result) -> "tuple[Facet, ...]":
        """Count everything that a search found, shown or not; see `Result.facets`."""
        from forebear.search.facets import merge_facets

        with self._storage.snapshot():
            searcher = self._searcher(result.search_result.model, result.viewer)
            return merge_facets(searcher.facets(result.search_result, viewer=result.viewer))

    def missing(self, result: Result, record_key: str) -> "MissingReason | None":
        """Return why a record is not in a result; None if it is."""
        with self._storage.snapshot():
            record = self.record(record_key, viewer=result.viewer)
            if result.search_result.find(record_key) is not None:
                return None
            group = self.household(record_key, viewer=result.viewer)
            collection = self.collection(record.collection, viewer=result.viewer)
            return self._searcher(result.search_result.model, result.viewer).absence(
                result.search_result, group, record, collection, viewer=result.viewer
            )

    def logged_search(self, search: str) -> "LoggedSearch":
        """Return a logged search by its id."""
        logged = self._log.search(search)
        if logged is None:
            raise NotFoundError(
                f"there is no search {search!r} in the log",
                hint="`forebear search` prints the id of each search",
            )
        return logged

    def model(self, version: str | None = None) -> Model:
        """Return a model by its version, or the one that searches use.

        Weights that it learned for other clauses are replaced by those of the shipped model.
        """
        return self._fit(version).model

    def notices(self, model: str | None = None) -> tuple[str, ...]:
        """Return what to do about older rules, or a model that fits this version only in part."""
        notices = [self._fit(model).notice]
        if self._storage.privacy_version() < PRIVACY_RULES_VERSION:
            notices.append(
                "the archive was written by older rules of privacy, so the public sees nothing "
                "of it; run `forebear reindex` to apply the rules of this version"
            )
        if self._storage.terms_version() < TERM_RULES_VERSION:
            notices.append(
                "the records were indexed by an older version of forebear; "
                "run `forebear reindex` to use the rules of this one"
            )
        return tuple(notice for notice in notices if notice)

    def trial_of(self, search: "LoggedSearch") -> "Trial | None":
        """Return the trial that a logged search is of, also if it has ended."""
        return None if search.trial is None else self._trials.get(search.trial)

    def current_model(self) -> str:
        """Return the version of the model that searches use."""
        return self._models.current() or DEFAULT

    def _searcher(
        self, model: Model, viewer: Viewer, lists: Sequence[RecordList] | None = None
    ) -> Searcher:
        return Searcher(
            storage=self._storage,
            lists=self.lists(viewer=viewer) if lists is None else lists,
            model=model,
            offset=self._offsets.bits(viewer=class_of(viewer), model=model.name),
        )

    def _fit(self, version: str | None) -> ModelFit:
        """Return a model as it can be used with the clauses and lists of the archive."""
        name = version or self.current_model()
        if name in SHIPPED:
            return ModelFit(model=shipped_model(name))
        terms_version, lists = self._storage.terms_version(), self._all_lists()
        # A backup that is restored may have another model of this name; it is a change.
        key = (name, terms_version, lists, self._file.change())
        fit = self._fits.get(key)
        if fit is None:
            fit = fit_model(self._stored_model(name), clause_hashes(terms_version), lists)
            self._fits = {key: fit}
        return fit

    def _stored_model(self, name: str) -> Model:
        if name in SHIPPED:
            return shipped_model(name)
        return model_from_json(json.dumps(self._models.load(name)))

    def _entry(self, result: Result, *, searcher: str) -> "LoggedSearch":
        """Return what is logged of a result; ``searcher`` is a pseudonym."""
        from forebear.interactions.events import logged_search

        return logged_search(
            result.search_result,
            search_id=result.id,
            at=now(),
            query=result.query.source,
            viewer=class_of(result.viewer),
            searcher=searcher,
            hashes=clause_hashes(self._storage.terms_version()),
            change=result.change,
            trial=result.trial,
        )

    def _repeated_entry(
        self, search: "LoggedSearch", lists: Sequence[RecordList] | None = None
    ) -> "LoggedSearch":
        """Return what would be logged of a search if it were made now."""
        result = self.repeat_search(search, viewer=viewer_of(search), lists=lists)
        return replace(self._entry(result, searcher=search.searcher), at=search.at)


def new_search_id() -> str:
    """Return a random id for a search."""
    return f"s{secrets.token_hex(8)}"


def class_of(viewer: Viewer) -> ViewerName:
    """Return which of the two kinds of viewers this one is of."""
    return "owner" if viewer.is_owner else "public"


def viewer_of(search: "LoggedSearch") -> ViewerName:
    """Return which viewer made a logged search."""
    return "owner" if search.viewer == "owner" else "public"

"""Who is on which record: the search, its pages and facets, and why a record is or is not there."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from forebear.archive.holdings import Holdings
from forebear.archive.models import Models
from forebear.interactions.events import LoggedSearch
from forebear.records.collections import RecordList, form_lists, with_list
from forebear.records.privacy import Viewer, public_year
from forebear.search.fusion.arrangement import BY_SCORE, Arrangement
from forebear.search.model import Model
from forebear.search.query.from_json import parse_query
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.cursor import Cursor, query_digest
from forebear.search.results.duplicates import Duplicates
from forebear.search.results.page import DEFAULT_PAGE_SIZE, ResultPage, make_page
from forebear.search.searcher import TOP, Searcher, SearchResult, options_from_json
from forebear.storage.sqlite.storage import SqliteStorage

# A search must be quick to start: what is asked after it is loaded when it is asked.
if TYPE_CHECKING:
    from forebear.search.results.absence import Absence
    from forebear.search.results.asked import AskedType
    from forebear.search.results.facets import Facet


class Searching(Holdings, Models):
    """An archive that can be searched."""

    def lists(self) -> tuple[RecordList, ...]:
        """Return the lists that are ranked by themselves: one a record type, unless changed."""
        return form_lists(self._storage.collections(), self._lists.load())

    def set_list(self, name: str, collections: Sequence[str]) -> None:
        """Rank these collections, all of one record type, in a list of their own."""
        made = with_list(self._lists.load(), name, tuple(collections), self.collections())
        self._lists.save(made)

    def reset_lists(self) -> None:
        """Rank one list for each record type again."""
        self._lists.save({})

    def search(
        self,
        query: PersonQuery,
        *,
        viewer: Viewer,
        model: str | None = None,
        top: int = TOP,
        show_impossible: bool = False,
        relax: bool = True,
        arrangement: Arrangement = BY_SCORE,
    ) -> SearchResult:
        """Return the records in which the person appears, the best first."""
        with self._one_moment():
            return self._searcher(self.model(model)).search(
                query,
                viewer=viewer,
                top=top,
                show_impossible=show_impossible,
                relax=relax,
                arrangement=arrangement,
            )

    def _one_moment(self) -> AbstractContextManager[None]:
        """Make names, gates and records be of one moment, where the file has them all."""
        if isinstance(self._storage, SqliteStorage):
            return self._connection.snapshot()
        return nullcontext()

    def search_again(self, logged: LoggedSearch, *, viewer: Viewer) -> SearchResult:
        """Return the answer to a logged search as it would be now, made with its model."""
        options = options_from_json(logged.options)
        return self.search(
            parse_query(logged.query, where=f"search {logged.id}"),
            viewer=viewer,
            model=logged.model,
            top=options.top,
            show_impossible=options.show_impossible,
            relax=options.relax,
            arrangement=options.arrangement,
        )

    def explain_query(
        self,
        query: PersonQuery,
        *,
        viewer: Viewer,
        record_types: Sequence[str] = (),
        model: str | None = None,
    ) -> "tuple[AskedType, ...]":
        """Return what a query asks of each record type, and which rule made it so."""
        from forebear.search.results.asked import explain_query

        known = self._storage.known_to(viewer)
        return explain_query(query, known, self.model(model), record_types)

    def page(
        self,
        result: SearchResult,
        *,
        viewer: Viewer,
        number: int = 1,
        size: int = DEFAULT_PAGE_SIZE,
        cursor: Cursor | None = None,
        search_id: str = "",
    ) -> ResultPage:
        """Return a page of a result, each event once: behind a cursor, else by number."""
        options = result.options
        digest = query_digest(
            result.query.source, options.top, options.show_impossible, options.relax
        )
        if cursor is not None:
            cursor.check(query=digest)
        start = Cursor(
            query=digest,
            model=result.model.name,
            arrangement=options.arrangement,
            search_id=search_id,
        )
        return make_page(
            result.fused,
            result.lists,
            number=number,
            size=size,
            cursor=cursor or start,
            duplicates=Duplicates(result.fused, lambda key: self._storage.get(key, viewer=viewer)),
        )

    def facets(self, result: SearchResult, *, viewer: Viewer) -> "tuple[Facet, ...]":
        """Return how everything that passes the gates of a result spreads."""
        from forebear.search.results.facets import merge_facets

        return merge_facets(self._searcher(result.model).facets(result, viewer=viewer))

    def absence(self, result: SearchResult, record_key: str, *, viewer: Viewer) -> "Absence | None":
        """Return why a record that the viewer may see is not in a result; None if it is."""
        record = self.record(record_key, viewer=viewer)
        group = self.household(record_key, viewer=viewer)
        collection = self.collection(record.collection)
        return self._searcher(result.model).absence(
            result, group, record, collection, viewer=viewer
        )

    def hidden_from_public(self, record_key: str) -> "Absence | None":
        """Return why the public may not see a record, for the owner; None if it may."""
        from forebear.search.results.absence import hidden

        owner, public = self.viewer(is_owner=True), self.viewer(is_owner=False)
        record = self.record(record_key, viewer=owner)
        if self._storage.get(record_key, viewer=public) is not None:
            return None
        group = self.household(record_key, viewer=owner)
        reasons = [self.takedowns()[each.key] for each in group if each.key in self.takedowns()]
        year = public_year(group, self.collection(record.collection))
        return hidden(record_key, year, reasons)

    def _searcher(self, model: Model) -> Searcher:
        return Searcher(
            storage=self._storage, knowledge=self._storage, lists=self.lists(), model=model
        )

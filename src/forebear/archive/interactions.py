"""What was shown, and what did people do with it?"""

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from forebear.archive.holdings import Holdings
from forebear.archive.opened import now
from forebear.errors import NotFoundError
from forebear.interactions.events import Action, ActionKind, LoggedSearch, logged_search
from forebear.interactions.log import pseudonym
from forebear.records.privacy import Viewer
from forebear.search.searcher import SearchResult

# A search is logged without what is later made of the log.
if TYPE_CHECKING:
    from forebear.interactions.events import JudgedSearch
    from forebear.interactions.unmet import SearchesReport


class Interactions(Holdings):
    """An archive that logs its searches and what was attached or rejected."""

    def log_search(
        self,
        result: SearchResult,
        *,
        viewer: Viewer,
        search_id: str | None = None,
        searcher: str = "",
    ) -> str:
        """Log what was shown and return the id under which actions refer to it.

        ``searcher`` is what is known of who searched; only a pseudonym of it is kept.
        """
        name = search_id or f"s{secrets.token_hex(8)}"
        self._log.add_search(
            logged_search(
                result,
                search_id=name,
                at=now(),
                query=result.query.source,
                viewer="owner" if viewer.is_owner else "public",
                searcher=pseudonym(searcher, self._log.key()) if searcher else "",
            )
        )
        return name

    def logged_search(self, search_id: str) -> LoggedSearch:
        """Return a logged search."""
        found = self._log.search(search_id)
        if found is None:
            raise NotFoundError(
                f"there is no search {search_id!r} in the log",
                hint="`forebear search` prints the id of each search",
            )
        return found

    def act(self, search_id: str, record_key: str, kind: ActionKind, *, reason: str = "") -> Action:
        """Log that a record of a search was attached or rejected."""
        return self.act_on_many([(search_id, record_key, kind)], reason=reason)[0]

    def act_on_many(
        self, wanted: Sequence[tuple[str, str, ActionKind]], *, reason: str = ""
    ) -> list[Action]:
        """Log many actions together, or none if one of them cannot be."""
        searches = {search_id: self.logged_search(search_id) for search_id, _, _ in wanted}
        actions = []
        for search_id, record_key, kind in wanted:
            search = searches[search_id]
            viewer = self.viewer(is_owner=search.viewer == "owner")
            self.record(record_key, viewer=viewer)
            rank = search.shown.index(record_key) + 1 if record_key in search.shown else None
            actions.append(
                Action(
                    search_id=search_id,
                    record_key=record_key,
                    kind=kind,
                    rank=rank,
                    at=now(),
                    reason=reason,
                )
            )
        self._log.add_actions(actions)
        return actions

    def actions_on(self, search_id: str) -> tuple[Action, ...]:
        """Return what was done with the results of a search."""
        return self._log.actions_on(search_id)

    def judged_searches(self) -> "list[JudgedSearch]":
        """Return every logged search of which something was attached or rejected."""
        from forebear.interactions.events import judge

        return [judge(search, actions) for search, actions in self._log.searches_with_actions()]

    def report_searches(self) -> "SearchesReport":
        """Return which searches found nothing or were relaxed."""
        from forebear.interactions.unmet import report_searches

        year = self.viewer(is_owner=True).year
        return report_searches(
            self._log.unmet_searches(), searches=self._log.count_searches(), year=year
        )

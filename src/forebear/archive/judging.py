"""What did people do with the results of an archive, and who may sign in to do it?

Everything goes to the log: attachments and rejections, votes that are held back, opened records.
The log can be pruned, exported and imported, and brought up to date for learning.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from forebear.archive.records import moment, now
from forebear.archive.searching import LOG_SECONDS, SearchableArchive, viewer_of
from forebear.errors import InputError, ModelError, NotFoundError, QueryError
from forebear.records.collections import RecordList
from forebear.search.expansion.clause_hashes import clause_hashes

# A search must be quick to start: everything else is loaded by the method that needs it.
if TYPE_CHECKING:
    from forebear.interactions.current import CurrentLog
    from forebear.interactions.events import (
        Action,
        ActionKind,
        JudgedSearch,
        LoggedSearch,
        Source,
        Vote,
        VoteKind,
    )
    from forebear.interactions.links import SignInLink
    from forebear.interactions.log import FirstPage, Pruned
    from forebear.interactions.trials import Trial
    from forebear.interactions.ubi import UbiImport, UbiQuery

PRUNE_SECONDS = 30.0  # that pruning the log does


class JudgedArchive(SearchableArchive):
    """An open archive whose results can be judged."""

    def attach(self, search: str, record: str, *, reason: str = "") -> None:
        """Say that a record of a logged search is about the person."""
        self.record_actions([(search, record, "attach")], reason=reason)

    def reject(self, search: str, record: str, *, reason: str = "") -> None:
        """Say that a record of a logged search is not about the person."""
        self.record_actions([(search, record, "reject")], reason=reason)

    def keep_in_view(self, search: str, record: str, *, reason: str = "") -> None:
        """Say that a record of a logged search may be about the person, without a judgment."""
        self.record_actions([(search, record, "maybe")], reason=reason)

    def detach(self, search: str, record: str, *, reason: str = "") -> None:
        """Take back that a record was attached, rejected or kept in view."""
        self.record_actions([(search, record, "detach")], reason=reason)

    def undo(self, search: str, record: str = "") -> None:
        """Remove the last action on a record of a logged search, or its mark as complete."""
        self.record_actions([(search, record, "undo")])

    def complete(self, search: str) -> None:
        """Say that all records of a logged search were looked at.

        What was attached or rejected there then has the source "complete" instead of "use".  To say
        it again changes nothing, so that `undo` always takes it back.
        """
        from forebear.interactions.events import judge

        if not judge(self.logged_search(search), self.actions(search)).is_complete:
            self.record_actions([(search, "", "complete")])

    def record_actions(
        self,
        actions: "Sequence[tuple[str, str, ActionKind]]",
        *,
        reason: str = "",
        source: "Source" = "use",
    ) -> "list[Action]":
        """Log many actions (search, record, kind), or none if one is wrong.

        A kind is "attach", "reject", "maybe", "detach", "undo", or "complete" without a record.
        """
        from forebear.interactions.events import Action, check_action

        searches = {search: self.logged_search(search) for search, _, _ in actions}
        before = {search: self.actions(search) for search in searches}
        for search, record, kind in actions:
            check_action(record, kind, before[search])
            if record:
                self.record(record, viewer=viewer_of(searches[search]))
        whole = {search: self._complete(entry) for search, entry in searches.items()}
        logged = [
            Action(
                search_id=search,
                record_key=record,
                kind=kind,
                rank=_rank(whole[search], record),
                at=now(),
                reason=reason,
                source=source,
            )
            for search, record, kind in actions
        ]
        self._log.add_actions(logged)
        return logged

    def note_opened(self, search: str, record: str, *, wait: float = LOG_SECONDS) -> None:
        """Log that the searcher of a logged search opened a record, the first time.

        It judges nothing.  ``wait`` is how many seconds to wait for others who write.
        """
        from forebear.interactions.events import Action

        logged = self.logged_search(search)
        if any((done.kind, done.record_key) == ("open", record) for done in self.actions(search)):
            return
        action = Action(
            search_id=search, record_key=record, kind="open", rank=_rank(logged, record), at=now()
        )
        with self._log.patience(wait):
            self._log.add_actions([action])

    def vote(self, search: str, record: str, kind: "VoteKind") -> "Vote":
        """Hold back what the searcher of a logged search says of a record.

        Nothing is learned from a vote until `release_votes`.  A searcher has one vote on each
        record; a later one replaces it.
        """
        from forebear.interactions.events import ANONYMOUS, Vote

        logged = self.logged_search(search)
        self.record(record, viewer="public")
        vote = Vote(
            searcher=logged.searcher or ANONYMOUS,
            search_id=search,
            record_key=record,
            kind=kind,
            rank=_rank(self._complete(logged), record),
            at=now(),
        )
        self._log.add_vote(vote)
        return vote

    def votes(
        self,
        *,
        searcher: str | None = None,
        record: str | None = None,
        date: str | None = None,
    ) -> "list[Vote]":
        """Return the votes that are held back, the oldest first: all, or only some.

        They are chosen by the pseudonym of the searcher, the record, and how their time in UTC
        begins, such as "2026-11-18" or "2026-11-18T08:05".
        """
        from forebear.interactions.log import VoteFilter

        return self._log.votes(VoteFilter(searcher=searcher, record=record, date=date))

    def release_votes(
        self,
        *,
        searcher: str | None = None,
        record: str | None = None,
        date: str | None = None,
    ) -> int:
        """Let votes count as judgments, chosen as in `votes`; return how many there were."""
        from forebear.interactions.log import VoteFilter

        return self._log.release_votes(VoteFilter(searcher=searcher, record=record, date=date))

    def discard_votes(
        self,
        *,
        searcher: str | None = None,
        record: str | None = None,
        date: str | None = None,
    ) -> int:
        """Delete votes, chosen as in `votes`; return how many there were."""
        from forebear.interactions.log import VoteFilter

        return self._log.discard_votes(VoteFilter(searcher=searcher, record=record, date=date))

    def votes_on(self, search: str) -> "tuple[Vote, ...]":
        """Return the votes on records of a logged search that are held back."""
        return self._log.votes_on(search)

    def prune_log(
        self,
        *,
        older_than_days: float | None = None,
        max_bytes: int | None = None,
        judged: bool = False,
        wait: float = PRUNE_SECONDS,
    ) -> "Pruned":
        """Remove old searches from the log: by age, and until it has at most this many bytes.

        Searches without judgments are removed, the oldest first, those with votes last; judged
        ones only with ``judged``, and their attachments with them.  ``wait`` is how many seconds
        to wait for others who write.
        """
        from forebear.interactions.log import Pruned

        before = None
        if older_than_days is not None:
            time = datetime.now(UTC)
            oldest = (time - datetime.min.replace(tzinfo=UTC)).days  # that a time can be
            before = moment(time - timedelta(days=min(older_than_days, oldest)))
        steps = self._log.prune(before=before, max_bytes=max_bytes, judged=judged)
        removed: Pruned | None = None
        while True:  # others may use the archive between two steps
            with self._log.patience(wait):
                step = next(steps, removed)
            if step is removed or step is None:
                return step or Pruned()
            removed = step

    def log_size(self) -> int:
        """Return how many bytes the logged searches have."""
        return self._log.size()

    def actions(self, search: str) -> "tuple[Action, ...]":
        """Return what was done with the records of a logged search, oldest first."""
        return self._log.actions_on(search)

    def judged_searches(self) -> "list[JudgedSearch]":
        """Return every logged search of which something was attached or rejected.

        Searches that were marked as complete are among them, also without an attached record.
        """
        from forebear.interactions.events import judge

        judged = (judge(search, actions) for search, actions in self._log.searches_with_actions())
        return [search for search in judged if search.is_judged]

    def first_pages(self) -> "tuple[FirstPage, ...]":
        """Return the first page of every logged search, the oldest first."""
        return tuple(self._log.first_pages())

    def current_log(
        self,
        *,
        lists: Sequence[RecordList] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> "CurrentLog":
        """Return the judged searches with clause bits that count in this version.

        Searches logged with other clauses or lists are repeated.  ``lists`` replaces those of
        the archive.
        """
        from forebear.interactions.current import bring_up_to_date

        return bring_up_to_date(
            self.judged_searches(),
            clause_hashes(self._storage.terms_version()),
            self._all_lists() if lists is None else lists,
            repeat=lambda search: self._repeated_entry(search, lists),
            progress=progress,
        )

    def export_log(self, folder: str | Path) -> tuple[int, int]:
        """Write the log as UBI 1.3.0; return how many searches and actions it has."""
        from forebear.interactions.ubi import EVENTS, QUERIES, event_line, query_line, write_ndjson

        files = Path(folder)
        files.mkdir(parents=True, exist_ok=True)
        with self._storage.snapshot():
            searches = write_ndjson(files / QUERIES, map(query_line, self._log.searches()))
            challengers = {trial.id: trial.challenger for trial in self.trials()}
            events = (
                event_line(action, search, challenger=challengers.get(search.trial or 0, ""))
                for search in self._log.searches()
                for action in self.actions(search.id)
            )
            return searches, write_ndjson(files / EVENTS, events)

    def import_log(self, folder: str | Path) -> "UbiImport":
        """Read a log that `export_log` or another program wrote as UBI 1.3.0.

        Searches that the log has already are left as they are.  A query of another program is
        searched here, and its searcher becomes a pseudonym.
        """
        from forebear.interactions.ubi import import_log

        def search_here(query: "UbiQuery") -> "LoggedSearch":
            result = self.search(query.words, log=False, search_id=query.id)
            return replace(self._entry(result, searcher=self.pseudonym(query.client)), at=query.at)

        def present(keys: Sequence[str]) -> Set[str]:
            return self.households(keys).keys()

        return import_log(self._log, Path(folder), search_here=search_here, present=present)

    def add_link(self, name: str, *, days: int = 30) -> str:
        """Create a sign-in link that is valid for this many days, and return its token.

        The token cannot be read again.  A name can be used again once its link has ended.
        """
        from forebear.interactions.links import (
            SignInLink,
            expiry,
            hash_token,
            new_token,
            read_link_name,
        )

        name, created = read_link_name(name), datetime.now(UTC)
        link = SignInLink(
            name=name, created_at=moment(created), expires_at=moment(expiry(created, days))
        )
        if any(link.name == name and link.state(now()) == "valid" for link in self.links()):
            raise InputError(
                f"there is a link {name!r} already",
                hint=f"revoke it first: forebear links revoke {name!r}",
            )
        token = new_token()
        self._links.put(link, hash_token(token))
        return token

    def links(self) -> "tuple[SignInLink, ...]":
        """Return the sign-in links, also those that have ended."""
        return tuple(self._links.list())

    def revoke_link(self, name: str) -> None:
        """End a sign-in link; whoever used it is signed out at once."""
        if not self._links.revoke(name.strip(), now()):
            raise NotFoundError(f"there is no link {name!r}", hint="see `forebear links list`")

    def sign_in(self, token: str) -> "SignInLink | None":
        """Return the link that a token belongs to, if it is valid, and note the day of its use."""
        from forebear.interactions.links import hash_token

        link, at = self._links.find(hash_token(token)), now()
        if link is None or link.state(at) != "valid":
            return None
        if link.last_used != at[:10]:
            self._links.note_use(link.name, at[:10])
        return link

    def trials(self) -> "tuple[Trial, ...]":
        """Return all trials, the oldest first."""
        return tuple(self._trials.list())

    def _complete(self, search: "LoggedSearch") -> "LoggedSearch":
        """Return an entry with its lists: a compact one is repeated, and logged again."""
        from forebear.interactions.current import completed_entry

        if search.entry != "compact":
            return search
        try:
            repeated = self._repeated_entry(search)
        except (ModelError, NotFoundError, QueryError):  # the program or its model has changed
            repeated = None
        entry = completed_entry(search, repeated)
        self._log.add_search(entry)
        return entry


def _rank(search: "LoggedSearch", record: str) -> int | None:
    return search.shown.index(record) + 1 if record in search.shown else None

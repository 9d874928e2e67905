"""What can be done with an open archive?

Everything that a command or a page does is a method here, a few lines over the archive's parts:
where its records are (``_storage``), what people did (``_log``), what was learned (``_models``),
which collections are ranked together (``_lists``) and who may sign in (``_links``).

An archive may be used from several threads.  Those that read see the archive as it is when they
begin, and do not wait; those that write take turns.
"""

import json
import secrets
import warnings
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from forebear.archive.result import Result
from forebear.errors import (
    ForebearError,
    InputError,
    ModelError,
    NotFoundError,
    QueryError,
    StorageError,
)
from forebear.records.collections import Collection, RecordList, form_lists, with_list
from forebear.records.privacy import (
    NOTHING_PUBLIC,
    OWNER,
    PRIVACY_RULES_VERSION,
    Viewer,
    limit_year,
    public_years,
)
from forebear.search.expansion.clause_hashes import (
    ModelFit,
    clause_hashes,
    fit_model,
    learned_here,
)
from forebear.search.interleaved import interleave
from forebear.search.model import (
    DEFAULT,
    ESTIMATED_METHOD,
    SHIPPED,
    Model,
    default_model,
    model_from_json,
    shipped_model,
)
from forebear.search.query.person_query import PersonQuery
from forebear.search.query.read import Fact, read_query
from forebear.search.results.describe import Description, describe
from forebear.search.searcher import Searcher, SearchOptions, options_from_json
from forebear.search.terms.term import TERM_RULES_VERSION

# A search must be quick to start: everything else is loaded by the method that needs it.
if TYPE_CHECKING:
    from forebear.archive.collections_report import CollectionsReport
    from forebear.archive.replay import Replay
    from forebear.archive.training import Estimate, Training
    from forebear.ingest.report import ImportReport, Progress, RefusedRow
    from forebear.ingest.store import SourceFile
    from forebear.ingest.workers import Workers
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
    from forebear.interactions.links import LinkStore, SignInLink
    from forebear.interactions.log import FirstPage, InteractionLog, Pruned
    from forebear.interactions.trials import Trial, TrialStore
    from forebear.interactions.ubi import UbiImport, UbiQuery
    from forebear.interactions.unmet import SearchesReport
    from forebear.learning.name_variants import VariantReport
    from forebear.learning.offsets import OffsetStore, ProbabilityOffset
    from forebear.learning.registry import ModelEntry, ModelRegistry
    from forebear.learning.train import Method
    from forebear.normalize.gazetteer import GazetteerReport
    from forebear.records.record import Record
    from forebear.search.expansion.learned_variants import LearnedVariant, NameField
    from forebear.search.results.browse import CollectionPage
    from forebear.search.results.facets import Facet
    from forebear.search.results.missing import MissingReason
    from forebear.search.results.query_info import TypeInfo
    from forebear.search.store import CollectionRow
    from forebear.storage.copy import CopyReport
    from forebear.storage.places import Coverage, KnownPlace
    from forebear.storage.port import CheckReport, Storage
    from forebear.storage.sqlite.connection import Connection
    from forebear.storage.sqlite.lists import SqliteLists

ViewerName = Literal["owner", "public"]
ViewerChoice = Viewer | ViewerName | None  # None: as the archive was opened
LOG_SECONDS = 2.0  # that logging a search waits for others who write
PRUNE_SECONDS = 30.0  # that pruning the log does
DEFAULT_OPTIONS = SearchOptions()


class Archive:
    """An open archive of records; `forebear.open` and `forebear.create` return one."""

    def __init__(
        self,
        *,
        file: "Connection",
        storage: "Storage",
        log: "InteractionLog",
        models: "ModelRegistry",
        lists: "SqliteLists",
        links: "LinkStore",
        offsets: "OffsetStore",
        trials: "TrialStore",
        viewer: ViewerName,
    ) -> None:
        self._file = file
        self._storage = storage
        self._log = log
        self._models = models
        self._lists = lists
        self._links = links
        self._offsets = offsets
        self._trials = trials
        self._viewer = viewer
        self._fits: dict[tuple[object, ...], ModelFit] = {}  # the last that was used
        self._workers: Workers | None = None  # that read what is imported

    def __enter__(self) -> "Archive":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Archive {str(self.path)!r}>"

    @property
    def path(self) -> Path:
        """The archive's file."""
        return self._file.path

    @property
    def storage(self) -> "Storage":
        """Where the records are, for those who measure or repair."""
        return self._storage

    def close(self) -> None:
        """Close the archive's file, and its cluster if it has one; end what reads for imports."""
        if self._workers:
            self._workers.close()
        self._log.close()
        self._storage.close()

    def viewer(self, viewer: ViewerChoice = None) -> Viewer:
        """Return who is looking, today: the owner, the public, or as the archive was opened.

        The public looks from a year that the clock alone cannot advance, and sees nothing of an
        archive that was written by older rules of privacy.
        """
        name = viewer or self._viewer
        if name not in ("owner", "public") and not isinstance(name, Viewer):
            raise InputError(f"unknown viewer {name!r}", hint="give 'owner' or 'public'")
        if not isinstance(name, Viewer):
            year = datetime.now(UTC).year
            if name == "owner":
                return Viewer(year=year, is_owner=True)
            name = Viewer(year=limit_year(year, self._storage.import_year()))
        if not name.is_owner and self._storage.privacy_version() < PRIVACY_RULES_VERSION:
            return Viewer(year=NOTHING_PUBLIC)
        return name

    # Searching

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
        from forebear.interactions.compact import compact_entry

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
        from forebear.search.results.facets import merge_facets

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

    def hidden_from_public(self, record_key: str) -> "MissingReason | None":
        """Return why the public may not see a record, or all of it; None if it may."""
        from forebear.search.results.missing import hidden, masked

        with self._storage.snapshot():
            record = self.record(record_key, viewer="owner")
            group = self.household(record_key, viewer="owner")
            years = public_years(group, self.collection(record.collection, viewer="owner"))
            public = self.viewer("public")
            if self._storage.records([record_key], viewer=public):
                return None if public.may_see(years.full) else masked(record_key, years.full)
            takedowns = self.takedowns()
            reasons = [takedowns[member.key] for member in group if member.key in takedowns]
            return hidden(record_key, years.masked, reasons)

    def lists(self, *, viewer: ViewerChoice = None) -> tuple[RecordList, ...]:
        """Return the lists that are ranked by themselves: one for each type, unless changed."""
        return form_lists(self.collections(viewer=viewer), self._lists.load())

    def set_list(self, name: str, collections: Sequence[str]) -> None:
        """Rank these collections, all of one record type, in one list, apart from others."""
        lists = with_list(
            self._lists.load(), name, tuple(collections), self.collections(viewer="owner")
        )
        self._lists.save(lists)

    def reset_lists(self) -> None:
        """Rank one list for each record type again."""
        self._lists.save({})

    # What people did

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
                self.record(record, viewer=_viewer_of(searches[search]))
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
        from forebear.interactions.votes import VoteFilter

        return self._log.votes(VoteFilter(searcher=searcher, record=record, date=date))

    def release_votes(
        self,
        *,
        searcher: str | None = None,
        record: str | None = None,
        date: str | None = None,
    ) -> int:
        """Let votes count as judgments, chosen as in `votes`; return how many there were."""
        from forebear.interactions.votes import VoteFilter

        return self._log.release_votes(VoteFilter(searcher=searcher, record=record, date=date))

    def discard_votes(
        self,
        *,
        searcher: str | None = None,
        record: str | None = None,
        date: str | None = None,
    ) -> int:
        """Delete votes, chosen as in `votes`; return how many there were."""
        from forebear.interactions.votes import VoteFilter

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

    def logged_search(self, search: str) -> "LoggedSearch":
        """Return a logged search by its id."""
        logged = self._log.search(search)
        if logged is None:
            raise NotFoundError(
                f"there is no search {search!r} in the log",
                hint="`forebear search` prints the id of each search",
            )
        return logged

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
        from forebear.interactions.ubi import (
            EVENTS,
            QUERIES,
            event_line,
            query_line,
            write_ndjson,
        )

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
        from forebear.interactions.import_log import import_log

        def search_here(query: "UbiQuery") -> "LoggedSearch":
            result = self.search(query.words, log=False, search_id=query.id)
            return replace(self._entry(result, searcher=self.pseudonym(query.client)), at=query.at)

        def present(keys: Sequence[str]) -> Set[str]:
            return self.households(keys).keys()

        return import_log(self._log, Path(folder), search_here=search_here, present=present)

    def replay_log(
        self,
        model: str | None = None,
        *,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> "Replay":
        """Return how the lists of the judged searches differ with the present clauses and model."""
        from forebear.archive.replay import replay

        name = self.model(model).name

        def repeat(search: "LoggedSearch") -> tuple[str, ...]:
            options = options_from_json(search.options, model=name)
            query = json.loads(search.query)
            result = self.search(query, options=options, viewer=_viewer_of(search), log=False)
            return tuple(result.search_result.fused.record_keys())

        return replay(self.judged_searches(), repeat, model=name, progress=progress)

    def report_searches(self) -> "SearchesReport":
        """Return which searches found nothing or were relaxed."""
        from forebear.interactions.unmet import report_searches

        return report_searches(
            self._log.unmet_searches(),
            searches=self._log.count_searches(),
            year=self.viewer("owner").year,
        )

    def report_collections(
        self,
        model: str | None = None,
        *,
        searches: int = 1_000,
        seed: int = 1,
        simulated: bool = False,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> "CollectionsReport":
        """Return what the judged searches lose without each collection, and what is missing.

        At most this many ``searches``, drawn by the ``seed``, are run again without each
        collection; ``progress`` gets how many runs are done and how many there are.
        ``simulated`` labels the report as a check of the method.
        """
        from forebear.archive.collections_report import LoggedUse, report_collections

        use = LoggedUse(
            judged=self.judged_searches(),
            pages=self.first_pages(),
            unmet=tuple(self._log.unmet_searches()),
        )
        return report_collections(
            self,
            use,
            model=self.model(model).name,
            most=searches,
            seed=seed,
            is_simulated=simulated,
            progress=progress,
        )

    # Who may sign in

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

    # What was learned

    def train(
        self,
        *,
        seed: int,
        promote: bool | None = None,
        method: "Method" = "map",
        around: str = DEFAULT,
        trust: Sequence[str] = (),
        progress: Callable[[str], None] = lambda _: None,
    ) -> "Training":
        """Learn a model from what was attached, and compare it with the one in use.

        It is learned near ``around``, a model that was learned from no attachment, and promoted
        if it is better by more than luck, or as ``promote`` says.  The method "map" fits all
        weights at once, "paper" is that of the paper.  Searches logged with other clauses or
        lists are repeated first.  No searcher counts for more than 5 % beside the owner; sign-in
        links named in ``trust`` count as the owner.
        """
        from forebear.archive.training import Training
        from forebear.interactions.events import trust_searcher
        from forebear.learning.evaluation import evaluate, training_note
        from forebear.learning.train import train

        start, incumbent = self._unlearned_model(around), self.current_model()
        log = self.current_log(progress=progress)
        trusted = {self.pseudonym(f"link:{name}") for name in trust}
        judged = [trust_searcher(search, trusted) for search in log.judged]
        learned = train(judged, start, seed=seed, method=method, progress=progress)
        evaluation = evaluate(
            judged,
            self.model(),
            start,
            seed=seed,
            method=method,
            since=self._cutoff(incumbent),
            at_bound=learned.at_bound,
            progress=progress,
        )
        promoted = evaluation.is_better if promote is None else promote
        note = training_note(learned, evaluation, promoted=promoted)
        model = replace(learned.model, measures=evaluation.measures)
        version = self._save_model(self._learned_here(model), note, promote=promoted)
        return Training(
            version=version,
            promoted=promoted,
            learned=learned,
            evaluation=evaluation,
            repeated=log.repeated,
            skipped=log.skipped,
        )

    def estimate_weights(
        self,
        *,
        seed: int,
        personas: int = 1000,
        promote: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> "Estimate":
        """Estimate a model from how the archive's records agree; no attachment is needed.

        This many ``personas`` of the archive are searched for.
        """
        from forebear.archive.training import Estimate
        from forebear.learning.agreement import estimate_agreement
        from forebear.learning.candidate_pairs import PairCollector, draw_queries

        viewer, base, lists = self.viewer("owner"), default_model(), self._all_lists()
        queries = draw_queries(self._storage, lists, count=personas, viewer=viewer, seed=seed)
        collector = PairCollector(storage=self._storage, lists=lists, model=base, viewer=viewer)
        pairs = collector.collect(queries, progress)
        agreement = estimate_agreement(pairs, base, seed=seed, progress=progress)
        note = f"estimated from {len(queries)} personas, without labels"
        version = self._save_model(self._learned_here(agreement.model), note, promote=promote)
        return Estimate(version=version, promoted=promote, agreement=agreement)

    def learn_name_variants(
        self, *, dry_run: bool = False, progress: Callable[[str], None] = lambda _: None
    ) -> "VariantReport":
        """Learn which names attachments join for many people, and let searches use them.

        Searches that attached something are repeated to see whom on a record they found.  Three
        persons are needed, each attached by another searcher, or three imported links.  Pairs
        that were revoked are not learned again.  With ``dry_run`` nothing is stored.
        """
        from forebear.archive.name_variants import LogReader, teachers
        from forebear.interactions.log import COMMAND_LINE
        from forebear.learning.name_variants import learn_variants

        reader = LogReader(self, teachers(self, command_line=COMMAND_LINE))
        log = list(self._log.searches_with_actions())
        existing = {variant.key for variant in self.name_variants()}
        report = learn_variants(reader.read(log, progress), existing=existing, at=now())
        if report.learned and not dry_run:
            self._storage.put_name_variants(report.learned)
        return replace(report, skipped=reader.skipped)

    def name_variants(self) -> "tuple[LearnedVariant, ...]":
        """Return the name variants that this archive learned, also those that were revoked."""
        return self._storage.name_variants()

    def revoke_name_variant(self, first: str, second: str, *, kind: "NameField") -> None:
        """Stop using a learned variant for good: it is not learned again."""
        variant = self._learned_variant(first, second, kind)
        if not variant.is_revoked:
            self._storage.put_name_variants([replace(variant, revoked_at=now())])

    def restore_name_variant(self, first: str, second: str, *, kind: "NameField") -> None:
        """Use a revoked variant again."""
        variant = self._learned_variant(first, second, kind)
        self._storage.put_name_variants([replace(variant, revoked_at=None)])

    def calibrate_probabilities(
        self, *, progress: Callable[[str], None] = lambda _: None
    ) -> "tuple[ProbabilityOffset, ...]":
        """Estimate how likely people are to be in this archive, for the owner and the public.

        Logged searches of the owner and of signed-in visitors are repeated with the model in use,
        over the records that each class of viewers may see; no attachment is needed.
        """
        from forebear.interactions.log import COMMAND_LINE
        from forebear.learning.offsets import ProbabilityOffset
        from forebear.learning.probability import MIN_SEARCHES, estimate_offset

        model = self.model()
        if model.probability is None:
            raise ModelError(
                f"model {model.name} has no constants for probabilities",
                hint="`forebear train` learns a model that has",
            )
        identities = [COMMAND_LINE, *(f"link:{link.name}" for link in self.links())]
        queries = self._log.queries_of({"", *map(self.pseudonym, identities)})
        if len(queries) < MIN_SEARCHES:
            raise InputError(
                f"{len(queries):,} searches of yours are logged, expected at least {MIN_SEARCHES}",
                hint="search on the command line, with --batch or signed in; visitors' searches "
                "do not count",
            )
        viewers: tuple[ViewerName, ...] = ("owner", "public")
        for viewer in viewers:
            progress(f"repeating {len(queries):,} searches for the {viewer}")
            results = (
                self.search(json.loads(query), viewer=viewer, log=False) for query in queries
            )
            hits = [result.search_result.probabilities.hits for result in results]
            bits = estimate_offset(hits, model.probability)
            self._offsets.put(
                ProbabilityOffset(
                    viewer=viewer, model=model.name, bits=bits, searches=len(queries), at=now()
                )
            )
        return self.probability_offsets()

    def probability_offsets(self) -> "tuple[ProbabilityOffset, ...]":
        """Return how much likelier than where its models were fitted people are to be here."""
        return self._offsets.list()

    def reset_probabilities(self) -> None:
        """Forget what `calibrate_probabilities` estimated."""
        self._offsets.clear()

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

    def start_trial(self, model: str, *, share: float = 0.5) -> "Trial":
        """Let the server interleave a model with the one in use, for this share of searches.

        A trial of the same two models that runs is continued.  One that has ended is not started
        again: it is returned as it ended.
        """
        challenger, incumbent = self.model(model).name, self.current_model()
        if not 0 < share <= 1:
            raise InputError(f"the share is {share}, expected above 0 and at most 1")
        of_model = [trial for trial in self.trials() if trial.challenger == challenger]
        if of_model and of_model[-1].state == "promoted" and challenger == incumbent:
            return of_model[-1]
        if challenger == incumbent:
            raise InputError(
                f"model {model} is the one in use, so there is nothing to compare",
                hint="see `forebear models` for others",
            )
        running = self._trials.running()
        if running is not None and running.challenger != challenger:
            raise InputError(
                f"a trial of {running.challenger} is running",
                hint="end it first: forebear models --end-trial",
            )
        if running is not None:
            self._trials.change_share(running, share)
            return next(trial for trial in self.trials() if trial.id == running.id)
        same = [trial for trial in of_model if trial.incumbent == incumbent]
        if same and same[-1].state == "stopped":
            return same[-1]
        return self._trials.start(challenger, incumbent, share)

    def running_trial(self) -> "Trial | None":
        """Return the trial of a model against the one in use, if one runs, without its counts."""
        return self._trials.running()

    def trials(self) -> "tuple[Trial, ...]":
        """Return all trials, the oldest first."""
        return tuple(self._trials.list())

    def trial_of(self, search: "LoggedSearch") -> "Trial | None":
        """Return the trial that a logged search is of, also if it has ended."""
        return None if search.trial is None else self._trials.get(search.trial)

    def settle_trial(self, at: datetime | None = None) -> "Trial | None":
        """Count the attachments of the running trial that are an hour old.

        If the evidence is enough, the challenger is promoted, or the trial ends.  ``at`` is the
        moment to settle at, now if not given.  Returns the trial as it is then.
        """
        from forebear.interactions.trials import credit_of

        trial, moment = self._trials.running(), at or datetime.now(UTC)
        if trial is None:
            return None
        searches = map(self.logged_search, self._trials.unsettled(trial))
        credits = [credit_of(search, self.actions(search.id), moment) for search in searches]
        return self._trials.settle(trial, [credit for credit in credits if credit is not None])

    def end_trial(self) -> "Trial":
        """End the running trial without a promotion."""
        trial = self._trials.running()
        if trial is None:
            raise InputError("no trial is running", hint="forebear serve --trial MODEL starts one")
        self._trials.end(trial, "the owner ended it")
        return trial

    def models(self) -> "tuple[ModelEntry, ...]":
        """Return the models of the archive, the oldest first."""
        return self._models.list()

    def current_model(self) -> str:
        """Return the version of the model that searches use."""
        return self._models.current() or DEFAULT

    def promote(self, version: str) -> None:
        """Let searches use this model."""
        self._models.promote(version)

    def roll_back(self) -> str:
        """Return to the model used before, and return its version."""
        return self._models.roll_back() or DEFAULT

    def export_model(self, version: str | None = None) -> str:
        """Return a model, or the one that searches use, as JSON."""
        return self._stored_model(version or self.current_model()).to_json()

    def import_model(self, text: str, *, note: str = "", promote: bool = False) -> str:
        """Store a model given as JSON, and return its version."""
        return self._save_model(model_from_json(text), note, promote=promote)

    # Records, collections and places

    def collections(self, *, viewer: ViewerChoice = None) -> tuple[Collection, ...]:
        """Return the collections of which the viewer may see a record; all, for the owner."""
        viewer = self.viewer(viewer)
        collections = self._storage.collections()
        if viewer.is_owner:
            return collections
        with self._storage.snapshot():
            visible = self._storage.knowledge(viewer).collections()
        return tuple(collection for collection in collections if collection.name in visible)

    def collection(self, name: str, *, viewer: ViewerChoice = None) -> Collection:
        """Return a collection by its name, if the viewer may see a record of it."""
        for collection in self.collections(viewer=viewer):
            if collection.name == name:
                return collection
        raise NotFoundError(f"there is no collection {name!r}", hint="see `forebear collections`")

    def counts(self, *, viewer: ViewerChoice = None) -> dict[str, int]:
        """Return how many records of each collection the viewer may see."""
        viewer = self.viewer(viewer)
        return {
            collection.name: self._storage.count(collection.name, viewer=viewer)
            for collection in self.collections(viewer=viewer)
        }

    def coverage(self, collection: str, *, viewer: ViewerChoice = None) -> "Coverage":
        """Return the places and years that the records of a collection are from."""
        with self._storage.snapshot():
            return self._storage.knowledge(self.viewer(viewer)).coverage(collection)

    def field_presence(self, collection: str, *, viewer: ViewerChoice = None) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""
        with self._storage.snapshot():
            return self._storage.knowledge(self.viewer(viewer)).field_presence(collection)

    def places(
        self, name: str = "", *, depth: int = 2, viewer: ViewerChoice = None
    ) -> "list[KnownPlace]":
        """Return the places of this name, or the largest, each with those inside it."""
        return self._storage.place_tree(name, viewer=self.viewer(viewer), depth=depth)

    def browse(
        self,
        collection: str,
        *,
        place: str = "",
        year: int | None = None,
        after: str = "",
        before: str = "",
        size: int = 50,
        viewer: ViewerChoice = None,
    ) -> "CollectionPage":
        """Return a page of a collection, or of a place or year of it, in the source's order.

        ``after`` and ``before`` are cursors of another page.
        """
        from forebear.search.results.browse import browse, collection_search

        viewer = self.viewer(viewer)
        with self._storage.snapshot():
            knowledge = self._storage.knowledge(viewer)
            about = self.collection(collection, viewer=viewer)
            search = collection_search(about, knowledge, place=place, year=year)
            return browse(self._storage, search, viewer, size=size, after=after, before=before)

    def neighbors(
        self, record_key: str, *, around: int, viewer: ViewerChoice = None
    ) -> "list[CollectionRow]":
        """Return a record with this many before and after it in its source."""
        from forebear.search.results.browse import collection_search, neighbors

        viewer = self.viewer(viewer)
        with self._storage.snapshot():
            record = self.record(record_key, viewer=viewer)
            knowledge = self._storage.knowledge(viewer)
            collection = self.collection(record.collection, viewer=viewer)
            search = collection_search(collection, knowledge)
            return neighbors(self._storage, search, viewer, record, around=around)

    def record(self, key: str, *, viewer: ViewerChoice = None) -> "Record":
        """Return a record by its key, if the viewer may see it."""
        records = self._storage.records([key], viewer=self.viewer(viewer))
        if key not in records:
            raise NotFoundError(
                f"there is no record {key!r}",
                hint="records are named COLLECTION:ID, as search results show them",
            )
        return records[key][0]

    def household(self, key: str, *, viewer: ViewerChoice = None) -> "tuple[Record, ...]":
        """Return the records of a record's household, itself first."""
        return self.households([key], viewer=viewer).get(key, ())

    def households(
        self, keys: Sequence[str], *, viewer: ViewerChoice = None
    ) -> "dict[str, tuple[Record, ...]]":
        """Return the households of records that the viewer may see, read together."""
        groups = self._storage.records(keys, viewer=self.viewer(viewer), groups=True)
        # The record comes first, so that its own people are the first relatives.
        return {key: _first(key, group) for key, group in groups.items() if group}

    def describe(self, key: str, position: int = 0, *, viewer: ViewerChoice = None) -> Description:
        """Return a record in a few words, seen from one of its personas."""
        self.record(key, viewer=viewer)
        return self.describe_many([(key, position)], viewer=viewer)[key]

    def describe_many(
        self, positions: Sequence[tuple[str, int]], *, viewer: ViewerChoice = None
    ) -> dict[str, Description]:
        """Return records in a few words, each seen from one of its personas, read together."""
        households = self.households([key for key, _ in positions], viewer=viewer)
        return {
            key: describe(households[key][0], position, households[key])
            for key, position in positions
            if key in households
        }

    # Importing

    def import_file(
        self,
        path: str | Path,
        *,
        mapping: str | None = None,
        collection: str | None = None,
        dry_run: bool = False,
        replace: bool = False,
        progress: "Callable[[Progress], None] | None" = None,
        refused: "Callable[[RefusedRow], None]" = lambda _: None,
    ) -> "ImportReport":
        """Import a file through a mapping: a built-in name, a mapping file, or None to guess.

        A file that was imported before is compared with its records, and only what differs is
        written; one that would remove most of its records is refused without ``replace``.
        """
        from forebear.ingest.find_mapping import load_mapping, recognize
        from forebear.ingest.run import import_file
        from forebear.ingest.workers import Workers

        file = Path(path)
        recipe = load_mapping(mapping) if mapping else recognize(file)
        if recipe is None:
            raise InputError(
                f"{file.name}: no built-in mapping fits its headings",
                hint=f"propose a mapping with `forebear map {file} > mapping.toml`, correct it, "
                "and import with --mapping mapping.toml; see docs/guide/import.md",
            )
        self._workers = self._workers or Workers()
        report = import_file(
            file,
            recipe,
            self._storage,
            collection=collection,
            dry_run=dry_run,
            may_replace=replace,
            progress=progress,
            refused=refused,
            workers=self._workers,
        )
        if not dry_run:
            self._note_import()
        return report

    def unfinished_imports(self) -> "list[SourceFile]":
        """Return the files whose import was interrupted; importing them again continues it."""
        return self._storage.all_unfinished()

    def import_gazetteer(self, path: str | Path) -> "GazetteerReport":
        """Add coordinates and other names of places from GeoNames or a table."""
        from forebear.normalize.gazetteer import is_place_table, match_geonames, match_place_table

        file = Path(path)
        match = match_place_table if is_place_table(file) else match_geonames
        entries, report = match(file, self._storage.places())
        self._storage.add_to_gazetteer(entries)
        return report

    # Looking after the archive

    def takedown(self, key: str, *, reason: str = "") -> None:
        """Hide a record from the public for good, however often it is imported again."""
        self.record(key, viewer="owner")
        self._storage.take_down(key, reason=reason, at=now())

    def erase(self, key: str) -> None:
        """Delete a record for good, so that no import brings it back; then `compact`."""
        self.record(key, viewer="owner")
        self._storage.erase(key)

    def restore(self, key: str) -> None:
        """Undo a takedown."""
        if key not in self.takedowns():
            raise NotFoundError(
                f"record {key!r} is not taken down",
                hint="if an interrupted --restore left it hidden, take it down and restore it",
            )
        self._storage.restore(key)

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return self._storage.takedowns()

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were.

        Records of it that are taken down are erased: only a hash of their key stays.
        """
        count = self.counts(viewer="owner")[self.collection(name, viewer="owner").name]
        for key in self.takedowns():
            if key.partition(":")[0] == name:
                self._storage.erase(key)
        self._storage.delete_collection(name)
        return count

    def check(self) -> "CheckReport":
        """Compare the index with what the records say."""
        return self._storage.check()

    def digest(self) -> str:
        """Return a hash of the contents, the same whatever the order they came in."""
        return self._storage.digest()

    def reindex(self, progress: Callable[[int, int], None] = lambda *_: None) -> None:
        """Write the terms of all records again, by the rules of this version.

        Records, attachments, models and ids stay.  ``progress`` gets how much is done and how
        much there is.  If it is interrupted, the archive is as it was, or can be reindexed again.
        """
        self._storage.reindex(progress)
        self._fits.clear()

    def backup(self, path: str | Path) -> None:
        """Write a copy of the archive's file, verified, while others use it."""
        from forebear.storage.sqlite.backup import back_up

        back_up(self._file, Path(path))

    def compact(self) -> None:
        """Give back the space that deletions left."""
        self._storage.compact()

    def copy_to(self, other: "Archive") -> "CopyReport":
        """Copy everything to another archive, in a file or a cluster, and compare the two."""
        from forebear.storage.copy import copy_records
        from forebear.storage.sqlite.upkeep import copy_tables

        report = copy_records(self._storage, other._storage, at=now())
        copy_tables(self._file, other._file)
        if not report.is_equal:
            raise StorageError(
                f"{other.path} does not hold what {self.path} holds",
                hint="it had other records, or one of them changed meanwhile; copy again",
            )
        return report

    def delete(self) -> None:
        """Delete the archive for good: its file, and everything it has in a cluster."""
        self._storage.delete_all()
        self.close()
        self._file.delete()

    def _searcher(
        self, model: Model, viewer: Viewer, lists: Sequence[RecordList] | None = None
    ) -> Searcher:
        return Searcher(
            storage=self._storage,
            lists=self.lists(viewer=viewer) if lists is None else lists,
            model=model,
            offset=self._offsets.bits(viewer=_class_of(viewer), model=model.name),
        )

    def _all_lists(self) -> tuple[RecordList, ...]:
        return self.lists(viewer=OWNER)

    def _note_import(self) -> None:
        """Note the year of an import, which the public's year is limited by.

        It is at most the year after the release: with a wrong clock, many imports open no more
        than one.
        """
        year = limit_year(datetime.now(UTC).year, 0)
        if year > self._storage.import_year():
            self._storage.note_import(year)

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

    def _unlearned_model(self, name: str) -> Model:
        """Return a shipped model, or one that was estimated without attachments."""
        model = self.model(name)
        if name in SHIPPED or model.method == ESTIMATED_METHOD:
            return model
        raise ModelError(
            f"{name} was learned from attachments, so training near it would count them twice",
            hint="leave out --around, or name a model of `forebear weights estimate`",
        )

    def _cutoff(self, version: str) -> str:
        """Return the time of the newest search that a model was learned from; "" if of none."""
        model = self._stored_model(version)
        if version in SHIPPED or model.method == ESTIMATED_METHOD:
            return ""
        # Models of older versions do not say it: it was before they were saved.
        saved = {entry.version: entry.saved_at for entry in self.models()}
        return model.cutoff or saved[version]

    def _learned_here(self, model: Model) -> Model:
        return learned_here(model, clause_hashes(self._storage.terms_version()), self._all_lists())

    def _entry(self, result: Result, *, searcher: str) -> "LoggedSearch":
        """Return what is logged of a result; ``searcher`` is a pseudonym."""
        from forebear.interactions.events import logged_search

        return logged_search(
            result.search_result,
            search_id=result.id,
            at=now(),
            query=result.query.source,
            viewer=_class_of(result.viewer),
            searcher=searcher,
            hashes=clause_hashes(self._storage.terms_version()),
            change=result.change,
            trial=result.trial,
        )

    def _repeated_entry(
        self, search: "LoggedSearch", lists: Sequence[RecordList] | None = None
    ) -> "LoggedSearch":
        """Return what would be logged of a search if it were made now."""
        result = self.repeat_search(search, viewer=_viewer_of(search), lists=lists)
        return replace(self._entry(result, searcher=search.searcher), at=search.at)

    def _complete(self, search: "LoggedSearch") -> "LoggedSearch":
        """Return an entry with its lists: a compact one is repeated, and logged again."""
        from forebear.interactions.compact import completed_entry

        if search.entry != "compact":
            return search
        try:
            repeated = self._repeated_entry(search)
        except (ModelError, NotFoundError, QueryError):  # the program or its model has changed
            repeated = None
        entry = completed_entry(search, repeated)
        self._log.add_search(entry)
        return entry

    def _learned_variant(self, first: str, second: str, kind: "NameField") -> "LearnedVariant":
        from forebear.search.expansion.learned_variants import pair_key

        key = pair_key(kind, first, second)
        for variant in self.name_variants():
            if variant.key == key:
                return variant
        what = "given name" if kind == "given" else kind
        raise NotFoundError(
            f"{first!r} and {second!r} are no learned variants of a {what}",
            hint="see `forebear variants list`",
        )

    def _save_model(self, model: Model, note: str, *, promote: bool) -> str:
        version = self._models.save(json.loads(model.to_json()), note=note)
        if promote:
            self._models.promote(version)
        return version


def new_search_id() -> str:
    """Return a random id for a search."""
    return f"s{secrets.token_hex(8)}"


def now() -> str:
    """Return this moment as the archive writes it down."""
    return moment(datetime.now(UTC))


def moment(at: datetime) -> str:
    """Return a moment as the archive writes it down."""
    return at.isoformat(timespec="milliseconds")


def _first(key: str, group: "Sequence[Record]") -> "tuple[Record, ...]":
    return tuple(sorted(group, key=lambda record: record.key != key))


def _class_of(viewer: Viewer) -> ViewerName:
    return "owner" if viewer.is_owner else "public"


def _viewer_of(search: "LoggedSearch") -> ViewerName:
    return "owner" if search.viewer == "owner" else "public"


def _rank(search: "LoggedSearch", record: str) -> int | None:
    return search.shown.index(record) + 1 if record in search.shown else None

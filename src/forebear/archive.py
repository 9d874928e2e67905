"""An archive, open: the one place that wires the rooms together.

Everything a door offers (the command line, the page) is a method here, so that both do the
same thing.
"""

import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from forebear.errors import ArchiveError, InputError, NotFoundError
from forebear.ingest.mapping import Mapping, load_mapping, recognize
from forebear.ingest.reading import RefusedRow
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.run import import_file
from forebear.ingest.writer import SourceFile
from forebear.interactions.events import Action, ActionKind, ShownSearch, shown_search
from forebear.interactions.judgments import JudgedSearch, judge
from forebear.interactions.log import InteractionLog
from forebear.interactions.poor_searches import SearchesReport, report_searches
from forebear.interactions.pseudonyms import pseudonym
from forebear.learning.registry import ModelEntry, ModelRegistry
from forebear.normalize.gazetteer import GazetteerReport
from forebear.normalize.geonames import match_geonames
from forebear.normalize.place_table import is_place_table, match_place_table
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer, public_year
from forebear.records.record import Record
from forebear.search.fusion.arrangement import BY_SCORE, Arrangement
from forebear.search.model import HAND_SET, Model, hand_set_model, model_from_json
from forebear.search.query.from_json import parse_query
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.absence import Absence, hidden
from forebear.search.results.asked import AskedType, explain_query
from forebear.search.results.browse import ShelfRow, neighbors, shelf_search
from forebear.search.results.cursor import Cursor, query_digest
from forebear.search.results.describe import Description, describe
from forebear.search.results.duplicates import Duplicates
from forebear.search.results.facets import Facet, merge_facets
from forebear.search.results.page import DEFAULT_PAGE_SIZE, ResultPage, make_page
from forebear.search.searcher import (
    TOP,
    RecordList,
    Searcher,
    SearchResult,
    options_from_json,
)
from forebear.storage.copy import Contents, CopyReport, copy_records, digest_contents
from forebear.storage.coverage import Coverage
from forebear.storage.lists import form_lists, with_list
from forebear.storage.sqlite.cluster_address import ClusterAddress, read_address, write_address
from forebear.storage.sqlite.connection import Connection, create_file, open_file
from forebear.storage.sqlite.contents import SqliteContents, copy_tables
from forebear.storage.sqlite.digest import digest_file
from forebear.storage.sqlite.draws import SqliteDraws
from forebear.storage.sqlite.interactions import SqliteInteractions
from forebear.storage.sqlite.lists import SqliteLists
from forebear.storage.sqlite.models import SqliteModels
from forebear.storage.sqlite.place_tree import KnownPlace
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import CheckReport, check_file, compact_file

if TYPE_CHECKING:
    from forebear.learning.agreement import AgreementEstimate
    from forebear.learning.collection_value import CollectionValues
    from forebear.learning.trial import Trial
    from forebear.storage.opensearch.storage import OpenSearchStorage


class Archive:
    """An open archive."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._storage = _storage_of(connection)
        self._lists = SqliteLists(connection)
        self._log: InteractionLog = SqliteInteractions(connection)
        self._models: ModelRegistry = SqliteModels(connection, now=_now)

    @property
    def storage(self) -> "SqliteStorage | OpenSearchStorage":
        """Return where the records live, for those who measure or repair."""
        return self._storage

    def close(self) -> None:
        """Close the archive's file, and its cluster if it has one."""
        if not isinstance(self._storage, SqliteStorage):
            self._storage.close()
        self._connection.close()

    # Records in

    def import_records(
        self,
        path: Path,
        *,
        mapping: str | None = None,
        collection: str | None = None,
        dry_run: bool = False,
        may_replace: bool = False,
        progress: Callable[[Progress], None] | None = None,
        refused: Callable[[RefusedRow], None] = lambda _: None,
    ) -> ImportReport:
        """Import a file through a mapping: a name, a file, or none to recognize one.

        A file that is known already is compared with its records, and only what differs is
        written; one that would remove most of its records is refused unless it ``may_replace``.
        """
        found = load_mapping(mapping) if mapping else _recognized(path)
        return import_file(
            path,
            found,
            self._storage,
            collection=collection,
            dry_run=dry_run,
            may_replace=may_replace,
            progress=progress,
            refused=refused,
        )

    def unfinished_imports(self) -> list[SourceFile]:
        """Return the files whose import was interrupted and waits to go on."""
        return self._storage.all_unfinished()

    def counts(self, *, viewer: Viewer) -> dict[str, int]:
        """Return how many records of each collection the viewer may see."""
        return {
            collection.name: self._storage.count(collection.name, viewer=viewer)
            for collection in self._storage.collections()
        }

    def collections(self) -> tuple[Collection, ...]:
        """Return what the archive says of its collections."""
        return self._storage.collections()

    def coverage(self, collection: str, *, viewer: Viewer) -> Coverage:
        """Return the places and years that the records of a collection are from."""
        return self._storage.known_to(viewer).coverage(collection)

    def field_presence(self, collection: str, *, viewer: Viewer) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""
        return self._storage.known_to(viewer).field_presence(collection)

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        if name not in {collection.name for collection in self.collections()}:
            raise NotFoundError(
                f"there is no collection {name!r}", hint="see `forebear collections`"
            )
        return self._storage.delete_collection(name)

    def take_down(self, record_key: str, *, reason: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        self._storage.take_down(record_key, reason=reason, at=_now())

    def restore(self, record_key: str) -> None:
        """Take a takedown back."""
        if record_key not in self.takedowns():
            raise NotFoundError(f"record {record_key!r} was not taken down")
        self._storage.restore(record_key)

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return self._storage.takedowns()

    # Places

    def places(self, name: str = "", *, viewer: Viewer, depth: int = 2) -> list[KnownPlace]:
        """Return the places of this name, or the largest, each with those inside it."""
        return self._storage.place_tree(name, viewer=viewer, depth=depth)

    def import_gazetteer(self, path: Path) -> GazetteerReport:
        """Take coordinates and other names of the archive's places from GeoNames or a table."""
        match = match_place_table if is_place_table(path) else match_geonames
        entries, report = match(path, self._storage.places())
        self._storage.add_to_gazetteer(entries)
        return report

    # The file

    def check(self) -> CheckReport:
        """Compare the index with what the records say."""
        if isinstance(self._storage, SqliteStorage):
            return check_file(self._connection)
        from forebear.storage.opensearch.upkeep import check_storage

        return check_storage(self._storage)

    def digest(self) -> str:
        """Return a hash of what the archive says, whatever the order it came in."""
        if isinstance(self._storage, SqliteStorage):
            return digest_file(self._connection)
        return digest_contents(self._storage)

    def back_up(self, path: Path) -> None:
        """Write a copy of the archive, while others go on using it."""
        self._connection.copy_to(path)

    def compact(self) -> None:
        """Give back the space that deletions left; in a cluster, write the indexes anew."""
        if not isinstance(self._storage, SqliteStorage):
            self._storage.rebuild()
        compact_file(self._connection)

    def copy_to(self, other: "Archive") -> CopyReport:
        """Copy everything to another archive, whatever either lives in."""
        report = copy_records(self.contents(), other._storage, at=_now())
        copy_tables(self._connection, other._connection)
        return report

    def contents(self) -> Contents:
        """Return all records of the archive, to be read from beginning to end."""
        if isinstance(self._storage, SqliteStorage):
            return SqliteContents(self._connection)
        return self._storage

    # Search

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
        return self._searcher(self.model(model)).search(
            query,
            viewer=viewer,
            top=top,
            show_impossible=show_impossible,
            relax=relax,
            arrangement=arrangement,
        )

    def explain_query(
        self,
        query: PersonQuery,
        *,
        viewer: Viewer,
        record_types: Sequence[str] = (),
        model: str | None = None,
    ) -> tuple[AskedType, ...]:
        """Return what a query asks of each record type, and which rule made it so."""
        known = self._storage.known_to(viewer)
        return explain_query(query, known, self.model(model), record_types)

    def search_again(self, logged: ShownSearch, *, viewer: Viewer) -> SearchResult:
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

    def facets(self, result: SearchResult, *, viewer: Viewer) -> tuple[Facet, ...]:
        """Return how everything that passes the gates of a result spreads."""
        return merge_facets(self._searcher(result.model).facets(result, viewer=viewer))

    def absence(self, result: SearchResult, record_key: str, *, viewer: Viewer) -> Absence | None:
        """Return why a record that the viewer may see is not in a result; None if it is."""
        record = self.record(record_key, viewer=viewer)
        group = self.household(record_key, viewer=viewer)
        collection = self.collection(record.collection)
        return self._searcher(result.model).absence(
            result, group, record, collection, viewer=viewer
        )

    def hidden_from_public(self, record_key: str) -> Absence | None:
        """Return why the public may not see a record, for the owner; None if it may."""
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

    # Browsing

    def collection(self, name: str) -> Collection:
        """Return what the archive says of one collection."""
        for collection in self._storage.collections():
            if collection.name == name:
                return collection
        raise NotFoundError(f"there is no collection {name!r}", hint="see `forebear collections`")

    def browse(
        self, collection: str, *, viewer: Viewer, place: str = "", year: int | None = None
    ) -> tuple[tuple[Facet, ...], list[ShelfRow]]:
        """Return how a collection, or a part of it, spreads, and its rows in their order."""
        known = self._storage.known_to(viewer)
        search = shelf_search(self.collection(collection), known, place=place, year=year)
        counted = merge_facets([self._storage.facets(search, viewer=viewer)])
        rows = self._storage.rows_of(search, viewer=viewer)
        return counted, sorted(rows, key=lambda row: row.place)

    def neighbors(self, record_key: str, *, viewer: Viewer, around: int) -> list[ShelfRow]:
        """Return a record with those beside it in its source."""
        record = self.record(record_key, viewer=viewer)
        known = self._storage.known_to(viewer)
        search = shelf_search(self.collection(record.collection), known)
        rows = self._storage.rows_of(search, viewer=viewer)
        return neighbors(rows, record_key, around=around)

    # Records, one by one

    def record(self, record_key: str, *, viewer: Viewer) -> Record:
        """Return a record that the viewer may see."""
        found = self._storage.get(record_key, viewer=viewer)
        if found is None:
            raise NotFoundError(
                f"there is no record {record_key!r} to be seen",
                hint="records are named COLLECTION:ID, as search results show them",
            )
        return found

    def household(self, record_key: str, *, viewer: Viewer) -> tuple[Record, ...]:
        """Return the records of a record's group, itself included."""
        return self._storage.group_of(record_key, viewer=viewer)

    def describe(self, record_key: str, position: int, *, viewer: Viewer) -> Description:
        """Return a record in a few words, seen from one of its personas."""
        record = self.record(record_key, viewer=viewer)
        group = self.household(record_key, viewer=viewer)
        # The group holds the record too; seen from the record's own copy, nobody is twice.
        others = [member for member in group if member.key != record.key]
        return describe(record, position, [record, *others])

    # Interactions

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
            shown_search(
                result,
                search_id=name,
                at=_now(),
                query=result.query.source,
                viewer="owner" if viewer.is_owner else "public",
                searcher=pseudonym(searcher, self._log.key()) if searcher else "",
            )
        )
        return name

    def logged_search(self, search_id: str) -> ShownSearch:
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
                    at=_now(),
                    reason=reason,
                )
            )
        self._log.add_actions(actions)
        return actions

    def actions_on(self, search_id: str) -> tuple[Action, ...]:
        """Return what was done with the results of a search."""
        return self._log.actions_on(search_id)

    def judged_searches(self) -> list[JudgedSearch]:
        """Return every logged search of which something was attached or rejected."""
        return [judge(search, actions) for search, actions in self._log.searches_with_actions()]

    def report_searches(self) -> SearchesReport:
        """Return which searches found nothing or were relaxed."""
        year = self.viewer(is_owner=True).year
        return report_searches(
            self._log.poor_searches(), searches=self._log.count_searches(), year=year
        )

    def report_collections(self, model: str | None = None) -> "CollectionValues":
        """Return what the judged searches lose when a collection is left out."""
        # The measures take longer to load than a search takes.
        from forebear.learning.collection_value import value_collections

        names = [collection.name for collection in self.collections()]
        return value_collections(self.judged_searches(), names, self.model(model))

    # Models

    def model(self, version: str | None = None) -> Model:
        """Return a model by version, or the one that searches use."""
        name = version or self._models.current() or HAND_SET
        if name == HAND_SET:
            return hand_set_model()
        return model_from_json(json.dumps(self._models.load(name)))

    def models(self) -> tuple[ModelEntry, ...]:
        """Return the learned models."""
        return self._models.list()

    def current_model(self) -> str:
        """Return the version that searches use."""
        return self._models.current() or HAND_SET

    def promote(self, version: str) -> None:
        """Let searches use this model."""
        self._models.promote(version)

    def roll_back(self) -> str:
        """Return to the model used before, and say which that is."""
        return self._models.roll_back() or HAND_SET

    def learn(
        self,
        *,
        seed: int,
        hold_out: float = 0.25,
        promote: bool | None = None,
        calibrate: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> tuple["Trial", str, bool]:
        """Learn a model from the log; return its trial, its version, whether it was promoted.

        It is promoted if it is better than the one in use, or as ``promote`` says.  With
        ``calibrate`` it also learns slopes and conditions of the lists.
        """
        # The compiled loops and optimizers take longer to load than a search takes.
        from forebear.learning.trial import hold_trial

        judged = self.judged_searches()
        trial = hold_trial(
            judged,
            self.model(),
            seed=seed,
            hold_out=hold_out,
            calibrate=calibrate,
            progress=progress,
        )
        note = f"learned from {trial.training.searches} searches"
        version = self._models.save(json.loads(trial.model.to_json()), note=note)
        promoted = trial.is_better if promote is None else promote
        if promoted:
            self._models.promote(version)
        return trial, version, promoted

    def estimate_weights(
        self,
        *,
        seed: int,
        personas: int = 1000,
        promote: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> tuple["AgreementEstimate", str]:
        """Estimate weights from how the archive's own records agree; return them, as a version.

        Nobody has to have attached anything; ``personas`` of the archive are asked for.
        """
        from forebear.learning.agreement import estimate_agreement
        from forebear.learning.candidate_pairs import PairCollector, draw_queries

        if not isinstance(self._storage, SqliteStorage):
            raise ArchiveError(
                "weights are estimated from an archive file, and this archive is in a cluster",
                hint="estimate on a copy of some of its collections and import the model",
            )
        viewer, base, lists = self.viewer(is_owner=True), hand_set_model(), self.lists()
        drawn = draw_queries(
            self._storage,
            SqliteDraws(self._connection),
            lists,
            count=personas,
            viewer=viewer,
            seed=seed,
        )
        collector = PairCollector(
            storage=self._storage, knowledge=self._storage, lists=lists, model=base, viewer=viewer
        )
        found = estimate_agreement(
            collector.collect(drawn, progress), base, seed=seed, progress=progress
        )
        note = f"estimated from {len(drawn)} personas, without labels"
        version = self._models.save(json.loads(found.model.to_json()), note=note)
        if promote:
            self._models.promote(version)
        return found, version

    def viewer(self, *, is_owner: bool) -> Viewer:
        """Return who is looking, today."""
        return Viewer(year=datetime.now(UTC).year, is_owner=is_owner)


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open an archive and close it afterwards."""
    archive = Archive(open_file(path))
    try:
        yield archive
    finally:
        archive.close()


def create_archive(path: Path, *, cluster: ClusterAddress | None = None) -> None:
    """Make an empty archive, its records in its file or in a cluster."""
    connection = create_file(path)
    try:
        if cluster is not None:
            _create_in_cluster(connection, cluster)
    except BaseException:
        connection.close()
        path.unlink()
        raise
    connection.close()


def delete_archive(path: Path) -> None:
    """Delete an archive: its file, and all that it has in a cluster."""
    connection = open_file(path)
    storage = _storage_of(connection)
    if not isinstance(storage, SqliteStorage):
        storage.delete_everything()
        storage.close()
    connection.close()
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _storage_of(connection: Connection) -> "SqliteStorage | OpenSearchStorage":
    address = read_address(connection)
    if address is None:
        return SqliteStorage(connection)
    # The client of a cluster takes long to load, and is an extra.
    with _extra("opensearch"):
        from forebear.storage.opensearch.storage import open_storage

    return open_storage(address, connection)


def _create_in_cluster(connection: Connection, address: ClusterAddress) -> None:
    with _extra("opensearch"):
        from forebear.storage.opensearch.storage import create_storage

    create_storage(address, connection).close()
    write_address(connection, address)


@contextmanager
def _extra(name: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise ArchiveError(
            f"this archive needs {error.name!r}, which is not installed",
            hint=f"pip install 'forebear[{name}]'",
        ) from None


def _recognized(path: Path) -> Mapping:
    found = recognize(path)
    if found is None:
        raise InputError(
            f"{path.name}: no built-in mapping fits its headings",
            hint="write a mapping file and give it with --mapping; see docs/guide/import.md",
        )
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")

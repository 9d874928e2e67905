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

from forebear.errors import InputError, NotFoundError
from forebear.ingest.mapping import Mapping, load_mapping, recognize
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.run import import_file
from forebear.interactions.events import Action, ActionKind, ShownSearch, shown_search
from forebear.interactions.judgments import JudgedSearch, judge
from forebear.interactions.log import InteractionLog
from forebear.learning.registry import ModelEntry, ModelRegistry
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.records.record_types import RECORD_TYPES
from forebear.search.model import HAND_SET, Model, hand_set_model, model_from_json
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.describe import Description, describe
from forebear.search.searcher import TOP, RecordList, Searcher, SearchResult
from forebear.storage.sqlite.connection import Connection, create_file, open_file
from forebear.storage.sqlite.interactions import SqliteInteractions
from forebear.storage.sqlite.models import SqliteModels
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import CheckReport, check_file, compact_file

if TYPE_CHECKING:
    from forebear.learning.trial import Trial


class Archive:
    """An open archive."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._storage = SqliteStorage(connection)
        self._log: InteractionLog = SqliteInteractions(connection)
        self._models: ModelRegistry = SqliteModels(connection, now=_now)

    def close(self) -> None:
        """Close the archive's file."""
        self._connection.close()

    # Records in

    def import_records(
        self,
        path: Path,
        *,
        mapping: str | None = None,
        collection: str | None = None,
        dry_run: bool = False,
        progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport:
        """Import a table through a mapping: a name, a file, or none to recognize one."""
        found = load_mapping(mapping) if mapping else _recognized(path)
        return import_file(
            path, found, self._storage, collection=collection, dry_run=dry_run, progress=progress
        )

    def counts(self, *, viewer: Viewer) -> dict[str, int]:
        """Return how many records of each collection the viewer may see."""
        return {
            collection.name: self._storage.count(collection.name, viewer=viewer)
            for collection in self._storage.collections()
        }

    def collections(self) -> tuple[Collection, ...]:
        """Return what the archive says of its collections."""
        return self._storage.collections()

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

    # The file

    def check(self) -> CheckReport:
        """Compare the index with what the records say."""
        return check_file(self._connection)

    def back_up(self, path: Path) -> None:
        """Write a copy of the archive, while others go on using it."""
        self._connection.copy_to(path)

    def compact(self) -> None:
        """Give back the space that deletions left."""
        compact_file(self._connection)

    # Search

    def lists(self) -> tuple[RecordList, ...]:
        """Return the lists that are ranked by themselves: one a record type."""
        by_type: dict[str, list[str]] = {}
        for collection in self._storage.collections():
            by_type.setdefault(collection.record_type, []).append(collection.name)
        return tuple(
            RecordList(name=name, record_type=name, collections=tuple(by_type[name]))
            for name in RECORD_TYPES
            if name in by_type
        )

    def search(
        self,
        query: PersonQuery,
        *,
        viewer: Viewer,
        model: str | None = None,
        top: int = TOP,
        show_impossible: bool = False,
    ) -> SearchResult:
        """Return the records in which the person appears, the best first."""
        searcher = Searcher(
            storage=self._storage,
            knowledge=self._storage,
            lists=self.lists(),
            model=self.model(model),
        )
        return searcher.search(query, viewer=viewer, top=top, show_impossible=show_impossible)

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
        self, result: SearchResult, *, viewer: Viewer, search_id: str | None = None
    ) -> str:
        """Log what was shown and return the id under which actions refer to it."""
        name = search_id or f"s{secrets.token_hex(8)}"
        self._log.add_search(
            shown_search(
                result,
                search_id=name,
                at=_now(),
                query=result.query.source,
                viewer="owner" if viewer.is_owner else "public",
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
        progress: Callable[[str], None] = lambda _: None,
    ) -> tuple["Trial", str, bool]:
        """Learn a model from the log; return its trial, its version, whether it was promoted.

        It is promoted if it is better than the one in use, or as ``promote`` says.
        """
        # The compiled loops and optimizers take longer to load than a search takes.
        from forebear.learning.trial import hold_trial

        judged = self.judged_searches()
        trial = hold_trial(judged, self.model(), seed=seed, hold_out=hold_out, progress=progress)
        note = f"learned from {trial.training.searches} searches"
        version = self._models.save(json.loads(trial.model.to_json()), note=note)
        promoted = trial.is_better if promote is None else promote
        if promoted:
            self._models.promote(version)
        return trial, version, promoted

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


def create_archive(path: Path) -> None:
    """Make an empty archive."""
    create_file(path).close()


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

"""What may a viewer read of an archive?

An archive is opened for the owner or for the public.  Whatever is read is what that viewer may see:
records and their households, collections, places, and which collections form a list.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from forebear.errors import InputError, NotFoundError
from forebear.records.collections import Collection, RecordList, form_lists, with_list
from forebear.records.privacy import (
    NOTHING_PUBLIC,
    OWNER,
    PRIVACY_RULES_VERSION,
    Viewer,
    limit_year,
    public_years,
)
from forebear.search.expansion.clause_hashes import ModelFit
from forebear.search.results.describe import Description, describe

# A search must be quick to start: everything else is loaded by the method that needs it.
if TYPE_CHECKING:
    from forebear.ingest.workers import Workers
    from forebear.interactions.links import LinkStore
    from forebear.interactions.log import InteractionLog
    from forebear.interactions.trials import TrialStore
    from forebear.learning.registry import ModelRegistry, OffsetStore
    from forebear.records.record import Record
    from forebear.search.results.describe import CollectionPage
    from forebear.search.results.missing import MissingReason
    from forebear.search.store import CollectionRow
    from forebear.storage.places import Coverage, KnownPlace
    from forebear.storage.port import Storage
    from forebear.storage.sqlite.connection import Connection
    from forebear.storage.sqlite.models import SqliteLists

ViewerName = Literal["owner", "public"]
ViewerChoice = Viewer | ViewerName | None  # None: as the archive was opened


class ReadableArchive:
    """An open archive whose records and collections can be read."""

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

    def __enter__(self) -> Self:
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
        from forebear.search.results.describe import browse, collection_search

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
        from forebear.search.results.describe import collection_search, neighbors

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
        return {
            key: tuple(sorted(group, key=lambda record: record.key != key))
            for key, group in groups.items()
            if group
        }

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

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return self._storage.takedowns()

    def _all_lists(self) -> tuple[RecordList, ...]:
        return self.lists(viewer=OWNER)


def now() -> str:
    """Return this moment as the archive writes it down."""
    return moment(datetime.now(UTC))


def moment(at: datetime) -> str:
    """Return a moment as the archive writes it down."""
    return at.isoformat(timespec="milliseconds")


def _first(key: str, group: "Sequence[Record]") -> "tuple[Record, ...]":
    return tuple(sorted(group, key=lambda record: record.key != key))

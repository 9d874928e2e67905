"""What does an archive need of the place where its records are?

Imports and searches define what they need (``ingest/store.py``, ``search/store.py``).  A storage
does both, and what it takes to look after an archive.  Nothing above this package asks which
storage it has.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from forebear.ingest.store import Group, RecordStore, SourceFile
from forebear.records.privacy import Viewer
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.expansion.learned_variants import LearnedVariant
from forebear.search.store import SearchStore

if TYPE_CHECKING:
    from forebear.normalize.gazetteer import GazetteerEntry
    from forebear.storage.places import Coverage, KnownPlace

MAX_FAULTS = 100  # that a check lists


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterAccess:
    """How a cluster and its client prove who they are: paths of files, never a secret."""

    ca: str = ""  # certificates of the authorities that sign for the nodes; "": the system's
    certificate: str = ""  # the client's
    key: str = ""  # the private key of that certificate
    user: str = ""
    password_file: str = ""
    api_key_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterAddress:
    """A cluster, and which of its indexes are the archive's."""

    hosts: tuple[str, ...]
    prefix: str  # of the names of the indexes
    shards: int = 1  # of each new index
    replicas: int = 1
    access: ClusterAccess = ClusterAccess()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """The result of a check: how much there is, and every fault."""

    records: int
    personas: int
    faults: tuple[str, ...]


class ArchiveKnowledge(Knowledge, Protocol):
    """What a viewer may know of an archive, with what describes its collections."""

    def collections(self) -> frozenset[str]:
        """Return the names of the collections of which the viewer may see a record."""
        ...

    def coverage(self, collection: str) -> "Coverage":
        """Return the places and years that the records of a collection are from."""
        ...

    def field_presence(self, collection: str) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""
        ...


class Storage(RecordStore, SearchStore, Protocol):
    """Where the records of an archive are."""

    def knowledge(self, viewer: Viewer) -> ArchiveKnowledge:
        """Return what the viewer may know of the archive as it is now."""
        ...

    def groups(self) -> Iterator[tuple[Group, SourceFile | None]]:
        """Yield all groups of records, each with the file it came from."""
        ...

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return keys of records of a collection chosen at random; a key may repeat."""
        ...

    def all_unfinished(self) -> list[SourceFile]:
        """Return the files whose import did not end."""
        ...

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        ...

    def restore(self, record_key: str) -> None:
        """Undo a takedown."""
        ...

    def erase(self, record_key: str) -> None:
        """Delete a record for good; an import does not bring it back."""
        ...

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        ...

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        ...

    def places(self) -> list[str]:
        """Return the ids of all places that some persona has."""
        ...

    def place_tree(self, name: str = "", *, viewer: Viewer, depth: int) -> "list[KnownPlace]":
        """Return the places of this name, or the largest, each with those inside it."""
        ...

    def add_to_gazetteer(self, entries: "Iterable[GazetteerEntry]") -> None:
        """Add what a gazetteer says of places."""
        ...

    def name_variants(self) -> tuple[LearnedVariant, ...]:
        """Return the name variants that the archive learned, also those that were revoked."""
        ...

    def put_name_variants(self, variants: Iterable[LearnedVariant]) -> None:
        """Store learned name variants; one of the same pair is replaced."""
        ...

    def check(self) -> CheckReport:
        """Compare the index with what the records say."""
        ...

    def digest(self) -> str:
        """Return a hash of the contents, the same whatever the order they came in."""
        ...

    def change_counter(self) -> int:
        """Return a number that every change of records, places or takedowns raises."""
        ...

    def terms_version(self) -> int:
        """Return the version of the rules by which the terms were written."""
        ...

    def privacy_version(self) -> int:
        """Return the version of the rules by which it was decided what the public may see."""
        ...

    def import_year(self) -> int:
        """Return the year of the last import; 0 if there was none."""
        ...

    def note_import(self, year: int) -> None:
        """Note the year of an import."""
        ...

    def reindex(self, progress: Callable[[int, int], None]) -> None:
        """Write the terms of all records again, by the rules of today.

        ``progress`` gets how much is done and how much there is.
        """
        ...

    def compile_loops(self) -> None:
        """Search with compiled loops from now on, if that makes searches faster."""
        ...

    def compact(self) -> None:
        """Give back the space that deletions left."""
        ...

    def delete_all(self) -> None:
        """Delete every record, collection and takedown; then it can only be closed."""
        ...

    def close(self) -> None:
        """Close the storage and the archive's file."""
        ...

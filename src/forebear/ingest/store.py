"""Where do imported records go, and what is there already?

Storages implement this protocol.  What an import asks about earlier imports has a default here,
for tests and tools that store nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from forebear.records.collections import Collection
from forebear.records.record import Record

Group = tuple[Record, ...]  # records of one household; most groups are a record alone


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file by its name, and the collection it goes to (or the stem of several)."""

    collection: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """An import that has begun and not ended: of which content, through which mapping."""

    file: SourceFile
    content: str  # SHA-256 of the file
    mapping: str  # SHA-256 of the mapping
    # The ids of records whose source gives none, by line, where they are not FILE:LINE.
    ids: Mapping[int, str] = field(default_factory=dict)

    def is_of(self, other: "Journal") -> bool:
        """Return whether both are of the same file, content and mapping."""
        return (self.file, self.content, self.mapping) == (
            other.file,
            other.content,
            other.mapping,
        )


class EncodedBatch(Protocol):
    """Groups of records in the form in which a storage has them."""

    @property
    def keys(self) -> Sequence[str]:
        """The keys of the records."""
        ...

    @property
    def size(self) -> int:
        """How many personas there are."""
        ...

    def groups(self) -> list[Group]:
        """Return the records themselves."""
        ...


# What one process can do for another that stores; it can be sent to it.
Encode = Callable[[Iterable[Group]], EncodedBatch]


class RecordStore(Protocol):
    """Takes in the records of a collection."""

    def put_collection(self, collection: Collection) -> None:
        """Store what a collection is, or replace it."""
        ...

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        """Write one batch in one transaction, as records that came from this file.

        A record whose key exists replaces it, with its whole group.
        """
        ...

    def import_lock(self) -> AbstractContextManager[None]:
        """Keep other imports out until this one ends; wait for one that is running."""
        return nullcontext()

    def encoder(self) -> Encode | None:
        """Return what makes records of the collections stored so far ready to be stored."""
        return None

    def write_encoded(self, batches: Sequence[EncodedBatch], *, file: SourceFile) -> bool:
        """Write batches in one transaction and return True.

        If one of their records is stored already or appears twice, none is written.
        """
        del batches, file
        return False

    def restate(self, records: Iterable[Record]) -> None:
        """Replace records of which nothing that is searched has changed."""
        del records

    def delete(self, record_keys: Iterable[str]) -> None:
        """Delete records, each with its whole group."""
        del record_keys

    def groups_holding(self, record_keys: Iterable[str]) -> list[Group]:
        """Return the stored groups in which any of these records is."""
        del record_keys
        return []

    def keys_from(self, file: SourceFile) -> list[str]:
        """Return the keys of the records that came from a file."""
        del file
        return []

    def attached(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that someone attached to a tree."""
        del record_keys
        return frozenset()

    def erased(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that were erased for good."""
        del record_keys
        return frozenset()

    def unfinished(self, file: SourceFile) -> Journal | None:
        """Return the journal of an import of this file that did not end."""
        del file
        return None

    def begin(self, journal: Journal) -> None:
        """Note that an import begins."""
        del journal

    def finish(self, file: SourceFile) -> None:
        """Note that the import of a file has ended."""
        del file

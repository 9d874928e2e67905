"""How do the records of one archive get into another, whatever either lives in?

Collections first, then what was taken down, then the records: at no moment does the new
archive show what the old one hides.  A copy that was interrupted is made whole by copying
again.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Protocol

from forebear.ingest.writer import Group, SourceFile
from forebear.records.collections import Collection

BATCH_GROUPS = 2_000


class Contents(Protocol):
    """All that an archive has, to be read."""

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""

    def filed_groups(self) -> Iterator[tuple[Group, SourceFile | None]]:
        """Yield all groups of records, each with the file it came from."""


class Receiver(Protocol):
    """What a copy is written to."""

    def put_collection(self, collection: Collection) -> None:
        """Make the collection known, or replace what is known of it."""

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        """Write groups of records that came from one file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyReport:
    """What was copied."""

    collections: int
    records: int


def copy_records(source: Contents, target: Receiver, *, at: str) -> CopyReport:
    """Copy everything from one archive to another."""
    collections = source.collections()
    for collection in collections:
        target.put_collection(collection)
    for key, reason in source.takedowns().items():
        target.take_down(key, reason=reason, at=at)
    records = 0
    groups = source.filed_groups()
    while batch := list(islice(groups, BATCH_GROUPS)):
        for file, some in groupby(batch, key=lambda pair: pair[1]):
            target.write([group for group, _ in some], file=file)
        records += sum(len(group) for group, _ in batch)
    return CopyReport(collections=len(collections), records=records)


def digest_contents(contents: Contents) -> str:
    """Return a hash of what an archive has, the same whatever it lives in.

    The hashes of the parts are added up, so their order does not matter.
    """
    total = sum(_hash(repr(collection)) for collection in contents.collections())
    total += sum(_hash("takedown", *pair) for pair in contents.takedowns().items())
    for group, file in contents.filed_groups():
        records = map(repr, group)
        total += _hash(file.shelf if file else "", file.name if file else "", *records)
    return f"{total % 2**256:064x}"


def _hash(*parts: str) -> int:
    text = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest(), "big")

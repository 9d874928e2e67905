"""How do the records of one archive get into another, whatever either lives in?

Collections first, then what was taken down, then the records: at no moment does the new
archive show what the old one hides.  A copy that was interrupted is made whole by copying
again.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Protocol

from forebear.ingest.store import Group, SourceFile
from forebear.records.collections import Collection
from forebear.storage.port import Storage

BATCH_GROUPS = 2_000


class Contents(Protocol):
    """Everything that an archive has, to be read."""

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""
        ...

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        ...

    def groups(self) -> Iterator[tuple[Group, SourceFile | None]]:
        """Yield all groups of records, each with the file it came from."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyReport:
    """What was copied."""

    collections: int
    records: int
    digest: str  # of what was copied
    is_equal: bool  # whether the copy has the same digest


def copy_records(source: Contents, target: Storage, *, at: str) -> CopyReport:
    """Copy everything from one archive to another, and compare them."""
    collections = source.collections()
    for collection in collections:
        target.put_collection(collection)
    for key, reason in source.takedowns().items():
        target.take_down(key, reason=reason, at=at)
    records = 0
    groups = source.groups()
    while batch := list(islice(groups, BATCH_GROUPS)):
        for file, members in groupby(batch, key=lambda pair: pair[1]):
            target.write([group for group, _ in members], file=file)
        records += sum(len(group) for group, _ in batch)
    digest = digest_contents(source)
    return CopyReport(
        collections=len(collections),
        records=records,
        digest=digest,
        is_equal=digest_contents(target) == digest,
    )


def digest_contents(contents: Contents) -> str:
    """Return a hash of what an archive has, the same whatever it lives in.

    The hashes of the parts are added up, so their order does not matter.
    """
    total = sum(_hash(repr(collection)) for collection in contents.collections())
    total += sum(_hash("takedown", *pair) for pair in contents.takedowns().items())
    for group, file in contents.groups():
        records = map(repr, group)
        total += _hash(file.collection if file else "", file.name if file else "", *records)
    return f"{total % 2**256:064x}"


def _hash(*parts: str) -> int:
    text = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest(), "big")

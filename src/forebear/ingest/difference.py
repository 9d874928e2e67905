"""What does a file change of what is stored?

Records are compared as they would be stored, but for the line they stand on.  A household is
written whole if anything in it changed, together with the households that it takes members from.
"""

from dataclasses import dataclass, field

from msgspec.structs import replace

from forebear.ingest.store import Group, RecordStore
from forebear.records.record import Record


@dataclass(slots=True, kw_only=True)
class ImportCounts:
    """How many records a file adds, changes, leaves as they are, or no longer has."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    moved: int = 0  # unchanged, but on another line
    removed: int = 0
    attached: tuple[str, ...] = ()  # removed, but kept because a person of a tree has them attached

    @property
    def changes_nothing(self) -> bool:
        """Return whether the archive is already as the file has it."""
        return not (self.added or self.changed or self.moved or self.removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is to be done for one batch."""

    # Each household to write, with the stored ones it takes members from by their first keys.
    write: list[tuple[Group, dict[str, Group]]] = field(default_factory=list)
    restate: list[Record] = field(default_factory=list)


def compare(batch: list[Group], writer: RecordStore, counts: ImportCounts) -> Difference:
    """Return what a batch changes, and count it."""
    keys = {record.key for group in batch for record in group}
    stored = {record.key: group for group in writer.groups_holding(keys) for record in group}
    difference = Difference()
    for group in batch:
        before = stored.get(group[0].key, ())
        if _are_same(before, group):
            counts.unchanged += len(group)
            moved = [new for old, new in zip(before, group, strict=True) if old != new]
            counts.moved += len(moved)
            difference.restate.extend(moved)
        else:
            _count(group, stored, counts)
            before_all = [stored[record.key] for record in group if record.key in stored]
            difference.write.append((group, {old[0].key: old for old in before_all}))
    return difference


def _count(group: Group, stored: dict[str, Group], counts: ImportCounts) -> None:
    for record in group:
        before = next((old for old in stored.get(record.key, ()) if old.key == record.key), None)
        if before is None:
            counts.added += 1
        elif _are_same((before,), (record,)) and len(group) > 1:
            counts.unchanged += 1  # another person of the household changed
        else:
            counts.changed += 1


def _are_same(old: Group, new: Group) -> bool:
    return len(old) == len(new) and all(
        before == after or replace(before, source=after.source) == after
        for before, after in zip(old, new, strict=True)
    )

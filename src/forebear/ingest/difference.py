"""What does a file change of what is stored?

Records are compared as they would be stored, but for the line they stand on.  A household is
written whole if anything in it changed, together with the households that it takes members from.
"""

from dataclasses import dataclass, field

from msgspec.structs import replace

from forebear.ingest.store import Group, RecordStore
from forebear.records.record import Record


@dataclass(slots=True, kw_only=True)
class Tally:
    """How many records a file adds, changes, leaves as they are, or no longer has."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    moved: int = 0  # unchanged, but on another line
    gone: int = 0
    attached: tuple[str, ...] = ()  # gone, but kept because somebody attached them

    @property
    def changes_nothing(self) -> bool:
        """Say whether the archive is already as the file has it."""
        return not (self.added or self.changed or self.moved or self.gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is to be done for one batch."""

    # Each household to write, with the stored ones it takes members from by their first keys.
    write: list[tuple[Group, dict[str, Group]]] = field(default_factory=list)
    restate: list[Record] = field(default_factory=list)


def compare(batch: list[Group], writer: RecordStore, tally: Tally) -> Difference:
    """Return what a batch changes, and count it."""
    keys = {record.key for group in batch for record in group}
    stored = {record.key: group for group in writer.groups_holding(keys) for record in group}
    found = Difference()
    for group in batch:
        before = stored.get(group[0].key, ())
        if _are_same(before, group):
            tally.unchanged += len(group)
            moved = [new for old, new in zip(before, group, strict=True) if old != new]
            tally.moved += len(moved)
            found.restate.extend(moved)
        else:
            _count(group, stored, tally)
            before_all = [stored[record.key] for record in group if record.key in stored]
            found.write.append((group, {old[0].key: old for old in before_all}))
    return found


def _count(group: Group, stored: dict[str, Group], tally: Tally) -> None:
    for record in group:
        before = next((old for old in stored.get(record.key, ()) if old.key == record.key), None)
        if before is None:
            tally.added += 1
        elif _are_same((before,), (record,)) and len(group) > 1:
            tally.unchanged += 1  # somebody else of the household changed
        else:
            tally.changed += 1


def _are_same(old: Group, new: Group) -> bool:
    return len(old) == len(new) and all(
        before == after or replace(before, source=after.source) == after
        for before, after in zip(old, new, strict=True)
    )

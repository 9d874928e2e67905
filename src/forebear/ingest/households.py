"""Which changed households must be written in one transaction?

A re-import may move people between households, or leave some of a household out.  Old and new
households that share a member belong together: writing one of them alone would leave a person in
no household, or in half of one.  So a changed household waits until every former member of the
households it replaces has been read, or is gone for certain.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from forebear.ingest.store import Group
from forebear.records.record import Record


@dataclass(slots=True, kw_only=True)
class Change:
    """New households, and the stored ones that they replace."""

    groups: list[Group]
    replaced: dict[str, Group]  # by the key of the first record
    present: set[str]  # the keys in the new households
    awaited: set[str]  # former members that were not read yet

    def left_out(self) -> Iterator[list[Record]]:
        """Yield the former members of each replaced household who are in no new one."""
        for group in self.replaced.values():
            if members := [record for record in group if record.key not in self.present]:
                yield members

    def absorb(self, other: "Change") -> None:
        """Take in another change that shares a household with this one."""
        self.groups += other.groups
        self.replaced |= other.replaced
        self.present |= other.present
        self.awaited -= other.present
        self.awaited |= other.awaited - self.present


class ChangedHouseholds:
    """Holds changed households back until they can be written whole.

    ``earlier`` are the keys that the archive has from the same file, ``removed`` those of them that
    the file no longer has, as far as that was surveyed.
    """

    def __init__(self, earlier: AbstractSet[str], removed: AbstractSet[str]) -> None:
        self._earlier = earlier
        self._removed = removed
        self._waiting: dict[str, Change] = {}  # by the key of each awaited record
        self._complete: list[Change] = []

    def add(self, group: Group, replaced: dict[str, Group]) -> None:
        """Add a new household with the stored ones that it takes a member from."""
        former = {record.key for old in replaced.values() for record in old}
        present = {record.key for record in group}
        awaited = (former & self._earlier) - self._removed - present
        change = Change(groups=[group], replaced=replaced, present=present, awaited=awaited)
        related = {id(other): other for key in former if (other := self._waiting.get(key))}
        moved = set(awaited)
        for other in related.values():
            smaller, change = sorted((change, other), key=lambda change: len(change.present))
            change.absorb(smaller)
            moved |= smaller.awaited
        self._waiting.update(dict.fromkeys(moved & change.awaited, change))
        for record in group:
            self._waiting.pop(record.key, None)
        if not change.awaited:
            self._complete.append(change)

    def take_complete(self) -> list[Change]:
        """Return the changes that wait for no one, once."""
        complete, self._complete = self._complete, []
        return complete

    def take_rest(self) -> list[Change]:
        """Return all other changes: the file has been read, and whom they await is gone."""
        rest = {id(change): change for change in self._waiting.values()}
        self._waiting = {}
        return [*self.take_complete(), *rest.values()]

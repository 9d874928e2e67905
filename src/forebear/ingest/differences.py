"""What does a corrected file change of what is stored?

Records are compared as they would be stored, but for the line they stand on.  A household is
written whole if anything in it changed, together with the households that it takes members from.

Old and new households that share a member belong together: writing one of them alone would leave a
person in no household, or in half of one.  So a changed household waits until every former member
of the households it replaces has been read, or is certain to be removed.

A record whose row gives no id is known as FILE:LINE of its first import.  When the file comes again
its rows are paired with the stored ones, and a row has the id of the one it is.  A new row whose
line is already the name of another gets that name with a number: ``register.csv:7~2``.

Such rows are recognized by their cells.  A row that is once in both tables is the same row;
those of them in the same order part the tables into gaps.  Inside a gap equal rows are
paired in order, then, wherever they went, the equal rows left over; at last, inside each gap, rows
that share at least half of their cells, the most alike first.  Every step is nearly linear: rows
are only compared if they share a cell which is not common.
"""

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from msgspec.structs import replace

from forebear.ingest.readers.source import Source
from forebear.ingest.report import ImportCounts
from forebear.ingest.store import Group, RecordStore
from forebear.records.record import Record

MIN_SIMILARITY = 0.5  # of the cells of the longer row
MAX_ROWS_OF_CELL = 50  # rows of a gap that share a cell; more, and the cell says nothing
MAX_COMPARED = 5  # rows that share most cells with one, compared as a whole

RowHashes = bytes  # the hashes of a row's cells, packed
Pairs = dict[int, int]  # by the index of the new row, that of the old one


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is to be done for one batch."""

    # Each household to write, with the stored ones it takes members from by their first keys.
    write: list[tuple[Group, dict[str, Group]]] = field(default_factory=list)
    relabel: list[Record] = field(default_factory=list)


def compare(batch: list[Group], store: RecordStore, counts: ImportCounts) -> Difference:
    """Return what a batch changes, and count it."""
    keys = {record.key for group in batch for record in group}
    stored = {record.key: group for group in store.groups_holding(keys) for record in group}
    difference = Difference()
    for group in batch:
        before = stored.get(group[0].key, ())
        if _are_same(before, group):
            counts.unchanged += len(group)
            moved = [new for old, new in zip(before, group, strict=True) if old != new]
            counts.moved += len(moved)
            difference.relabel.extend(moved)
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
        """Return all other changes: the file has been read, and whom they await is not in it."""
        rest = {id(change): change for change in self._waiting.values()}
        self._waiting = {}
        return [*self.take_complete(), *rest.values()]


def is_named_by_line(record: Record) -> bool:
    """Return whether a record has no id in its source, as it comes from its reader."""
    return record.id == _without_blanks(record.source)


def _line_of(record: Record) -> int:
    """Return the line on which a record stood when its file was last read."""
    line = record.source.rpartition(":")[2]
    return int(line) if line.isdecimal() else 0


def keys_named_by_line(keys: Iterable[str], file_name: str) -> list[str]:
    """Return those keys of records of a file that an earlier import made of the line."""
    pattern = re.compile(rf"[^:]*:{re.escape(_without_blanks(file_name))}:[0-9]+(~[0-9]+)?")
    return [key for key in keys if pattern.fullmatch(key)]


def ids_by_line(stored: Iterable[Record], source: Source) -> dict[int, str]:
    """Return the ids of the rows of a file, where they are not simply FILE:LINE."""
    before = sorted(stored, key=_line_of)
    lines, rows = [], []
    for entry in source.entries():
        for record in entry.records:
            if is_named_by_line(record):
                lines.append(entry.line)
                rows.append(_hash_row(record))
    pairs = pair_rows([_hash_row(record) for record in before], rows)
    name, taken = _without_blanks(source.path.name), {record.id for record in before}
    ids = {}
    for index, line in enumerate(lines):
        if index in pairs:
            record_id = before[pairs[index]].id
        else:
            record_id = _free(f"{name}:{line}", taken)
            taken.add(record_id)
        if record_id != f"{name}:{line}":
            ids[line] = record_id
    return ids


def _hash_row(record: Record) -> RowHashes:
    """Return what a record is known by: its row, or its people where it has none."""
    facts = ((str(at), str(hash(persona))) for at, persona in enumerate(record.personas))
    return pack_row(record.row or facts)


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}~{number}"
    return free


def _without_blanks(text: str) -> str:
    return "_".join(text.split())


def pack_row(cells: Iterable[tuple[str, str]]) -> RowHashes:
    """Return a row's filled cells as numbers, good for comparing inside one run."""
    return array("q", [hash(cell) for cell in cells if cell[1]]).tobytes()


def pair_rows(old: Sequence[RowHashes], new: Sequence[RowHashes]) -> Pairs:
    """Return which old row each new row is; a row that is none of them is left out."""
    pairs = dict(_anchors(old, new))
    gaps = list(_gaps(pairs, len(old), len(new)))
    for old_rows, new_rows in gaps:
        _pair_equal(old, new, old_rows, new_rows, pairs)
    taken = set(pairs.values())
    left = [index for index in range(len(old)) if index not in taken]
    _pair_equal(old, new, left, range(len(new)), pairs)
    taken = set(pairs.values())
    for old_rows, new_rows in gaps:
        left_old = [index for index in old_rows if index not in taken]
        left_new = [index for index in new_rows if index not in pairs]
        if left_old and left_new:
            pairs.update(_alike(old, new, left_old, left_new))
    return pairs


def _anchors(old: Sequence[RowHashes], new: Sequence[RowHashes]) -> Iterator[tuple[int, int]]:
    """Yield the rows that stand once in both tables, those that kept their order."""
    once_old, once_new = _once(old), _once(new)
    shared = [(index, once_old[row]) for row, index in once_new.items() if row in once_old]
    for position in _longest_rising([index for _, index in shared]):
        yield shared[position]


def _once(rows: Sequence[RowHashes]) -> dict[RowHashes, int]:
    counts = Counter(rows)
    return {row: index for index, row in enumerate(rows) if counts[row] == 1}


def _longest_rising(values: Sequence[int]) -> list[int]:
    """Return the positions of a longest rising subsequence (patience sorting)."""
    tails: list[int] = []  # the last value of the best subsequence of each length
    ends: list[int] = []  # its position
    before = [-1] * len(values)
    for position, value in enumerate(values):
        length = bisect_left(tails, value)
        before[position] = ends[length - 1] if length else -1
        tails[length : length + 1] = [value]
        ends[length : length + 1] = [position]
    matches = []
    position = ends[-1] if ends else -1
    while position >= 0:
        matches.append(position)
        position = before[position]
    return matches[::-1]


def _gaps(anchors: Pairs, old_count: int, new_count: int) -> Iterator[tuple[range, range]]:
    """Yield the rows between neighboring anchors, old and new."""
    old_start = new_start = 0
    for new_index, old_index in [*sorted(anchors.items()), (new_count, old_count)]:
        if old_index > old_start or new_index > new_start:
            yield range(old_start, old_index), range(new_start, new_index)
        old_start, new_start = old_index + 1, new_index + 1


def _pair_equal(
    old: Sequence[RowHashes],
    new: Sequence[RowHashes],
    old_rows: Iterable[int],
    new_rows: Iterable[int],
    pairs: Pairs,
) -> None:
    """Pair these old rows, in their order, with equal new rows that have no pair yet."""
    waiting: defaultdict[RowHashes, deque[int]] = defaultdict(deque)
    for index in old_rows:
        waiting[old[index]].append(index)
    for index in new_rows:
        if index not in pairs and waiting.get(new[index]):
            pairs[index] = waiting[new[index]].popleft()


def _alike(
    old: Sequence[RowHashes], new: Sequence[RowHashes], left_old: list[int], left_new: list[int]
) -> Pairs:
    """Return pairs of rows that share at least half of their cells, the most alike first."""
    rows_of: defaultdict[int, list[int]] = defaultdict(list)
    for index in left_old:
        for cell in _cells(old[index]):
            rows_of[cell].append(index)
    drift = left_old[0] - left_new[0]
    matches = []
    for index in left_new:
        cells = _cells(new[index])
        shared = Counter(
            row
            for cell in cells
            if len(rows_of.get(cell, ())) <= MAX_ROWS_OF_CELL
            for row in rows_of[cell]
        )
        for row, _ in shared.most_common(MAX_COMPARED):
            other = _cells(old[row])
            similarity = len(cells & other) / max(len(cells), len(other))
            if similarity >= MIN_SIMILARITY:
                matches.append((-similarity, abs(row - drift - index), index, row))
    pairs: Pairs = {}
    taken = set()
    for _, _, index, row in sorted(matches):
        if index not in pairs and row not in taken:
            pairs[index] = row
            taken.add(row)
    return pairs


def _cells(row: RowHashes) -> set[int]:
    return set(memoryview(row).cast("q"))

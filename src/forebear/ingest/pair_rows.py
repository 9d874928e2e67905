"""Which row of a corrected table is which row of the table before?

Rows have no ids here, so they are known by their cells.  A row that stands once
in both tables is the same row; those of them that kept their order part the tables into gaps.
Inside a gap equal rows are paired in order, then, wherever they went, the equal rows left
over; at last, inside each gap, rows that share at least half of their cells, the most alike
first.  Every step is nearly linear: rows are only compared if they share a cell which is
not common.
"""

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence

LEAST_ALIKE = 0.5  # of the cells of the longer row
COMMON = 50  # rows of a gap that share a cell; more, and the cell says nothing
TRIED = 5  # rows that share most cells with one, asked how alike they are

Cells = bytes  # the hashes of a row's cells, packed
Pairs = dict[int, int]  # by the index of the new row, that of the old one


def pack_row(cells: Iterable[tuple[str, str]]) -> Cells:
    """Return a row's filled cells as numbers, good for comparing inside one run."""
    return array("q", [hash(cell) for cell in cells if cell[1]]).tobytes()


def pair_rows(old: Sequence[Cells], new: Sequence[Cells]) -> Pairs:
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


def _anchors(old: Sequence[Cells], new: Sequence[Cells]) -> Iterator[tuple[int, int]]:
    """Yield the rows that stand once in both tables, those that kept their order."""
    once_old, once_new = _once(old), _once(new)
    shared = [(index, once_old[row]) for row, index in once_new.items() if row in once_old]
    for position in _longest_rising([index for _, index in shared]):
        yield shared[position]


def _once(rows: Sequence[Cells]) -> dict[Cells, int]:
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
    old: Sequence[Cells],
    new: Sequence[Cells],
    old_rows: Iterable[int],
    new_rows: Iterable[int],
    pairs: Pairs,
) -> None:
    """Pair these old rows, in their order, with equal new rows that have no pair yet."""
    waiting: defaultdict[Cells, deque[int]] = defaultdict(deque)
    for index in old_rows:
        waiting[old[index]].append(index)
    for index in new_rows:
        if index not in pairs and waiting.get(new[index]):
            pairs[index] = waiting[new[index]].popleft()


def _alike(
    old: Sequence[Cells], new: Sequence[Cells], left_old: list[int], left_new: list[int]
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
            row for cell in cells if len(rows_of.get(cell, ())) <= COMMON for row in rows_of[cell]
        )
        for row, _ in shared.most_common(TRIED):
            other = _cells(old[row])
            likeness = len(cells & other) / max(len(cells), len(other))
            if likeness >= LEAST_ALIKE:
                matches.append((-likeness, abs(row - drift - index), index, row))
    pairs: Pairs = {}
    taken = set()
    for _, _, index, row in sorted(matches):
        if index not in pairs and row not in taken:
            pairs[index] = row
            taken.add(row)
    return pairs


def _cells(row: Cells) -> set[int]:
    return set(memoryview(row).cast("q"))

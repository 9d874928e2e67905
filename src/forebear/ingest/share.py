"""Which rows of a table does each of two processes read?

A table is cut into blocks of lines.  Storing costs less than reading, so of every four blocks
the process that stores reads one itself, and the other process three; that keeps both busy.
Both count lines alike, so they need not talk about it.  A household goes with its first row;
a table with households whose rows stand apart is not shared.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from forebear.ingest.store import Group

CYCLE = 4  # blocks, of which the process that stores reads the last


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The part of a table that one of two processes reads."""

    block_lines: int
    is_storing: bool

    def has(self, first_line: int) -> bool:
        """Say whether the household that begins on a line is in this share."""
        is_last = first_line // self.block_lines % CYCLE == CYCLE - 1
        return is_last == self.is_storing

    def blocks(self, groups: Iterable[Group]) -> Iterator[tuple[int, Iterator[Group]]]:
        """Yield each block's number and its groups."""
        return groupby(groups, key=lambda group: line_of(group[0].source) // self.block_lines)


def line_of(source: str) -> int:
    """Return the line that a record of a table came from; its source says FILE:LINE."""
    return int(source.rpartition(":")[2])

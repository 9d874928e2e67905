"""How do the lines of a GEDCOM file hang together?

A line belongs to the nearest line above it with a lower level.  CONT and CONC lines are
part of the value they continue.  Every line of the file ends up in exactly one structure or
among the faults, so that whoever uses the structures can account for all of them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from forebear.ingest.issues import Issue
from forebear.ingest.readers.gedcom.lines import BadLine, Line

POINTER = re.compile(r"@([^@#][^@]*)@")
VOID = "VOID"  # GEDCOM 7: somebody, but nobody in this file


@dataclass(slots=True, kw_only=True, eq=False)
class Structure:
    """A line with the lines that belong to it."""

    line: int
    tag: str
    level: int = 0
    xref: str = ""
    value: str = ""
    children: list["Structure"] = field(default_factory=list)
    continued: list[int] = field(default_factory=list)  # lines that are part of the value

    @property
    def text(self) -> str:
        """Return the value without blanks around it."""
        return self.value.strip()

    @property
    def pointer(self) -> str:
        """Return the name of the structure that the value points to, if it is a pointer."""
        match = POINTER.fullmatch(self.text)
        return match[1] if match and match[1] != VOID else ""

    def all(self, *tags: str) -> Iterator["Structure"]:
        """Yield the children with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> "Structure | None":
        """Return the first child with one of these tags."""
        return next(self.all(*tags), None)

    def text_of(self, *tags: str) -> str:
        """Return what the first child with one of these tags says."""
        child = self.first(*tags)
        return child.text if child else ""

    def walk(self) -> Iterator["Structure"]:
        """Yield the structure and everything below it, in the order of the file."""
        waiting = [self]
        while waiting:
            structure = waiting.pop()
            yield structure
            waiting.extend(reversed(structure.children))

    def line_numbers(self) -> Iterator[int]:
        """Yield the number of every line that the structure covers."""
        for structure in self.walk():
            yield structure.line
            yield from structure.continued


@dataclass(slots=True)
class Forest:
    """The structures of level 0, in their order, and the lines that are in none."""

    roots: list[Structure] = field(default_factory=list)
    faults: list[Issue] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)  # lines that could not be placed
    line_count: int = 0


def build_structures(lines: Iterable[Line | BadLine]) -> Forest:
    """Return the lines of a file as structures."""
    forest = Forest()
    open_above: list[Structure] = []  # from the root down to the last line
    rests: list[tuple[Structure, str]] = []  # of values, on the lines after them
    for line in lines:
        forest.line_count = line.number
        if isinstance(line, BadLine):
            _take_bad(line, open_above, forest, rests)
        elif line.tag in ("CONT", "CONC") and open_above:
            _continue(line, open_above, rests)
        else:
            _place(line, open_above, forest)
    for owner, values in groupby(rests, key=itemgetter(0)):
        owner.value += "".join(rest for _, rest in values)
    return forest


def _take_bad(
    line: BadLine,
    open_above: list[Structure],
    forest: Forest,
    rests: list[tuple[Structure, str]],
) -> None:
    """Put a line without a level behind the value before it; forget none."""
    if line.is_blank or not open_above or line.fault.startswith("level"):
        forest.lost.append(line.number)
        detail = "" if line.is_blank else repr(line.text[:80])
        forest.faults.append(Issue(line=line.number, reason=line.fault, detail=detail))
        return
    last = open_above[-1]
    rests.append((last, f"\n{line.text}"))
    last.continued.append(line.number)
    forest.faults.append(
        Issue(line=line.number, reason="taken for the rest of the line before", detail=line.fault)
    )


def _continue(line: Line, open_above: list[Structure], rests: list[tuple[Structure, str]]) -> None:
    del open_above[max(1, _depth(line.level, open_above)) :]
    owner = open_above[-1]
    rests.append((owner, f"\n{line.value}" if line.tag == "CONT" else line.value))
    owner.continued.append(line.number)


def _place(line: Line, open_above: list[Structure], forest: Forest) -> None:
    structure = Structure(
        line=line.number, level=line.level, tag=line.tag, xref=line.xref, value=line.value
    )
    if line.fault:
        forest.faults.append(Issue(line=line.number, reason=line.fault, detail=line.xref))
    del open_above[_depth(line.level, open_above) :]
    if not open_above:
        forest.roots.append(structure)
        if line.level:
            forest.faults.append(
                Issue(line=line.number, reason="belongs to no record", detail=line.tag)
            )
    else:
        if line.level > open_above[-1].level + 1:
            skipped = f"from {open_above[-1].level} to {line.level}"
            forest.faults.append(Issue(line=line.number, reason="level skipped", detail=skipped))
        open_above[-1].children.append(structure)
    open_above.append(structure)


def _depth(level: int, open_above: list[Structure]) -> int:
    """Return how many of the open structures a line of this level lies below."""
    depth = len(open_above)
    while depth and open_above[depth - 1].level >= level:
        depth -= 1
    return depth

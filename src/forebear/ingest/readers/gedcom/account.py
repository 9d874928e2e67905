"""What became of every line of a file?

A line is *understood* if its meaning went into a record or is about the file itself, *kept* if
it is in a record as it was in the file, and *reported* if it went into none and the report says
so.  All other lines are reported at the end, so that none can be forgotten.
"""

from collections.abc import Iterable

from forebear.ingest.readers.gedcom.lines import Structure
from forebear.ingest.readers.source import LineTally

UNKNOWN, REPORTED, KEPT, UNDERSTOOD = range(4)


class Account:
    """The fate of each line, by number; the best that happened to it counts."""

    def __init__(self, line_count: int) -> None:
        self._fates = bytearray(line_count + 1)
        self._settled: set[Structure] = set()  # no line of theirs is unsettled any more
        self._kept: set[Structure] = set()

    def understand(self, *structures: Structure | None) -> None:
        """Note that the meaning of these lines went into a record; not that of those below."""
        for structure in structures:
            if structure is not None and self._fates[structure.line] != UNDERSTOOD:
                self._note((structure.line, *structure.continued), UNDERSTOOD)

    def understand_whole(self, structure: Structure) -> None:
        """Note that a structure with all below it is about the file and not about a person."""
        self._note(structure.line_numbers(), UNDERSTOOD)

    def keep(self, structure: Structure) -> None:
        """Note that a structure with all below it stands in a record as it was."""
        if structure not in self._kept:
            self._kept.add(structure)
            self._note(structure.line_numbers(), KEPT)

    def report(self, lines: Iterable[int]) -> None:
        """Note that the report speaks of these lines."""
        self._note(lines, REPORTED)

    def unsettled(self, structure: Structure) -> list[int]:
        """Return the lines of a structure that nobody has spoken for."""
        if structure in self._settled:
            return []
        lines = [line for line in structure.line_numbers() if self._fates[line] == UNKNOWN]
        if not lines:
            self._settled.add(structure)
        return lines

    def tally(self) -> LineTally:
        """Return how many lines had which fate; every line has one when reading is done."""
        fates = self._fates[1:]
        return LineTally(
            understood=fates.count(UNDERSTOOD),
            kept=fates.count(KEPT),
            reported=fates.count(REPORTED) + fates.count(UNKNOWN),
        )

    def _note(self, lines: Iterable[int], fate: int) -> None:
        for line in lines:
            self._fates[line] = max(self._fates[line], fate)

"""What do some cells of a row say, understood once for all rows that say the same?

A register has the same few days, places and words over and over.  A *piece* is a question to
some columns of a mapping: which date, which place, who is this to the head?  The answer to the
same cells is the same in every row, so it is kept with the warnings it came with, and most
rows are read by looking their cells up.
"""

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, TypeVar

from forebear.ingest.cells import CellCleaner, Cells
from forebear.ingest.facts import Facts, Warnings
from forebear.ingest.mapping import PLACEHOLDER, Columns, Mapping

KEPT_ANSWERS = 1 << 16  # of each piece

Value = TypeVar("Value")
# From the cells of a row as they stand, and a list that warnings are added to.
Piece = Callable[[Cells, Warnings], Value]


class Pieces:
    """Makes the pieces of one mapping."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._cleaner = CellCleaner(mapping)
        self._missing = frozenset(mapping.table.missing)
        self.columns: set[str] = set()  # of the file, that any piece asks for

    def piece(self, columns: Columns, read: Callable[[Facts], Value]) -> Piece[Value]:
        """Return what answers for these columns, and remembers."""
        sources = self.sources(columns)
        if not sources:
            constant = read(self._facts({}))
            return lambda *_: constant
        pick = itemgetter(*sources)
        answers: dict[Any, tuple[Value, tuple[tuple[str, str], ...]]] = {}

        def look_up(values: Cells, warnings: Warnings) -> Value:
            key = pick(values)
            answer = answers.get(key)
            if answer is None:
                if len(answers) >= KEPT_ANSWERS:
                    answers.clear()
                facts = self._facts({source: values[source] for source in sources})
                answer = answers[key] = read(facts), tuple(facts.warnings)
            if answer[1]:
                warnings.extend(answer[1])
            return answer[0]

        return look_up

    def text(self, columns: Columns) -> Piece[str]:
        """Return what answers with the first value of these columns.

        Numbers, notes and links are of one row alone: nothing is gained by remembering them.
        """
        if len(columns) != 1 or self._is_made(columns[0]):
            return self.piece(columns, lambda facts: facts.text(columns))
        (column,), missing = self.sources(columns), self._missing

        def strip(values: Cells, warnings: Warnings) -> str:
            del warnings
            text = values[column].strip()
            return "" if text in missing else text

        return strip

    def sources(self, columns: Iterable[str]) -> Columns:
        """Return the columns of the file that these need, be they derived, joined or coded."""
        sources: list[str] = []
        for column in columns:
            words = self._mapping.values.get(column, {}).values()
            named = [name for word in words for name in PLACEHOLDER.findall(word)]
            sources += [name for part in (column, *named) for name in self._mapping.sources(part)]
        self.columns.update(sources)
        return tuple(dict.fromkeys(sources))

    def _is_made(self, column: str) -> bool:
        """Return whether the mapping makes or changes what the column says."""
        mapping = self._mapping
        return (
            column in mapping.derived
            or column in mapping.values
            or column in mapping.joined
            or column in mapping.constants
        )

    def _facts(self, values: Cells) -> Facts:
        country = self._mapping.collection.country
        return Facts(self._cleaner.clean(values), country=country)

"""What stands in the cells of one row, once the mapping has had its say about them?

Cells that stand for nothing are empty, coded cells are words, and derived columns are
there like any others.  The row itself is not touched: the record keeps it as it stood.
"""

import re
from functools import cache

from forebear.ingest.columns import PLACEHOLDER, Columns, Mapping


class Cells:
    """The cells of one row, by column."""

    def __init__(self, values: dict[str, str], mapping: Mapping) -> None:
        self._values = values
        self._mapping = mapping

    def get(self, column: str) -> str:
        """Return what the cell says, with codes turned into words."""
        text = self._plain(column)
        words = self._mapping.values.get(column)
        word = words.get(text.casefold()) if words and text else None
        if word is None:
            return text
        return PLACEHOLDER.sub(lambda match: self._plain(match[1]), word)

    def first(self, columns: Columns) -> tuple[str, str]:
        """Return the first column that has a value, and the value."""
        for column in columns:
            if text := self.get(column):
                return column, text
        return "", ""

    def filled(self, columns: Columns) -> list[str]:
        """Return the values of all columns that have one."""
        return [text for column in columns if (text := self.get(column))]

    def all_or_none(self, columns: Columns) -> str:
        """Return the values joined by a colon, nothing if any is missing."""
        texts = self.filled(columns)
        return ":".join(texts) if len(texts) == len(columns) else ""

    def _plain(self, column: str) -> str:
        """Return the cell without the blanks around it; empty if it stands for nothing."""
        derived = self._mapping.derived.get(column)
        text = self._values.get(derived.column if derived else column, "").strip()
        if derived:
            text = _found(_compile(derived.pattern).search(text))
        return "" if text in self._mapping.table.missing else text


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _found(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    return (match[1] or "").strip() if match.re.groups else match[0].strip()

"""What stands in the cells of one row, once the mapping has had its say about them?

Cells that stand for nothing are empty, coded cells are words, and derived columns, joined columns
and constants are there like any others.  The row itself is not touched: the record keeps it as it
stood.
"""

import re
from collections.abc import Iterable

from forebear.ingest.mapping import PLACEHOLDER, Mapping

Cells = dict[str, str]  # by column; a column that the file lacks is not there


class CellCleaner:
    """What a mapping says about cells, made ready for many rows."""

    def __init__(self, mapping: Mapping) -> None:
        self._missing = frozenset(mapping.table.missing)
        self._words = [(column, words) for column, words in mapping.values.items()]
        self._joined = [*mapping.joined.items()]
        self._constants = mapping.constants
        self._derived = [
            (name, rule.column, re.compile(rule.pattern)) for name, rule in mapping.derived.items()
        ]

    def clean(self, values: Cells) -> Cells:
        """Return what the cells of a row say, derived columns included."""
        cells = dict(zip(values, map(str.strip, values.values()), strict=True))
        if self._derived:
            cells |= {
                name: _found(pattern.search(cells.get(column, "")))
                for name, column, pattern in self._derived
            }
        if self._missing:
            cells = {
                column: "" if text in self._missing else text for column, text in cells.items()
            }
        if self._constants:
            cells |= self._constants
        if self._words:
            self._decode(cells)
        for name, rule in self._joined:
            cells[name] = rule.separator.join(filled(cells, rule.columns))
        return cells

    def _decode(self, cells: Cells) -> None:
        """Put words in the place of the codes that stand for them."""
        decoded: Cells = {}
        for column, words in self._words:
            text = cells.get(column)
            word = words.get(text.casefold()) if text else None
            if word is not None:
                named = PLACEHOLDER.sub(lambda match: cells.get(match[1], ""), word) if word else ""
                decoded[column] = named
        cells.update(decoded)  # at once: a placeholder names a cell as it stood


def filled(cells: Cells, columns: Iterable[str]) -> list[str]:
    """Return the values of all columns that have one."""
    return [text for column in columns if (text := cells.get(column))]


def _found(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    return (match[1] or "").strip() if match.re.groups else match[0].strip()

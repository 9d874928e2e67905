"""Figures as a table: aligned for people, comma-separated for spreadsheets."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Headings, and rows of as many cells."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]

    def as_text(self) -> str:
        """Return the table with aligned columns, numbers to four decimals.

        >>> print(Table(headings=("query", "ndcg@10"), rows=[("q1", 0.5)]).as_text())
        query  ndcg@10
        q1      0.5000
        """
        cells = [self.headings, *(tuple(map(_shown, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        right = [any(not isinstance(row[n], str) for row in self.rows) for n in range(len(widths))]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if to_right else cell.ljust(width)
                for cell, width, to_right in zip(line, widths, right, strict=True)
            ).rstrip()
            for line in cells
        )

    def as_csv(self) -> str:
        """Return the table as comma-separated values, numbers in full."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.headings)
        writer.writerows(self.rows)
        return text.getvalue().rstrip("\n")


def _shown(cell: Cell) -> str:
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)

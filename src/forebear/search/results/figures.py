"""How are bits written so that they add up as they stand?

Every figure has two decimal places.  Rounding each by itself would leave sums off by a hundredth;
so running totals are rounded, and a figure is the difference of two of them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from forebear.search.results.explain import Row

PLACES = 2


class RowFigures(NamedTuple):
    """The bits of a row and of each of its clauses, as they are written."""

    bits: str
    clauses: tuple[str, ...]


def write_figures(rows: "Sequence[Row]") -> tuple[tuple[RowFigures, ...], str]:
    """Return the figures of rows, and their total; clauses add up to rows, rows to the total."""
    figures = []
    total, written = 0.0, 0
    for row in rows:
        before = written
        clauses = []
        for bits in [clause.bits for clause in row.clauses] or [row.bits]:
            total += bits
            rounded = round(total * 10**PLACES)
            clauses.append(format_bits((rounded - written) / 10**PLACES))
            written = rounded
        of_clauses = tuple(clauses) if row.clauses else ()
        figures.append(RowFigures(format_bits((written - before) / 10**PLACES), of_clauses))
    return tuple(figures), format_bits(written / 10**PLACES)


def format_bits(bits: float, places: int = PLACES) -> str:
    """Return bits as a signed decimal.

    >>> format_bits(1.5), format_bits(-9), format_bits(0.0)
    ('+1.50', '−9.00', '0.00')
    """
    sign = "+" if bits > 0 else "−" if bits < 0 else ""
    return f"{sign}{abs(bits):.{places}f}"

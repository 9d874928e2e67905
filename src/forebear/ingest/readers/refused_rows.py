"""How are refused rows written, so that no spreadsheet takes a cell for a formula?

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return gets an apostrophe in
front, with which spreadsheets mark text; so does one that has apostrophes before such a sign.  A
table whose last two columns are ``line`` and ``reason`` is one of refused rows, and the reader of
tables takes one apostrophe off such cells again.
"""

import re
from collections.abc import Iterable, Sequence

LAST_COLUMNS = ("line", "reason")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


def guard_cells(cells: Iterable[str]) -> list[str]:
    """Return cells of which a spreadsheet executes none.

    >>> guard_cells(["=1+1", "Mary", "'-"])
    ["'=1+1", 'Mary', "''-"]
    """
    return [f"'{cell}" if _FORMULA.match(cell) else cell for cell in cells]


def unguard_cells(cells: Iterable[str]) -> list[str]:
    """Return the cells that were guarded.

    >>> unguard_cells(["'=1+1", "Mary", "''-"])
    ['=1+1', 'Mary', "'-"]
    """
    return [cell[1:] if _GUARDED.match(cell) else cell for cell in cells]


def has_refused_rows(headings: Sequence[str]) -> bool:
    """Return whether a table with these headings has refused rows."""
    return tuple(headings[-2:]) == LAST_COLUMNS

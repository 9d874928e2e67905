"""What does a table of this package say?

Facts of the field (nicknames, month names, county codes) are data, not code: CSV files in
``tables/`` with a heading row, which people who know the field can read and extend.
"""

import csv
from functools import cache
from importlib.resources import files


def read_table(name: str) -> list[dict[str, str]]:
    """Return the rows of ``tables/NAME.csv`` as dictionaries."""
    text = files("forebear.normalize").joinpath("tables", f"{name}.csv").read_text("utf-8")
    # A search begins with thousands of rows, and DictReader takes twice as long for each.
    headings, *rows = csv.reader(text.splitlines())
    return [dict(zip(headings, row, strict=True)) for row in rows if row]


def word_set(name: str) -> frozenset[str]:
    """Return a set of words that a module needs, by its name in ``tables/word_sets.csv``."""
    return _word_sets()[name]


@cache
def _word_sets() -> dict[str, frozenset[str]]:
    return {row["set"]: frozenset(row["words"].split()) for row in read_table("word_sets")}

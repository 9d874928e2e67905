"""How are the packaged tables read?

Facts of the field (nicknames, month names, county codes) are data, not code: CSV files with a
heading row in a package's ``tables`` folder, which people who know the field can read and extend.
"""

import csv
from functools import cache
from importlib.resources import files


def read_table(name: str, *, package: str = "forebear") -> list[dict[str, str]]:
    """Return the rows of a table as dictionaries."""
    # csv.DictReader takes twice as long, and a search starts by reading thousands of rows.
    headings, *rows = csv.reader(table_text(name, package=package).splitlines())
    return [dict(zip(headings, row, strict=True)) for row in rows if row]


@cache
def word_meanings(name: str) -> dict[str, dict[str, str]]:
    """Return what the words of a table mean, by their kind."""
    meanings: dict[str, dict[str, str]] = {}
    for row in read_table(name):
        meanings.setdefault(row["kind"], {})[row["word"]] = row["meaning"]
    return meanings


def table_text(name: str, *, package: str = "forebear") -> str:
    """Return a table as it is in its file.

    The first part of the name is the package: "normalize/dates/months" is the file
    ``normalize/tables/dates/months.csv``.
    """
    *folder, file = name.split("/", 1)
    return files(package).joinpath(*folder, "tables", f"{file}.csv").read_text("utf-8")

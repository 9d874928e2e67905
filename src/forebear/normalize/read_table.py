"""What does a table of this package say?

Facts of the field (nicknames, month names, county codes) are data, not code: CSV files in
``tables/`` with a heading row, which people who know the field can read and extend.
"""

import csv
from importlib.resources import files


def read_table(name: str) -> list[dict[str, str]]:
    """Return the rows of ``tables/NAME.csv`` as dictionaries."""
    text = files("forebear.normalize").joinpath("tables", f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))

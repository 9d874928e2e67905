"""What do the word lists of this package say?  They are CSV files in ``tables/``."""

import csv
from importlib import resources


def table_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of ``tables/NAME.csv`` by heading."""
    file = resources.files("forebear.ingest") / "tables" / f"{name}.csv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))

"""How are the files of a simulated archive written?

Columns are arrays; a table is written row by row in the dialect of Python's ``csv`` module with
``\\n`` at the end of lines, so the same seed gives the same bytes everywhere.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray


def write_table(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write columns of equal length as a CSV file with a heading row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))

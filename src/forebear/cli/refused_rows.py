"""The rows that an import refused, as a table: to be corrected and imported by themselves.

It has the columns of the file, then the line and the reason; where several files were
imported, the file too.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.reading import RefusedRow


class RefusedRows:
    """Gathers refused rows."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._names_files = len(files) > 1
        self._rows: list[tuple[Path, RefusedRow]] = []

    def add(self, file: Path, row: RefusedRow) -> None:
        """Add a row of a file."""
        self._rows.append((file, row))

    def write(self, path: Path) -> None:
        """Write the rows as CSV."""
        columns = dict.fromkeys(name for _, row in self._rows for name, _ in row.cells)
        told = ["file"] if self._names_files else []
        try:
            with path.open("w", encoding="utf-8", newline="") as out:
                writer = csv.writer(out)
                writer.writerow([*columns, *told, "line", "reason"])
                for file, row in self._rows:
                    cells = dict(row.cells)
                    where = [file.name] if self._names_files else []
                    found = [cells.get(column, "") for column in columns]
                    writer.writerow([*found, *where, row.issue.line, _reason(row)])
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from None


def _reason(row: RefusedRow) -> str:
    return ": ".join(part for part in (row.issue.reason, row.issue.detail) if part)

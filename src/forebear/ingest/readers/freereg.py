"""How is a FreeREG file read in the layout its transcribers use?

    +INFO,email,password,SEQUENCED,BAPTISMS,charset
    #,CCC,name,syndicate,FILE.CSV,date
    #,CREDIT,name,email
    #,date,remarks
    HRT,Caldecote,St Mary Magdalene,,,29 Jul 1726,Phillip,m,...

There is no heading row: the kind of register on the first line says which cell is what.  In the
newer flexible layout a row of field names comes before the entries.  Either way the columns get the
names that our FreeREG mappings use, so those read all layouts.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.readers.source import Row, make_row
from forebear.ingest.readers.table import DelimitedTable, find_encoding, name_headings
from forebear.tables import read_table

MARK = b"+INFO"
HEADER_LINES = 12  # the entries start well before
# Encodings that the first line may name; a byte order mark is trusted before it.
CHARSETS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "unicode": "utf-8",
    "cp1252": "cp1252",
    "windows-1252": "cp1252",
    "iso-8859-1": "cp1252",
    "cp850": "cp850",
    "cp437": "cp437",
    "macintosh": "mac_roman",
    "macroman": "mac_roman",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeregTable:
    """The entries of a file, under the headings of their kind."""

    path: Path
    table: DelimitedTable  # the same file with its header lines
    kind: str  # baptisms, marriages or burials
    heading_line: int  # the last line before the entries
    headings: tuple[str, ...]
    size_bytes: int
    notes: tuple[str, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Yield the entries; trailing cells may be left out, as transcribers do."""
        for line, cells, done in self.table.cells():
            if line <= self.heading_line or cells[0].startswith(("#", "+")):
                continue
            cells = [cell.strip() for cell in cells]
            while len(cells) > len(self.headings) and not cells[-1]:
                cells.pop()
            cells += [""] * (len(self.headings) - len(cells))
            yield make_row(line, cells, self.headings, bytes_done=done)

    def check(self) -> None:
        """Read the file to its end and refuse it if its quotation marks do not pair."""
        self.table.check()


def is_freereg(path: Path) -> bool:
    """Return whether a file has FreeREG's header."""
    with path.open("rb") as file:
        return file.read(16).lstrip(b'\xef\xbb\xbf"').upper().startswith(MARK)


def open_freereg(path: Path, *, encoding: str = "") -> FreeregTable:
    """Look at a file in the transcribers' layout."""
    charset = encoding or _charset(path)
    table = DelimitedTable(
        path=path,
        encoding=find_encoding(path, charset),
        delimiter=",",
        quote='"',
        heading_line=0,
        headings=(),
        size_bytes=path.stat().st_size,
    )
    start = [*islice(table.cells(), HEADER_LINES)]
    kind = next(
        (word for cell in start[0][1] if (word := cell.strip().casefold()) in layouts()), ""
    )
    if not kind:
        raise InputError(
            f"{path}:1: the first line names no kind of register",
            hint=f"the fifth cell of +INFO is one of: {', '.join(layouts()).upper()}",
        )
    line, headings = _headings(start, kind)
    return FreeregTable(
        path=path,
        table=table,
        kind=kind,
        heading_line=line,
        headings=headings,
        size_bytes=table.size_bytes,
    )


def _charset(path: Path) -> str:
    with path.open("rb") as file:
        first = file.readline(1000).decode("ascii", "replace")
    cells = next(csv.reader([first]), [])
    return CHARSETS.get(cells[5].strip().casefold(), "") if len(cells) > 5 else ""


def _headings(start: list[tuple[int, list[str], int]], kind: str) -> tuple[int, tuple[str, ...]]:
    """Return the last header line and the headings: those of a row of field names, else ours."""
    columns = layouts()[kind]
    last = 0
    for line, cells, _ in start:
        if cells[0].startswith(("+", "#")):
            last = line
            continue
        names = [cell.strip().casefold() for cell in cells]
        headings = [columns.get(name, name) for name in names]
        if {"chapman_code", "place_name"} <= set(names) or {"county", "place"} <= set(names):
            missing = [name for name in dict.fromkeys(columns.values()) if name not in headings]
            return line, (*name_headings(headings), *missing)
        break
    return last, tuple(dict.fromkeys(columns.values()))


@cache
def layouts() -> dict[str, dict[str, str]]:
    """Return, for each kind of register, FreeREG's field names and our columns, in order."""
    kinds: dict[str, dict[str, str]] = {}
    for row in read_table("ingest/freereg_columns"):
        kinds.setdefault(row["kind"], {})[row["field"]] = row["column"]
    return kinds

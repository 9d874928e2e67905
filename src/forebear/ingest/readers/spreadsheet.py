"""How is a spreadsheet (.xlsx, .xls, .ods) read as a table?

Calamine reads the cells.  It keeps a sheet in memory as a full rectangle, so a file of a few bytes
may name one cell far to the right and one far below and exhaust the memory; how much a file unpacks
to and how large its sheets are is therefore checked before calamine sees it.

All sheets with the headings of the first are read as one table, whose line numbers continue from
sheet to sheet.  Sheets with other headings are named in the report, and read if the mapping names
them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from forebear.errors import InputError
from forebear.ingest.readers.safe_files import MAX_BYTES, member_pieces, open_zip
from forebear.ingest.readers.source import Row, make_row
from forebear.ingest.readers.table import has_refused_rows, name_headings, unguard_cells

# Most imports are of delimited text and never load the library.
if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

MAX_CELLS = 25_000_000  # of one sheet, empty ones included
MAX_TAG = 1 << 20  # bytes
ZIP_START, OLD_START = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MEMBERS = {"xl/workbook.xml": "xlsx", "content.xml": "ods"}
# The tags that say where a cell is, in XLSX and in ODS.
TAG = re.compile(
    rb"<(?:\w+:)?(?P<name>row|c|table|table-row|table-cell|covered-table-cell)"
    rb"(?=[\s/>])(?P<rest>[^>]*)>?"
)
ADDRESS = re.compile(rb'\br="([A-Za-z]*)(\d+)"')
REPEATED = re.compile(rb'number-(?:rows|columns)-repeated="(\d+)"')


class Sheet(NamedTuple):
    """A sheet that is read: how many lines come before it, and the line of its headings."""

    name: str
    offset: int
    heading_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreadsheet:
    """The sheets of a workbook that have the same headings, as one table."""

    path: Path
    headings: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    line_count: int
    size_bytes: int
    notes: tuple[str, ...] = ()  # for the report: which sheets were read, and which not

    @property
    def heading_line(self) -> int:
        """The line of the headings of the first sheet."""
        return self.sheets[0].heading_line

    def rows(self) -> Iterator[Row]:
        """Yield the rows below the headings of each sheet; blank ones are skipped."""
        book = _open_book(self.path)
        is_refused = has_refused_rows(self.headings)
        for sheet in self.sheets:
            for line, cells in _read_sheet(book, sheet.name, self.path):
                if line > sheet.heading_line:
                    # The rectangle that calamine gives may be narrower or wider than the headings.
                    cells += [""] * (len(self.headings) - len(cells))
                    while len(cells) > len(self.headings) and not cells[-1]:
                        cells.pop()
                    if is_refused:
                        cells = unguard_cells(cells)
                    line += sheet.offset
                    done = self.size_bytes * line // max(self.line_count, 1)
                    yield make_row(line, cells, self.headings, bytes_done=done)

    def check(self) -> None:
        """Do nothing: the sheets were read when the workbook was opened."""


def spreadsheet_format(path: Path) -> str:
    """Return "xlsx", "xls" or "ods", or nothing if a file is no spreadsheet."""
    with path.open("rb") as file:
        start = file.read(8)
    if start == OLD_START:
        return "xls"
    if not start.startswith(ZIP_START):
        return ""
    with open_zip(path) as archive:
        members = set(archive.namelist())
    return next((name for member, name in MEMBERS.items() if member in members), "")


def open_spreadsheet(path: Path, *, sheet: str = "") -> Spreadsheet:
    """Look at a workbook; read the named sheet, else all that have the first one's headings."""
    from python_calamine import SheetTypeEnum

    if path.stat().st_size > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES:,} bytes", hint="save it as CSV")
    if spreadsheet_format(path) != "xls":
        _check_sizes(path)
    book = _open_book(path)
    tables = {one.name for one in book.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet}
    names = book.sheet_names
    if not names or (sheet and sheet not in names):
        raise InputError(
            f"{path}: {f'no sheet {sheet!r}' if sheet else 'the workbook has no sheet'}",
            hint=f"its sheets are: {', '.join(names)}" if names else "save it again",
        )
    headings: tuple[str, ...] = ()
    sheets: list[Sheet] = []
    notes: list[str] = []
    lines = 0
    for name in [sheet] if sheet else names:
        rows = [*_read_sheet(book, name, path)] if name in tables else []
        if not rows:
            notes.append(f"sheet {name!r} {'is empty' if name in tables else 'is no table'}")
            continue
        while rows[0][1] and not rows[0][1][-1]:
            rows[0][1].pop()
        sheet_headings = name_headings(rows[0][1])
        if headings and sheet_headings != headings:
            notes.append(
                f"sheet {name!r} has other headings and was not read; "
                f'to read it, give it a mapping with sheet = "{name}" in its [table]'
            )
            continue
        headings = sheet_headings
        if sheets:
            notes.append(f"sheet {name!r}: its line 1 is line {lines + 1} here")
        sheets.append(Sheet(name, lines, rows[0][0]))
        lines += rows[-1][0]
    if not sheets:
        raise InputError(
            f"{path}:1: the sheet is empty",
            hint='name another with sheet = "..." under [table] in the mapping',
        )
    return Spreadsheet(
        path=path,
        headings=headings,
        sheets=tuple(sheets),
        line_count=lines,
        size_bytes=path.stat().st_size,
        notes=tuple(notes),
    )


def _open_book(path: Path) -> "CalamineWorkbook":
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        return CalamineWorkbook.from_path(path)
    except (CalamineError, OSError, ValueError) as error:
        raise _broken(path, error) from None
    except BaseException as error:
        raise _unless_panic(error, path) from None


def _read_sheet(book: "CalamineWorkbook", name: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each row that is not blank."""
    from python_calamine import CalamineError

    try:
        sheet = book.get_sheet_by_name(name)
        rows = sheet.iter_rows()
        blank = [""] * (sheet.start or (0, 0))[1]  # columns before the first cell are not given
    except (CalamineError, OSError, ValueError) as error:
        raise _broken(path, error) from None
    except BaseException as error:
        raise _unless_panic(error, path) from None
    for line, values in enumerate(rows, start=1):
        cells = [*blank, *(_text(value) for value in values)]
        if any(cells):
            yield line, cells


def _text(value: object) -> str:
    """Return a cell as text; a date with a time is a date."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _broken(path: Path, error: BaseException) -> InputError:
    return InputError(f"{path}: cannot be read as a spreadsheet: {error}", hint="save it again")


def _unless_panic(error: BaseException, path: Path) -> BaseException:
    """Return our error if the library itself failed, else the error."""
    return _broken(path, error) if type(error).__name__ == "PanicException" else error


def _check_sizes(path: Path) -> None:
    """Refuse a file that unpacks to too much, or with a sheet of too many cells."""
    left = MAX_BYTES
    with open_zip(path) as archive:
        for member in archive.namelist():
            corner = _Corner()
            rest = b""
            for piece in member_pieces(archive, member, limit=left):
                left -= len(piece)
                if member.endswith(".xml"):
                    if not rest and piece.startswith((b"\xff\xfe", b"\xfe\xff")):
                        raise InputError(f"{path}: {member} is UTF-16", hint="save it again")
                    rest = corner.read(rest + piece)
                    if len(rest) > MAX_TAG:
                        raise InputError(f"{path}: {member} is no XML", hint="save it again")
                if corner.rows * corner.columns > MAX_CELLS:
                    raise InputError(
                        f"{path}: a sheet of {corner.rows:,} rows and {corner.columns:,} columns "
                        "is too large",
                        hint=f"at most {MAX_CELLS:,} cells are read; delete cells far to the right "
                        "or far below the table, or save the sheet as CSV",
                    )


class _Corner:
    """The last row and column that have a cell, as far as a sheet was read."""

    def __init__(self) -> None:
        self.rows = self.columns = 0
        self._row = self._column = 0

    def read(self, data: bytes) -> bytes:
        """Read tags, and return the end of the data if it may be half a tag."""
        end = data.rfind(b"<")
        for tag in TAG.finditer(data, 0, max(end, 0)):
            name, rest = tag["name"], tag["rest"]
            if name == b"table":
                self._row = self._column = 0
            elif name in (b"row", b"table-row"):
                address, repeated = ADDRESS.search(rest), REPEATED.search(rest)
                self._row = int(address[2]) if address else self._row + _count(repeated)
                self._column = 0
            else:
                self._cell(name, rest)
        return data[end:] if end >= 0 else b""

    def _cell(self, name: bytes, rest: bytes) -> None:
        address = ADDRESS.search(rest) if name == b"c" else None
        if address and address[1]:
            self._row, self._column = int(address[2]), _column_number(address[1])
        else:
            self._column += _count(REPEATED.search(rest))
        # LibreOffice fills every sheet to its end with empty cells, which calamine leaves out.
        if name == b"c" or b"value-type=" in rest or not rest.endswith(b"/"):
            self.rows = max(self.rows, self._row)
            self.columns = max(self.columns, self._column)


def _count(repeated: re.Match[bytes] | None) -> int:
    return int(repeated[1]) if repeated else 1


def _column_number(letters: bytes) -> int:
    """Return the number of a column such as AB, the first being 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number

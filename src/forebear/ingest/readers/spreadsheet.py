"""How is a spreadsheet (XLSX) read as a table?

An XLSX file is a ZIP archive of XML: the sheet holds cells by address, texts stand apart in a
list that cells refer to by number, and a date is a count of days that only the cell's style
tells from any other number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from posixpath import join, normpath
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from forebear.errors import InputError
from forebear.ingest.readers.safe_xml import find_elements, in_pieces
from forebear.ingest.readers.safe_zip import open_zip, read_member
from forebear.ingest.readers.table import Row, make_row, name_headings

ADDRESS = re.compile(r"([A-Z]+)(\d+)")
MAX_COLUMNS = 16_384
DAY_ZERO, DAY_ZERO_1904 = date(1899, 12, 30), date(1904, 1, 1)
BUILTIN_DATES = frozenset({14, 15, 16, 17, 22, *range(27, 37), *range(50, 59)})
LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')  # in a number format, not part of the pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cells:
    """What the cells of a sheet refer to."""

    texts: list[str]
    date_styles: frozenset[int]  # those that show a number as a date
    day_zero: date  # from which days are counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreadsheet:
    """One sheet of a workbook."""

    path: Path
    sheet: str  # the member of the archive
    heading_line: int
    headings: tuple[str, ...]
    size_bytes: int
    cells: _Cells

    def rows(self) -> Iterator[Row]:
        """Yield the rows below the heading; blank ones are skipped."""
        with open_zip(self.path) as archive:
            for line, cells, done in _read_rows(archive, self.sheet, self.cells):
                if line > self.heading_line:
                    # Empty cells at the end of a row are not written.
                    cells += [""] * (len(self.headings) - len(cells))
                    yield make_row(line, cells, self.headings, bytes_done=done)

    def check(self) -> None:
        """Read the sheet to its end, looking for nothing."""
        with open_zip(self.path) as archive:
            data = read_member(archive, self.sheet)
        for _ in find_elements(in_pieces(data), (), where=f"{self.path}: sheet"):
            pass


def is_spreadsheet(path: Path) -> bool:
    """Say whether a file is an XLSX workbook."""
    with path.open("rb") as file:
        if file.read(4) != b"PK\x03\x04":
            return False
    with open_zip(path) as archive:
        return "xl/workbook.xml" in archive.namelist()


def open_spreadsheet(path: Path, *, sheet: str = "") -> Spreadsheet:
    """Look at a workbook and return one sheet of it as a table, the first unless told."""
    with open_zip(path) as archive:
        member = _find_sheet(archive, sheet, path)
        cells = _read_cells(archive)
        first = next(_read_rows(archive, member, cells), None)
        size = archive.getinfo(member).file_size
    if first is None:
        raise InputError(f"{path}:1: the sheet is empty", hint="name another with sheet = ...")
    return Spreadsheet(
        path=path,
        sheet=member,
        heading_line=first[0],
        headings=name_headings(first[1]),
        size_bytes=size,
        cells=cells,
    )


def _find_sheet(archive: ZipFile, wanted: str, path: Path) -> str:
    book = read_member(archive, "xl/workbook.xml")
    sheets = {
        found.element.get("name", ""): found.element.get("id", "")
        for found in find_elements(in_pieces(book), {"sheet"}, where=f"{path}: workbook")
    }
    if not sheets or (wanted and wanted not in sheets):
        raise InputError(
            f"{path}: no sheet {wanted or 'at all'!r}",
            hint=f"it has: {', '.join(sheets) or 'none'}",
        )
    links = read_member(archive, "xl/_rels/workbook.xml.rels")
    targets = {
        found.element.get("Id", ""): found.element.get("Target", "")
        for found in find_elements(in_pieces(links), {"Relationship"}, where=f"{path}: links")
    }
    target = targets.get(sheets[wanted or next(iter(sheets))], "")
    return target.lstrip("/") if target.startswith("/") else normpath(join("xl", target))


def _shared_texts(archive: ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    data = read_member(archive, "xl/sharedStrings.xml")
    where = f"{archive.filename}: texts"
    return [
        _rich_text(found.element) for found in find_elements(in_pieces(data), {"si"}, where=where)
    ]


def _rich_text(element: Element) -> str:
    """Return the text of all runs, without the readings that Japanese sheets add."""
    return "".join(
        part.text or "" for child in element if child.tag != "rPh" for part in child.iter("t")
    )


def _read_cells(archive: ZipFile) -> _Cells:
    book = read_member(archive, "xl/workbook.xml")
    properties = find_elements(
        in_pieces(book), {"workbookPr"}, where=f"{archive.filename}: workbook"
    )
    is_1904 = any(found.element.get("date1904") in ("1", "true") for found in properties)
    styles: frozenset[int] = frozenset()
    if "xl/styles.xml" in archive.namelist():
        styles = _date_styles(archive)
    return _Cells(
        texts=_shared_texts(archive),
        date_styles=styles,
        day_zero=DAY_ZERO_1904 if is_1904 else DAY_ZERO,
    )


def _date_styles(archive: ZipFile) -> frozenset[int]:
    data = read_member(archive, "xl/styles.xml")
    where = f"{archive.filename}: styles"
    dated = set(BUILTIN_DATES)
    styles: list[int] = []
    for found in find_elements(in_pieces(data), {"numFmt", "cellXfs"}, where=where):
        if found.name == "numFmt":
            code = LITERAL.sub("", found.element.get("formatCode", "")).lower()
            if "y" in code or "d" in code:
                dated.add(_number(found.element.get("numFmtId", "")))
        else:
            styles = [_number(style.get("numFmtId", "")) for style in found.element.iter("xf")]
    return frozenset(n for n, number_format in enumerate(styles) if number_format in dated)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _read_rows(archive: ZipFile, sheet: str, known: _Cells) -> Iterator[tuple[int, list[str], int]]:
    """Yield the number, cells and end in bytes of each row that is not blank."""
    data = read_member(archive, sheet)
    line = 0
    where = f"{archive.filename}: sheet"
    for found in find_elements(in_pieces(data), {"row"}, where=where):
        told = _number(found.element.get("r", ""))
        line = told if told > line else line + 1
        cells: list[str] = []
        for cell in found.element.iter("c"):
            place = _column(cell.get("r", ""), len(cells))
            cells += [""] * (place - len(cells))
            cells.append(_value(cell, known))
        if any(cells):
            yield line, cells, found.bytes_done


def _column(address: str, following: int) -> int:
    """Return the column of an address such as AB12, counted from 0; never before the last."""
    match = ADDRESS.fullmatch(address)
    if match is None or len(match[1]) > 3:
        return following
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return min(max(column - 1, following), max(MAX_COLUMNS, following))


def _value(cell: Element, known: _Cells) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _rich_text(cell)
    value = cell.findtext("v") or ""
    if kind == "s":
        number = _number(value)
        return known.texts[number] if 0 <= number < len(known.texts) else ""
    if kind == "b":
        return "true" if value == "1" else "false"
    if kind != "n" or not value:
        return value
    is_date = _number(cell.get("s", "")) in known.date_styles
    return _number_text(value, known.day_zero if is_date else None)


def _number_text(value: str, day_zero: date | None) -> str:
    try:
        number = float(value)
    except ValueError:
        return value
    if day_zero and 0 < number < 2_900_000:
        return (day_zero + timedelta(days=int(number))).isoformat()
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else value

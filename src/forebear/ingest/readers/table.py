"""How is a file of comma, semicolon, tab or bar separated values read, row by row?

A table has one heading row and quotes as RFC 4180 does.  Its encoding and delimiter are
detected, unless they are given.  Reading is in two steps: ``open_table`` reads
the whole file once, so that a file that cannot be read is refused before anything came of
it; ``DelimitedTable.rows`` then streams.  A row that is too long or too short is yielded all the
same, with a word about its fault: what to do about it is not the reader's decision.

A byte order mark names the encoding, and zero bytes at every other place show UTF-16 without one.
Otherwise text that is valid UTF-8 is UTF-8, since other text hardly ever is by accident.  What is
left is one of the old encodings of one byte a letter: Windows, DOS or Macintosh.  Each is tried on
the words around the bytes that differ.  The one that makes letters inside words out of most of them
wins, and Windows-1252 wins a draw: most transcriptions were made in spreadsheets that write it.

Rows that were refused are written so that no spreadsheet takes a cell for a formula.  A cell that
begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return gets an apostrophe in front, with
which spreadsheets mark text; so does one that has apostrophes before such a sign.  A table whose
last two columns are ``line`` and ``reason`` is one of refused rows, and one apostrophe is taken off
such cells again.
"""

import codecs
import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Literal

from forebear.errors import InputError
from forebear.ingest.readers.source import Row, check_is_file, make_row

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
PROGRESS_LINES = 64  # how often the position in the file is read
MAX_CELL_CHARACTERS = 1 << 24
SAMPLE_ROWS = 20  # enough to tell a delimiter from a character that occurs in the text
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
START_BYTES = 4096  # a binary file has a zero byte in the first few
OLD_ENCODINGS = ("cp1252", "cp850", "cp437", "mac_roman")
ENCODING_SAMPLE_BYTES = 1 << 20
ENCODING_SAMPLE_WORDS = 2000
REFUSED_COLUMNS = ("line", "reason")  # the last two of a table of refused rows
FORMULA = re.compile(r"'*[=+\-@\t\r]")
GUARDED = re.compile(r"'+[=+\-@\t\r]")
ACCENTED_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]*+[\x80-\xff][A-Za-z\x80-\xff]*+")


@dataclass(frozen=True, slots=True, kw_only=True)
class DelimitedTable:
    """A file of delimited text that was opened and can be read."""

    path: Path
    encoding: str
    delimiter: str
    quote: str
    heading_line: int
    headings: tuple[str, ...]  # blank ones numbered, a second of the same name marked so
    size_bytes: int
    notes: tuple[str, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Yield the rows below the heading; blank lines are skipped."""
        is_refused = has_refused_rows(self.headings)
        for line, cells, bytes_done in self.cells():
            if line > self.heading_line:
                if is_refused:
                    cells = unguard_cells(cells)
                yield make_row(line, cells, self.headings, bytes_done=bytes_done)

    def cells(self) -> Iterator[tuple[int, list[str], int]]:
        """Yield the line, the cells and the bytes done of every row, the heading's too."""
        with self.path.open("rb") as raw:
            lines = TextIOWrapper(raw, encoding=self.encoding, newline="")
            done = 0
            for line, cells in _parse(lines, self.path, self.delimiter, self.quote):
                if line % PROGRESS_LINES == 0:
                    done = raw.tell()
                yield line, cells, done

    def check(self) -> None:
        """Read the file to its end and refuse it if its quotation marks do not pair."""
        with self.path.open(encoding=self.encoding, newline="") as file:
            for _ in _parse(file, self.path, self.delimiter, self.quote):
                pass


def open_table(
    path: Path, *, delimiter: str = "", encoding: str = "", quote: str = '"'
) -> DelimitedTable:
    """Look at a file and return it as a table; delimiter and encoding are given or detected."""
    check_is_file(path)
    encoding = find_encoding(path, encoding)
    delimiter = delimiter or _find_delimiter(path, encoding, quote)
    first = next(iter(_sample(path, encoding, delimiter, quote)), None)
    if first is None:
        raise InputError(f"{path}:1: the file is empty", hint="export the table again")
    return DelimitedTable(
        path=path,
        encoding=encoding,
        delimiter=delimiter,
        quote=quote,
        heading_line=first[0],
        headings=name_headings(first[1]),
        size_bytes=path.stat().st_size,
    )


def _find_delimiter(path: Path, encoding: str, quote: str) -> str:
    """Return the delimiter under which most rows are as wide as the heading row."""
    width = {name: _agreed_width(path, encoding, name, quote) for name in DELIMITERS}
    best = max(width, key=lambda name: width[name])
    if width[best] or not _sample(path, encoding, best, quote):  # empty is another complaint
        return best
    raise InputError(
        f"{path}:1: this is not a table: the first row has a single column",
        hint=f"columns are separated by one of: {', '.join(DELIMITERS.values())}; "
        "another delimiter can be told in the mapping's [table]",
    )


def _agreed_width(path: Path, encoding: str, delimiter: str, quote: str) -> float:
    rows = [cells for _, cells in _sample(path, encoding, delimiter, quote)]
    if not rows or len(rows[0]) < 2:
        return 0.0
    agreeing = sum(len(cells) == len(rows[0]) for cells in rows)
    return len(rows[0]) * agreeing / len(rows)


def _sample(path: Path, encoding: str, delimiter: str, quote: str) -> list[tuple[int, list[str]]]:
    with path.open(encoding=encoding, newline="") as file:
        lines = islice(file, 50 * SAMPLE_ROWS)
        return list(islice(_parse(lines, path, delimiter, quote, whole=False), SAMPLE_ROWS))


def _parse(
    lines: Iterable[str], path: Path, delimiter: str, quote: str, *, whole: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not blank with the number of its first line.

    The reader asks for a line after the last only to finish a row whose quotation mark is
    still open; that is how an unclosed one is noticed.  A sample may well end inside a row.
    """
    source = _Lines(lines)
    csv.field_size_limit(MAX_CELL_CHARACTERS)  # 131,072 by default, and notes may be longer
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE
    reader = csv.reader(source, delimiter=delimiter, quotechar=quote or None, quoting=quoting)
    line = 1
    try:
        for cells in reader:
            if source.ended and whole:
                raise _unclosed(path, line)
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        if whole:
            raise _too_large(path, line) from error


class _Lines:
    """Lines that record whether a reader wanted one beyond the last."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        yield from self._lines
        self.ended = True


def _too_large(path: Path, line: int) -> InputError:
    return InputError(
        f"{path}:{line}: a cell of this row has more than {MAX_CELL_CHARACTERS:,} characters",
        hint="is a quotation mark not closed? Else shorten the cell, "
        'or say quote = "" in the mapping\'s [table] if marks mean nothing in this file',
    )


def _unclosed(path: Path, line: int) -> InputError:
    return InputError(
        f"{path}:{line}: a quotation mark opens in this row and does not close",
        hint="close it, double it if it belongs to the text, "
        'or say quote = "" in the mapping\'s [table] if marks mean nothing in this file',
    )


def name_headings(cells: list[str]) -> tuple[str, ...]:
    """Return a different name for every column, so that no cell is lost."""
    names: dict[str, None] = {}
    if has_refused_rows(cells):
        cells = unguard_cells(cells)
    for number, cell in enumerate(cells, start=1):
        name = cell.strip() or f"column {number}"
        names[name if name not in names else f"{name} ({number})"] = None
    return tuple(names)


def find_encoding(path: Path, given: str = "") -> str:
    """Return the given encoding, else the detected one; the file is read to its end in it."""
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    marked = next((name for mark, name in BYTE_ORDER_MARKS.items() if start.startswith(mark)), "")
    marked = marked or _unmarked_utf16(start)
    if b"\0" in start and not marked and not given:
        raise InputError(
            f"{path}:1: this is not a table but a binary file",
            hint="save it as CSV, XLSX or ODS and import that",
        )
    if given or marked:
        return _checked(path, [given or marked])
    if _last_readable_line(path, "utf-8") is None:
        return "utf-8"
    with path.open("rb") as file:
        likeliest = likeliest_encoding(file.read(ENCODING_SAMPLE_BYTES))
    return _checked(path, ["utf-8", likeliest])


def likeliest_encoding(data: bytes) -> str:
    """Return which old encoding makes most sense of the bytes beyond ASCII.

    >>> likeliest_encoding("Müller, Zoë; José Peña".encode("mac_roman"))
    'mac_roman'
    """
    words = ACCENTED_WORD.findall(data)[:ENCODING_SAMPLE_WORDS]
    return max(OLD_ENCODINGS, key=lambda name: sum(_plausibility(word, name) for word in words))


def _plausibility(word: bytes, encoding: str) -> int:
    """Return how many letters of a word look right, less those that look wrong."""
    text = word.decode(encoding, "replace")
    score = 0
    for position, letter in enumerate(text):
        if letter.isascii():
            continue
        kind = unicodedata.category(letter)
        before = text[position - 1] if position else ""
        if kind == "Ll":
            score += 3 if "LATIN" in unicodedata.name(letter, "") else -2
        elif kind == "Lu":
            # Capitals come first, or among capitals.
            score += 2 if not before.islower() else -2
        else:
            score += 0 if letter in "’‘“”–—£°ªº½¼" else -2
    return score


def _unmarked_utf16(start: bytes) -> str:
    """Return UTF-16 in the order its zero bytes show, if most letters have one."""
    even, odd = start[0::2].count(0), start[1::2].count(0)
    half = len(start) // 2
    if half and odd > 0.6 * half and even < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if half and even > 0.6 * half and odd < 0.1 * half else ""


def _checked(path: Path, encodings: list[str]) -> str:
    """Return the last of the encodings, unless some of the text cannot be decoded in it."""
    line = _last_readable_line(path, encodings[-1])
    if line is None:
        return encodings[-1]
    raise InputError(
        f"{path}: the text after line {line} is not {' or '.join(encodings)}",
        hint='write its encoding under [table] in the mapping, such as encoding = "cp850", '
        "or save the file as UTF-8",
    )


def _last_readable_line(path: Path, encoding: str) -> int | None:
    """Return the last line that is certain to be decodable, ``None`` if all of them are."""
    number = 0
    try:
        with path.open(encoding=encoding, newline="") as file:
            for _ in file:
                number += 1
    except UnicodeError:
        return number
    return None


def guard_cells(cells: Iterable[str]) -> list[str]:
    """Return cells of which a spreadsheet executes none.

    >>> guard_cells(["=1+1", "Mary", "'-"])
    ["'=1+1", 'Mary', "''-"]
    """
    return [f"'{cell}" if FORMULA.match(cell) else cell for cell in cells]


def unguard_cells(cells: Iterable[str]) -> list[str]:
    """Return the cells that were guarded.

    >>> unguard_cells(["'=1+1", "Mary", "''-"])
    ['=1+1', 'Mary', "'-"]
    """
    return [cell[1:] if GUARDED.match(cell) else cell for cell in cells]


def has_refused_rows(headings: Sequence[str]) -> bool:
    """Return whether a table with these headings has refused rows."""
    return tuple(headings[-2:]) == REFUSED_COLUMNS

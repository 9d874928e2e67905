"""How do the bytes of a GEDCOM file become a tree of lines?

    0 @I1@ INDI
    1 NAME Mary Ann /Brown/

All versions share this form: level, name, tag, value.  A line belongs to the nearest line above it
with a lower level, and CONT and CONC lines are part of the value they continue.  Lines are read
leniently.  One may be indented, its cross-reference may lack the closing sign, and a line that does
not start with a level is most likely the rest of the one before, broken by a program that forgot to
write CONT.  Every line of the file is in exactly one structure or among the lost, so that whoever
uses the structures can account for all of them.

The header names an encoding, but programs err.  A byte order mark is trusted before it, and so is
text that is valid UTF-8 with letters beyond ASCII: no other encoding looks like that by accident.
ANSEL, the old encoding of libraries, writes a diacritic before its letter and Unicode after it, so
marks wait for their letter, and several of them keep their order.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from operator import itemgetter

from forebear.ingest.report import Issue
from forebear.normalize.spelling import compose
from forebear.tables import read_table

DECLARED_ENCODING = re.compile(rb"[\r\n]\s*1[ \t]+CHAR[ \t]+([^\r\n]*)")
HEADER_BYTES = 1 << 16
# By the letters and digits of the header's word.
ENCODINGS = {
    "ANSEL": "ansel",
    "UTF8": "utf-8",
    "UNICODE": "utf-8",
    "UTF16": "utf-8",
    "ASCII": "cp1252",
    "USASCII": "cp1252",
    "ANSI": "cp1252",
    "WINDOWS": "cp1252",
    "IBMWINDOWS": "cp1252",
    "CP1252": "cp1252",
    "WINDOWS1252": "cp1252",
    "LATIN1": "cp1252",
    "ISO88591": "cp1252",
    "WINDOWS1250": "cp1250",
    "WINDOWS1251": "cp1251",
    "IBMPC": "cp437",
    "IBM": "cp437",
    "IBMDOS": "cp437",
    "MSDOS": "cp437",
    "OEM": "cp437",
    "CP437": "cp437",
    "CP850": "cp850",
    "MACINTOSH": "mac_roman",
    "MAC": "mac_roman",
}
LINE_END = re.compile(r"\r\n|\n\r|\r|\n")
LINE = re.compile(
    r"[\s\ufeff\0]*(?P<level>\d+)[ \t]+"
    r"(?:@(?P<xref>[^@]+)@[ \t]*|@(?P<open>[^@\s]+)[ \t]+)?"
    r"(?P<tag>[A-Za-z_][A-Za-z0-9_]*|[A-Za-z0-9_]+)(?:[ \t](?P<value>.*))?",
    re.DOTALL,
)
MAX_LEVEL = 99
POINTER = re.compile(r"@([^@#][^@]*)@")
VOID = "VOID"  # GEDCOM 7: someone who is not in this file


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """The text of a file, its encoding, and notes for the report."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode_gedcom(data: bytes) -> Decoded:
    """Return the text of a GEDCOM file; bytes without meaning become replacement characters."""
    if marked := _marked(data):
        return _decode(data, marked)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        match = DECLARED_ENCODING.search(data[:HEADER_BYTES])
        declared = match[1].decode("ascii", "replace").strip() if match else ""
        name = ENCODINGS.get("".join(filter(str.isalnum, declared.upper())), "")
        if name in ("", "utf-8"):
            return _decode(data, "cp1252", f"the text is not {declared or 'UTF-8'}, read as cp1252")
        return _decode(data, name)
    return Decoded(text=text, encoding="utf-8")


def _marked(data: bytes) -> str:
    """Return the encoding that the first bytes show, if any."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data[1:2] == b"\0":  # the file starts with the digit 0
        return "utf-16-le"
    return "utf-16-be" if data[:1] == b"\0" else ""


def _decode(data: bytes, encoding: str, *notes: str) -> Decoded:
    if encoding == "ansel":
        text, unknown = decode_ansel(data)
    else:
        text = data.decode(encoding, "replace")
        unknown = text.count("\N{REPLACEMENT CHARACTER}")
    if unknown:
        notes = (*notes, f"{unknown} characters have no meaning in {encoding}")
    return Decoded(text=text, encoding=encoding, notes=notes)


def decode_ansel(data: bytes) -> tuple[str, int]:
    """Return the text, composed, and how many bytes have no meaning in ANSEL."""
    letters, marks = _ansel_characters()
    text: list[str] = []
    waiting = ""
    unknown = 0
    for byte in data:
        if byte in marks:
            waiting += marks[byte]
            continue
        letter = chr(byte) if byte < 0x80 else letters.get(byte, "")
        if not letter:
            unknown += 1
            letter = "\N{REPLACEMENT CHARACTER}"
        text.append(letter + waiting)
        waiting = ""
    return compose("".join(text) + waiting), unknown


@cache
def _ansel_characters() -> tuple[dict[int, str], dict[int, str]]:
    letters: dict[int, str] = {}
    marks: dict[int, str] = {}
    for row in read_table("ingest/ansel"):
        kind = marks if row["kind"] == "mark" else letters
        kind[int(row["byte"], 16)] = chr(int(row["codepoint"], 16))
    return letters, marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line whose form is close enough to the standard's."""

    number: int
    level: int
    tag: str
    xref: str = ""
    value: str = ""
    fault: str = ""  # what the standard does not allow


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line that does not have the form of one."""

    number: int
    text: str
    fault: str

    @property
    def is_blank(self) -> bool:
        """Return whether the line has no text that could be lost."""
        return not self.text.strip()


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a text, whatever ends them; the last may have no end."""
    start = 0
    number = 0
    for end in LINE_END.finditer(text):
        number += 1
        yield number, text[start : end.start()]
        start = end.end()
    if start < len(text):
        yield number + 1, text[start:]


def parse_line(number: int, text: str) -> Line | BadLine:
    """Return what a line says."""
    match = LINE.fullmatch(text)
    if match is None:
        blank = not text.strip(" \t\r\n\0\ufeff\x1a")
        fault = "blank line" if blank else "not a GEDCOM line"
        return BadLine(number=number, text="" if blank else text, fault=fault)
    level = match["level"]
    if len(level) > 2 and int(level[:4]) > MAX_LEVEL:
        return BadLine(number=number, text=text, fault=f"level {level[:4]} is beyond {MAX_LEVEL}")
    return Line(
        number=number,
        level=int(level),
        tag=match["tag"].upper(),
        xref=match["xref"] or match["open"] or "",
        value=match["value"] or "",
        fault="cross-reference without its closing @" if match["open"] else "",
    )


def read_lines(text: str) -> Iterator[Line | BadLine]:
    """Yield every line of a text."""
    return (parse_line(number, line) for number, line in split_lines(text))


@dataclass(slots=True, kw_only=True, eq=False)
class Structure:
    """A line with the lines that belong to it."""

    line: int
    tag: str
    level: int = 0
    xref: str = ""
    value: str = ""
    children: list["Structure"] = field(default_factory=list)
    continued: list[int] = field(default_factory=list)  # lines that are part of the value

    @property
    def text(self) -> str:
        """Return the value without blanks around it."""
        return self.value.strip()

    @property
    def pointer(self) -> str:
        """Return the name of the structure that the value points to, if it is a pointer."""
        match = POINTER.fullmatch(self.text)
        return match[1] if match and match[1] != VOID else ""

    def all(self, *tags: str) -> Iterator["Structure"]:
        """Yield the children with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> "Structure | None":
        """Return the first child with one of these tags."""
        return next(self.all(*tags), None)

    def text_of(self, *tags: str) -> str:
        """Return what the first child with one of these tags says."""
        child = self.first(*tags)
        return child.text if child else ""

    def walk(self) -> Iterator["Structure"]:
        """Yield the structure and everything below it, in the order of the file."""
        waiting = [self]
        while waiting:
            structure = waiting.pop()
            yield structure
            waiting.extend(reversed(structure.children))

    def line_numbers(self) -> Iterator[int]:
        """Yield the number of every line that the structure covers."""
        for structure in self.walk():
            yield structure.line
            yield from structure.continued


@dataclass(slots=True)
class Forest:
    """The structures of level 0, in their order, and the lines that are in none."""

    roots: list[Structure] = field(default_factory=list)
    faults: list[Issue] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)  # lines that could not be placed
    line_count: int = 0


def build_structures(lines: Iterable[Line | BadLine]) -> Forest:
    """Return the lines of a file as structures."""
    builder = _ForestBuilder()
    for line in lines:
        builder.add(line)
    return builder.finish()


class _ForestBuilder:
    """Puts each line below the nearest above it with a lower level."""

    def __init__(self) -> None:
        self._forest = Forest()
        self._open: list[Structure] = []  # from the root down to the last line
        self._rests: list[tuple[Structure, str]] = []  # of values, on the lines after them

    def add(self, line: Line | BadLine) -> None:
        self._forest.line_count = line.number
        if isinstance(line, BadLine):
            self._add_bad(line)
        elif line.tag in ("CONT", "CONC") and self._open:
            del self._open[max(1, self._depth(line.level)) :]
            self._continue_value(
                line.number, f"\n{line.value}" if line.tag == "CONT" else line.value
            )
        else:
            self._place(line)

    def finish(self) -> Forest:
        for owner, values in groupby(self._rests, key=itemgetter(0)):
            owner.value += "".join(rest for _, rest in values)
        return self._forest

    def _add_bad(self, line: BadLine) -> None:
        """Append a line without a level to the value before it, or list it as lost."""
        if line.is_blank or not self._open or line.fault.startswith("level"):
            self._forest.lost.append(line.number)
            self._report(line.number, line.fault, "" if line.is_blank else repr(line.text[:80]))
        else:
            self._continue_value(line.number, f"\n{line.text}")
            self._report(line.number, "taken for the rest of the line before", line.fault)

    def _continue_value(self, number: int, rest: str) -> None:
        self._rests.append((self._open[-1], rest))
        self._open[-1].continued.append(number)

    def _place(self, line: Line) -> None:
        structure = Structure(
            line=line.number, level=line.level, tag=line.tag, xref=line.xref, value=line.value
        )
        if line.fault:
            self._report(line.number, line.fault, line.xref)
        del self._open[self._depth(line.level) :]
        if not self._open:
            self._forest.roots.append(structure)
            if line.level:
                self._report(line.number, "belongs to no record", line.tag)
        else:
            above = self._open[-1]
            if line.level > above.level + 1:
                self._report(line.number, "level skipped", f"from {above.level} to {line.level}")
            above.children.append(structure)
        self._open.append(structure)

    def _depth(self, level: int) -> int:
        """Return how many of the open structures a line of this level lies below."""
        depth = len(self._open)
        while depth and self._open[depth - 1].level >= level:
            depth -= 1
        return depth

    def _report(self, number: int, reason: str, detail: str) -> None:
        self._forest.faults.append(Issue(line=number, reason=reason, detail=detail))

"""What does one line of GEDCOM say: level, name, tag, value?

    0 @I1@ INDI
    1 NAME Mary Ann /Brown/

All versions share this form.  Leniently read, it may be indented, its cross-reference may
lack the closing sign, and a line that does not start with a level is most likely the rest
of the one before, broken by a program that forgot to write CONT.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LINE_END = re.compile(r"\r\n|\n\r|\r|\n")
LINE = re.compile(
    r"[\s\ufeff\0]*(?P<level>\d+)[ \t]+"
    r"(?:@(?P<xref>[^@]+)@[ \t]*|@(?P<open>[^@\s]+)[ \t]+)?"
    r"(?P<tag>[A-Za-z_][A-Za-z0-9_]*|[A-Za-z0-9_]+)(?:[ \t](?P<value>.*))?",
    re.DOTALL,
)
MAX_LEVEL = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that is well enough formed."""

    number: int
    level: int
    tag: str
    xref: str = ""
    value: str = ""
    fault: str = ""  # what had to be forgiven


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line that has not the form of one."""

    number: int
    text: str
    fault: str

    @property
    def is_blank(self) -> bool:
        """Say whether there is nothing on it to be lost."""
        return not self.text.strip()


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a text, whatever ends them; the last may be unended."""
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

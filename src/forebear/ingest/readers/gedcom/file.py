"""What is in a GEDCOM or GEDZIP file, and what became of each of its lines?

A file has structures, some of which point to others by cross-references.

A line is *understood* if its meaning went into a record or is about the file itself, *kept* if it
is in a record as it was in the file, and *reported* if it went into none and the report says that.
All other lines are reported at the end, so that none can be forgotten.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.readers.gedcom.lines import (
    LINE_END,
    Decoded,
    Line,
    Structure,
    build_structures,
    decode_gedcom,
    parse_line,
    read_lines,
)
from forebear.ingest.readers.safe_files import MAX_BYTES, open_zip, read_at_most, read_member
from forebear.ingest.readers.source import LineCounts, check_is_file
from forebear.ingest.report import Issue

MEMBER = "gedcom.ged"  # what GEDZIP calls the tree inside
ZIP_MARK = b"PK\x03\x04"
UNKNOWN, REPORTED, KEPT, UNDERSTOOD = range(4)


@dataclass(frozen=True, slots=True, kw_only=True)
class GedcomFile:
    """A tree as its file has it."""

    path: Path
    version: str
    encoding: str
    roots: tuple[Structure, ...]
    faults: tuple[Issue, ...]
    lost: tuple[int, ...]  # lines that are in no structure
    line_count: int
    size_bytes: int
    by_xref: dict[str, Structure]  # the first of each name

    def target(self, structure: Structure) -> Structure | None:
        """Return what a structure points to, if it is in the file."""
        return self.by_xref.get(structure.pointer) if structure.pointer else None


def read_gedcom(path: Path) -> GedcomFile:
    """Read a file of any version; refuse one that is no GEDCOM at all."""
    data = _read_bytes(path)
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf\xfe\xff"):
        raise InputError(f"{path}:1: the file is empty", hint="export the tree again")
    decoded = decode_gedcom(data)
    _check_start(path, decoded)
    forest = build_structures(read_lines(decoded.text))
    header = forest.roots[0].first("GEDC") if forest.roots[0].tag == "HEAD" else None
    version = header.text_of("VERS") if header else ""
    _unescape(forest.roots, leading_only=version.startswith("7"))
    by_xref = {root.xref: root for root in reversed(forest.roots) if root.xref}
    faults = [Issue(line=1, reason=note) for note in decoded.notes] + forest.faults
    faults.extend(_repeated(forest.roots, by_xref))
    faults.extend(_dangling(forest.roots, by_xref))
    if forest.roots[0].tag != "HEAD":
        faults.append(Issue(line=forest.roots[0].line, reason="no header"))
    if forest.roots[-1].tag != "TRLR":
        faults.append(Issue(line=forest.line_count, reason="no trailer: the file may be cut short"))
    return GedcomFile(
        path=path,
        version=version,
        encoding=decoded.encoding,
        roots=tuple(forest.roots),
        faults=tuple(sorted(faults, key=lambda issue: issue.line)),
        lost=tuple(forest.lost),
        line_count=forest.line_count,
        size_bytes=len(data),
        by_xref=by_xref,
    )


def _read_bytes(path: Path) -> bytes:
    check_is_file(path)
    with path.open("rb") as file:
        if file.read(len(ZIP_MARK)) != ZIP_MARK:
            file.seek(0)
            return read_at_most(file, MAX_BYTES, str(path))
    with open_zip(path) as archive:
        return read_member(archive, MEMBER)


def _check_start(path: Path, decoded: Decoded) -> None:
    """Refuse a file whose first line that is not blank is no line of level 0."""
    for number, text in enumerate(LINE_END.split(decoded.text[:1000]), start=1):
        if not text.strip(" \t\0\ufeff"):
            continue
        first = parse_line(number, text)
        if isinstance(first, Line) and first.level == 0:
            return
        raise InputError(
            f"{path}:{number}: this is not GEDCOM: the first line is {text[:40]!r}",
            hint="a GEDCOM file starts with the line 0 HEAD",
        )
    raise InputError(
        f"{path}:1: this is not GEDCOM: it starts with blank lines only",
        hint="a GEDCOM file starts with the line 0 HEAD",
    )


def _repeated(roots: list[Structure], by_xref: dict[str, Structure]) -> Iterator[Issue]:
    for root in roots:
        if root.xref and by_xref[root.xref] is not root:
            yield Issue(
                line=root.line,
                reason="cross-reference given twice",
                detail=f"@{root.xref}@ is on line {by_xref[root.xref].line} too",
            )


def _dangling(roots: list[Structure], by_xref: dict[str, Structure]) -> Iterator[Issue]:
    for root in roots:
        for structure in root.walk():
            if structure.pointer and structure.pointer not in by_xref and root.tag != "HEAD":
                yield Issue(
                    line=structure.line,
                    reason="points to nothing in the file",
                    detail=f"{structure.tag} {structure.text}",
                )


def _unescape(roots: list[Structure], *, leading_only: bool) -> None:
    """Turn @@ into @: everywhere up to version 5, at the start of a line in version 7."""
    for root in roots:
        for structure in root.walk():
            if "@@" not in structure.value:
                continue
            if leading_only:
                lines = structure.value.split("\n")
                structure.value = "\n".join(
                    line[1:] if line.startswith("@@") else line for line in lines
                )
            else:
                structure.value = structure.value.replace("@@", "@")


class LineAccount:
    """The fate of each line, by number; the best that happened to it counts."""

    def __init__(self, line_count: int) -> None:
        self._fates = bytearray(line_count + 1)
        self._settled: set[Structure] = set()  # without an unsettled line
        self._retained: set[Structure] = set()

    def understand(self, *structures: Structure | None) -> None:
        """Note that the meaning of these lines went into a record; not that of those below."""
        for structure in structures:
            if structure is not None and self._fates[structure.line] != UNDERSTOOD:
                self._note((structure.line, *structure.continued), UNDERSTOOD)

    def understand_whole(self, structure: Structure) -> None:
        """Note that a structure with all below it is about the file and not about a person."""
        self._note(structure.line_numbers(), UNDERSTOOD)

    def keep(self, structure: Structure) -> None:
        """Note that a structure with all below it is in a record as it was in the file."""
        if structure not in self._retained:
            self._retained.add(structure)
            self._note(structure.line_numbers(), KEPT)

    def report(self, lines: Iterable[int]) -> None:
        """Note that the report names these lines."""
        self._note(lines, REPORTED)

    def unsettled(self, structure: Structure) -> list[int]:
        """Return the lines of a structure that have no fate yet."""
        if structure in self._settled:
            return []
        lines = [line for line in structure.line_numbers() if self._fates[line] == UNKNOWN]
        if not lines:
            self._settled.add(structure)
        return lines

    def count(self) -> LineCounts:
        """Return how many lines had which fate; every line has one when reading is done."""
        fates = self._fates[1:]
        return LineCounts(
            understood=fates.count(UNDERSTOOD),
            retained=fates.count(KEPT),
            reported=fates.count(REPORTED) + fates.count(UNKNOWN),
        )

    def _note(self, lines: Iterable[int], fate: int) -> None:
        for line in lines:
            self._fates[line] = max(self._fates[line], fate)

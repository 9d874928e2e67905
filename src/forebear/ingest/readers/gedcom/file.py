"""What is in a GEDCOM or GEDZIP file?  Its structures, found by their cross-references."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.issues import Issue
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
from forebear.ingest.readers.source import check_is_file

MEMBER = "gedcom.ged"  # what GEDZIP calls the tree inside
ZIP_MARK = b"PK\x03\x04"


@dataclass(frozen=True, slots=True, kw_only=True)
class GedcomFile:
    """A tree as it stands in its file."""

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
    version = _version(forest.roots)
    _unescape(forest.roots, leading_only=version.startswith("7"))
    by_xref: dict[str, Structure] = {}
    faults = [Issue(line=1, reason=note) for note in decoded.notes] + forest.faults
    for root in forest.roots:
        if root.xref and by_xref.setdefault(root.xref, root) is not root:
            detail = f"@{root.xref}@ stands on line {by_xref[root.xref].line} too"
            faults.append(
                Issue(line=root.line, reason="cross-reference given twice", detail=detail)
            )
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
    """Refuse a file whose first line is none of level 0."""
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
    raise InputError(f"{path}:1: this is not GEDCOM", hint="it starts with the line 0 HEAD")


def _dangling(roots: list[Structure], by_xref: dict[str, Structure]) -> Iterator[Issue]:
    for root in roots:
        for structure in root.walk():
            if structure.pointer and structure.pointer not in by_xref and root.tag != "HEAD":
                yield Issue(
                    line=structure.line,
                    reason="points to nothing in the file",
                    detail=f"{structure.tag} {structure.text}",
                )


def _version(roots: list[Structure]) -> str:
    header = roots[0].first("GEDC") if roots and roots[0].tag == "HEAD" else None
    return header.text_of("VERS") if header else ""


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

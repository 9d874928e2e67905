"""Which reader reads a file, and does a table have the columns that its mapping names?

A mapping says its file's format; without a mapping the first bytes tell.  Tables need a
mapping to be understood, the other formats say themselves what is what, so their mapping is
only a collection's name and title (``{file}`` stands for the name of the file).
"""

import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

from msgspec.structs import replace

from forebear.errors import InputError
from forebear.ingest.assemble import TableSource
from forebear.ingest.mapping import Format, Mapping, TableFormat
from forebear.ingest.readers.freereg import is_freereg, open_freereg
from forebear.ingest.readers.safe_files import open_zip
from forebear.ingest.readers.source import Source, Table, TargetCollections, check_is_file
from forebear.ingest.readers.spreadsheet import open_spreadsheet, spreadsheet_format
from forebear.ingest.readers.table import open_table

START_BYTES = 4096
SHOWN_HEADINGS = 8
OWN_NAME = "{file}"
GEDCOM_MEMBER = "gedcom.ged"
# Formats whose files hold records of many types.
MIXED: frozenset[Format] = frozenset({"a2a", "jsonl"})


def open_source(path: Path, mapping: Mapping, *, is_checked: bool = False) -> Source:
    """Open a file with the reader of its format; a table is checked unless it was before."""
    mapping = name_after_file(mapping, path)
    target = TargetCollections(collection=mapping.to_collection(), by_type=mapping.format in MIXED)
    if mapping.format == "table":
        table = open_mapped_table(path, mapping, is_checked=is_checked)
        return TableSource(table, target, mapping)
    return _reader(mapping.format)(path, target)


def name_after_file(mapping: Mapping, path: Path) -> Mapping:
    """Return the mapping with the file's name where it says ``{file}``."""
    entry = mapping.collection
    if OWN_NAME not in entry.name + entry.title:
        return mapping
    name = re.sub(r"[\s:]+", "_", path.stem) or "file"
    named = replace(
        entry,
        name=entry.name.replace(OWN_NAME, name),
        title=entry.title.replace(OWN_NAME, path.name),
    )
    return replace(mapping, collection=named)


def sniff_format(path: Path) -> Format:
    """Return the format that a file's first bytes show; a table if they show none."""
    check_is_file(path)
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    if start.startswith(b"PK\x03\x04"):
        return _zip_format(path)
    if start.startswith(b"\x1f\x8b"):
        return "gramps"
    text = start.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if re.match(rb"0[ \t]+(HEAD\b|@)", text):
        return "gedcom"
    if text.startswith(b"<"):
        return "gramps" if b"gramps-project.org" in text else "a2a"
    return "jsonl" if text.startswith(b"{") else "table"


def _zip_format(path: Path) -> Format:
    with open_zip(path) as archive:
        members = archive.namelist()
    if GEDCOM_MEMBER in members:
        return "gedcom"
    if spreadsheet_format(path):
        return "table"
    raise InputError(
        f"{path}: a ZIP archive, but neither a spreadsheet nor GEDZIP",
        hint="unpack it and import the files in it",
    )


def _reader(name: Format) -> Callable[[Path, TargetCollections], Source]:
    # Each is loaded when it is needed: most imports are of tables.
    if name == "gedcom":
        from forebear.ingest.readers.gedcom.people import GedcomSource

        return GedcomSource
    if name == "gramps":
        from forebear.ingest.readers.gramps import GrampsSource

        return GrampsSource
    if name == "a2a":
        from forebear.ingest.readers.a2a import A2ASource

        return A2ASource
    if name == "jsonl":
        from forebear.ingest.readers.jsonl import JsonLinesSource

        return JsonLinesSource
    from forebear.ingest.readers.text import TextSource

    return TextSource


def open_any_table(path: Path, shape: TableFormat | None = None) -> Table:
    """Look at a file and return it as a table of its format, stated or detected."""
    table = shape or TableFormat()
    check_is_file(path)
    if spreadsheet_format(path):
        return open_spreadsheet(path, sheet=table.sheet)
    if is_freereg(path):
        return open_freereg(path, encoding=table.encoding)
    return open_table(path, delimiter=table.delimiter, encoding=table.encoding, quote=table.quote)


def open_mapped_table(path: Path, mapping: Mapping, *, is_checked: bool = False) -> Table:
    """Open a file as its mapping says; refuse one that lacks a column or cannot be read.

    The file is read to its end to check it, unless that was done before.
    """
    table = open_any_table(path, mapping.table)
    lacking = sorted(mapping.columns - set(table.headings))
    if len(lacking) == len(mapping.columns):
        raise _no_heading_error(table, mapping)
    if lacking:
        raise _lacking_error(table, lacking, mapping)
    if not is_checked:
        table.check()
    return table


def _no_heading_error(table: Table, mapping: Mapping) -> InputError:
    shown = ", ".join(repr(heading) for heading in table.headings[:SHOWN_HEADINGS])
    expected = ", ".join(repr(column) for column in sorted(mapping.columns)[:SHOWN_HEADINGS])
    return InputError(
        f"{table.path}:{table.heading_line}: no heading row for {mapping.collection.name!r}: "
        f"found {shown}",
        hint=f"the first row must name the columns, among them {expected}; "
        "if it names others, use another mapping",
    )


def _lacking_error(table: Table, lacking: list[str], mapping: Mapping) -> InputError:
    columns = "column" if len(lacking) == 1 else "columns"
    return InputError(
        f"{table.path}:{table.heading_line}: no {columns} "
        f"{', '.join(repr(column) for column in lacking)}, "
        f"which the mapping of {mapping.collection.name!r} names",
        hint="; ".join(_nearest(column, table.headings) for column in lacking),
    )


def _nearest(column: str, headings: tuple[str, ...]) -> str:
    folded = {heading.casefold(): heading for heading in headings}
    near = get_close_matches(column.casefold(), list(folded), n=3, cutoff=0.5)
    if not near:
        return f"no column of the file is similar to {column!r}"
    return f"most similar to {column!r}: {', '.join(repr(folded[name]) for name in near)}"

"""Which reader reads a file?

A mapping says its file's format; without a mapping the first bytes tell.  Tables need a
mapping to be understood, the other formats say themselves what is what, so their mapping is
only a collection's name and title (``{file}`` stands for the file's own name).
"""

import re
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from forebear.errors import InputError
from forebear.ingest.mapping import Format, Mapping
from forebear.ingest.readers.safe_files import open_zip
from forebear.ingest.readers.source import Shelf, Source, check_is_file
from forebear.ingest.readers.spreadsheet import spreadsheet_format
from forebear.ingest.readers.table_source import TableSource

START_BYTES = 4096
OWN_NAME = "{file}"
GEDCOM_MEMBER = "gedcom.ged"
# Formats whose files hold records of many types.
MIXED: frozenset[Format] = frozenset({"a2a", "jsonl"})


def open_source(path: Path, mapping: Mapping, *, is_checked: bool = False) -> Source:
    """Open a file with the reader of its format; a table is checked unless it was before."""
    mapping = name_after_file(mapping, path)
    target = Shelf(collection=mapping.to_collection(), by_type=mapping.format in MIXED)
    if mapping.format == "table":
        return TableSource(path, target, mapping, is_checked=is_checked)
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


def _reader(name: Format) -> Callable[[Path, Shelf], Source]:
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

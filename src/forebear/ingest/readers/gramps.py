"""How is a tree of Gramps read: .gramps (gzip), .gpkg, or plain XML?

Gramps writes people, families, events, places, sources and notes as separate objects that refer to
each other by handles.  Written as structures of GEDCOM they are a tree like any other, so the
reader of those trees makes the records.
"""

import io
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from forebear.errors import InputError
from forebear.ingest.readers.gedcom.file import GedcomFile
from forebear.ingest.readers.gedcom.lines import Structure
from forebear.ingest.readers.gedcom.people import TreeReader
from forebear.ingest.readers.safe_files import (
    MAX_BYTES,
    find_elements,
    in_pieces,
    read_at_most,
    read_gzip,
)
from forebear.ingest.readers.source import Entry, TargetCollections, check_is_file
from forebear.tables import read_table

GZIP_MARK = b"\x1f\x8b"
TAR_MARK_AT, TAR_MARK = 257, b"ustar"
KINDS = ("person", "family", "event", "placeobj", "source", "citation", "note", "object")
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
SEXES = {"M": "M", "F": "F"}
ISO = re.compile(r"(\d{1,4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
BEFORE = {"about": "ABT", "before": "BEF", "after": "AFT", "from": "FROM", "to": "TO"}
QUALITY = {"estimated": "EST", "calculated": "CAL"}
CALENDARS = {"Julian": "@#DJULIAN@", "Hebrew": "@#DHEBREW@", "French Republican": "@#DFRENCH R@"}
NAME_TYPES = {"Birth Name": "birth", "Married Name": "married", "Also Known As": "aka"}
MAX_PLACE_LEVELS = 12


class GrampsSource:
    """The people of a Gramps tree, one record each."""

    has_groups = False

    def __init__(self, path: Path, target: TargetCollections) -> None:
        data = _read_bytes(path)
        self.path = path
        self.target = target
        self.size_bytes = len(data)
        roots = tuple(_Tree(data, path).structures())
        if not roots:
            raise InputError(f"{path}: no people in this XML", hint="export it from Gramps again")
        self._reader = TreeReader(
            GedcomFile(
                path=path,
                version="gramps",
                encoding="utf-8",
                roots=roots,
                faults=(),
                lost=(),
                line_count=max(line for root in roots for line in root.line_numbers()),
                size_bytes=len(data),
                by_xref={root.xref: root for root in reversed(roots)},
            ),
            collection=target.collection.name,
        )

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each person."""
        return self._reader.entries()

    def lines(self) -> dict[str, int]:
        """Return nothing: XML is not a matter of lines."""
        return {}


class _Tree:
    """The objects of a file by their handles, and their structures."""

    def __init__(self, data: bytes, path: Path) -> None:
        self._objects: dict[str, Element] = {}
        self._lines: dict[str, int] = {}
        self._ids: dict[str, str] = {}
        for located in find_elements(in_pieces(data), KINDS, where=str(path)):
            handle = located.element.get("handle", "")
            self._objects[handle] = located.element
            self._lines[handle] = located.line
            self._ids[handle] = located.element.get("id") or handle
        self._events = {row["word"]: row["tag"] for row in read_table("ingest/gramps_events")}

    def structures(self) -> Iterator[Structure]:
        """Yield every person and family."""
        for handle, element in self._objects.items():
            if element.tag == "person":
                yield self._person(handle, element)
            elif element.tag == "family":
                yield self._family(handle, element)

    def _person(self, handle: str, element: Element) -> Structure:
        root = self._root(handle, "INDI")
        _add(root, "RESN", "privacy" if element.get("priv") == "1" else "")
        for name in element.findall("name"):
            _add_name(root, name)
        _add(root, "SEX", SEXES.get(element.findtext("gender") or "", ""))
        self._add_events(root, element)
        for attribute in element.findall("attribute"):
            fact = _add(root, "FACT", attribute.get("value", ""))
            _add(fact, "TYPE", attribute.get("type", ""))
        self._add_links(root, element)
        return root

    def _family(self, handle: str, element: Element) -> Structure:
        root = self._root(handle, "FAM")
        _add(root, "RESN", "privacy" if element.get("priv") == "1" else "")
        for tag, name in (("father", "HUSB"), ("mother", "WIFE"), ("childref", "CHIL")):
            for link in element.findall(tag):
                _add(root, name, f"@{self._ids.get(link.get('hlink', ''), '?')}@")
        self._add_events(root, element)
        self._add_links(root, element)
        return root

    def _root(self, handle: str, tag: str) -> Structure:
        return Structure(line=self._lines[handle], tag=tag, xref=self._ids[handle])

    def _add_events(self, root: Structure, owner: Element) -> None:
        for link in owner.findall("eventref"):
            event = self._objects.get(link.get("hlink", ""))
            if event is None or link.get("role", "Primary") not in ("Primary", "Family"):
                continue
            kind = event.findtext("type") or ""
            tag = self._events.get(kind.casefold(), "EVEN")
            fact = _add(root, tag, event.findtext("description") or "", always=True)
            # A death without details is kept, but it does not state that the person died.
            if tag in ("EVEN", "DEAT"):
                _add(fact, "TYPE", kind)
            _add(fact, "DATE", _date(event))
            place = event.find("place")
            _add(fact, "PLAC", self._place(place.get("hlink", "")) if place is not None else "")
            self._add_links(fact, event)

    def _add_links(self, root: Structure, owner: Element) -> None:
        for link in owner.findall("noteref"):
            note = self._objects.get(link.get("hlink", ""))
            _add(root, "NOTE", (note.findtext("text") or "") if note is not None else "")
        for link in owner.findall("citationref"):
            citation = self._objects.get(link.get("hlink", ""))
            if citation is not None:
                source = self._objects.get(_hlink(citation, "sourceref"))
                title = source.findtext("stitle") if source is not None else ""
                cited = _add(root, "SOUR", title or "", always=True)
                _add(cited, "PAGE", citation.findtext("page") or "")
        for link in owner.findall("objref"):
            picture = self._objects.get(link.get("hlink", ""))
            file = picture.find("file") if picture is not None else None
            if file is not None:
                _add(_add(root, "OBJE", "", always=True), "FILE", file.get("src", ""))

    def _place(self, handle: str) -> str:
        """Return the names of a place and of those around it, small to large."""
        names: list[str] = []
        seen: set[str] = set()
        while handle and handle not in seen and len(seen) < MAX_PLACE_LEVELS:
            seen.add(handle)
            place = self._objects.get(handle)
            if place is None:
                break
            name = place.find("pname")
            names.append(
                (name.get("value", "") if name is not None else "")
                or place.findtext("ptitle")
                or ""
            )
            handle = _hlink(place, "placeref")
        return ", ".join(name for name in names if name)


def _read_bytes(path: Path) -> bytes:
    check_is_file(path)
    with path.open("rb") as file:
        start = file.read(len(GZIP_MARK))
        file.seek(0)
        where = str(path)
        is_packed = start == GZIP_MARK
        data = read_gzip(file, where=where) if is_packed else read_at_most(file, MAX_BYTES, where)
    if data[TAR_MARK_AT : TAR_MARK_AT + len(TAR_MARK)] != TAR_MARK:
        return data
    inner = _tree_in_package(data, path)
    return read_gzip(io.BytesIO(inner), where=where) if inner.startswith(GZIP_MARK) else inner


def _tree_in_package(data: bytes, path: Path) -> bytes:
    """Return data.gramps of a .gpkg; its pictures are not read."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as package:
            for member in package:
                if member.isreg() and member.name.lstrip("./") == "data.gramps":
                    file = package.extractfile(member)
                    if file is not None:
                        return read_at_most(file, MAX_BYTES, f"{path}: {member.name}")
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: cannot be unpacked: {error}", hint="save it again") from error
    raise InputError(f"{path}: no data.gramps in the package", hint="export it again")


def _add(owner: Structure, tag: str, value: str, *, always: bool = False) -> Structure:
    """Put a structure below another, unless it has no value."""
    child = Structure(line=owner.line, level=owner.level + 1, tag=tag, value=value)
    if value or always:
        owner.children.append(child)
    return child


def _add_name(root: Structure, name: Element) -> None:
    surnames = name.findall("surname")
    parts = (part for element in surnames for part in (element.get("prefix"), element.text))
    value = f"{name.findtext('first') or ''} /{' '.join(filter(None, parts))}/"
    fact = _add(root, "NAME", value if value.strip(" /") else "")
    for tag, part in (("NSFX", "suffix"), ("NPFX", "title"), ("NICK", "nick")):
        _add(fact, tag, name.findtext(part) or "")
    kind = NAME_TYPES.get(name.get("type", "Birth Name"), "aka")
    _add(fact, "TYPE", "aka" if name.get("alt") == "1" and kind == "birth" else kind)
    _add(fact, "SPFX", surnames[0].get("prefix", "") if surnames else "")


def _hlink(element: Element, tag: str) -> str:
    link = element.find(tag)
    return link.get("hlink", "") if link is not None else ""


def _date(event: Element) -> str:
    """Return the date of an event in the words of GEDCOM."""
    for element in event:
        calendar = CALENDARS.get(element.get("cformat", ""), "")
        start, stop = (_day(element.get(end, ""), calendar) for end in ("start", "stop"))
        if element.tag == "daterange":
            return f"BET {start} AND {stop}"
        if element.tag == "datespan":
            return f"FROM {start} TO {stop}"
        if element.tag == "datestr":
            return element.get("val", "")
        if element.tag == "dateval":
            before = BEFORE.get(element.get("type", "")) or QUALITY.get(element.get("quality", ""))
            day = _day(element.get("val", ""), calendar)
            return f"{before} {day}" if before else day
    return ""


def _day(text: str, calendar: str) -> str:
    match = ISO.fullmatch(text)
    if match is None:
        return text
    year, month, day = (int(part or 0) for part in match.groups())
    parts = [str(day) if day else "", MONTHS[month - 1] if 0 < month <= 12 else "", str(year)]
    return " ".join(part for part in (calendar, *parts) if part)

"""How are archives and XML read without trusting them?

Nothing is written to disk, so a member's path can do no harm.  One that tries to leave its folder
is refused all the same, since an archive with such a path was made to do harm.  Sizes that an
archive states are not trusted: members are read up to a limit and no further.

Expat is given XML in pieces, and only the requested elements are built, one at a time, so a file
may be larger than memory.  An entity declaration is refused when it is declared, before anything
can refer to it: no bomb unfolds, and nothing outside the file is fetched.  A mere DOCTYPE, which
Gramps writes, is harmless.
"""

import gzip
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn
from xml.parsers import expat

from forebear.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_BYTES = 1 << 30  # one gigabyte unpacked
MAX_MEMBERS = 100_000
PIECE_BYTES = 1 << 18
ENCRYPTED = 0x1
ZIP_FAULTS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    UnicodeError,
)
TOO_LARGE = f"the archive holds more than {MAX_BYTES:,} bytes unpacked"
DAMAGED = "the file may be damaged or cut short: save or download it again"
XML_PIECE_BYTES = 1 << 16
MAX_DEPTH = 200
MAX_ELEMENT_CHARACTERS = 1 << 26  # of one entry; a register's page has some thousands


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a ZIP archive whose members all stay inside it."""
    try:
        archive = zipfile.ZipFile(path)
        names = archive.namelist()
    except ZIP_FAULTS as error:
        raise InputError(f"{path}: not a ZIP archive: {error}", hint=DAMAGED) from error
    if len(names) > MAX_MEMBERS:
        archive.close()
        raise InputError(
            f"{path}: {len(names):,} files in one archive", hint=f"at most {MAX_MEMBERS:,} are read"
        )
    for name in names:
        parts = name.replace("\\", "/").split("/")
        if ".." in parts or name.startswith(("/", "\\")) or ":" in parts[0]:
            archive.close()
            raise InputError(
                f"{path}: the archive holds {name!r}, which points outside of it",
                hint="an archive from a trustworthy program has no such path",
            )
    return archive


def read_member(archive: zipfile.ZipFile, name: str, *, limit: int = MAX_BYTES) -> bytes:
    """Return a member of an archive, unless it unpacks to more than the limit."""
    where = f"{archive.filename}: {name}"
    try:
        info = archive.getinfo(name)
        if info.flag_bits & ENCRYPTED:
            raise InputError(f"{where}: protected by a password", hint="save it without one")
        with archive.open(info) as file:
            return read_at_most(file, limit, where)
    except KeyError as error:
        raise InputError(f"{where}: not in the archive", hint="export it again") from error
    except InputError:
        raise
    except ZIP_FAULTS as error:
        raise InputError(f"{where}: cannot be unpacked: {error}", hint=DAMAGED) from error


def member_pieces(archive: zipfile.ZipFile, name: str, *, limit: int) -> Iterator[bytes]:
    """Yield a member of an archive in pieces, unless it unpacks to more than the limit."""
    where = f"{archive.filename}: {name}"
    try:
        if archive.getinfo(name).file_size > limit:  # as stated; the true size is counted below
            raise InputError(f"{where}: {TOO_LARGE}", hint="split the file")
        with archive.open(name) as file:
            while piece := file.read(PIECE_BYTES):
                limit -= len(piece)
                if limit < 0:
                    raise InputError(f"{where}: {TOO_LARGE}", hint="split the file")
                yield piece
    except InputError:
        raise
    except ZIP_FAULTS as error:
        raise InputError(f"{where}: cannot be unpacked: {error}", hint=DAMAGED) from error


def read_gzip(file: Path | IO[bytes], *, where: str, limit: int = MAX_BYTES) -> bytes:
    """Return what a gzip file unpacks to, unless that is more than the limit."""
    try:
        with gzip.open(file) as unpacked:
            return read_at_most(unpacked, limit, where)
    except InputError:
        raise
    except ZIP_FAULTS as error:
        raise InputError(f"{where}: cannot be unpacked: {error}", hint=DAMAGED) from error


def read_at_most(file: IO[bytes] | gzip.GzipFile, limit: int, where: str) -> bytes:
    """Return the whole file, or refuse it as too large."""
    data = bytearray()
    while piece := file.read(PIECE_BYTES):  # reading all at once would reserve all the limit
        data += piece
        if len(data) > limit:
            raise InputError(f"{where}: more than {limit:,} bytes unpacked", hint="split the file")
    return bytes(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedElement:
    """A requested element, complete, and where it starts."""

    name: str  # without the namespace
    element: "Element"  # its tags are without namespaces too
    line: int
    bytes_done: int


def find_elements(
    pieces: Iterable[bytes], names: Collection[str], *, where: str
) -> Iterator[LocatedElement]:
    """Yield the outermost elements with these local names; refuse what is no XML or not safe."""
    reader = _ElementReader(frozenset(names), where)
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.feed(b"", last=True)


def in_pieces(data: bytes) -> Iterator[bytes]:
    """Yield bytes in pieces."""
    return (data[start : start + XML_PIECE_BYTES] for start in range(0, len(data), XML_PIECE_BYTES))


@lru_cache(maxsize=4096)
def local_name(name: str) -> str:
    """Return a tag or attribute without its namespace."""
    return name.rpartition("}")[2].rpartition(":")[2]


def text_of(element: "Element | None", path: str = "") -> str:
    """Return all text of an element (or of the first at the path), blanks made single."""
    owner = element.find(path) if element is not None and path else element
    return " ".join("".join(owner.itertext()).split()) if owner is not None else ""


class _ElementReader:
    """Builds the requested elements while expat reads."""

    def __init__(self, names: frozenset[str], where: str) -> None:
        self._names = names
        self._where = where
        # Most files are tables, and loading the library takes longer than reading a small one.
        from xml.etree.ElementTree import TreeBuilder

        self._new_builder = TreeBuilder
        self._builder: TreeBuilder | None = None
        self._complete: list[LocatedElement] = []
        self._depth = self._inside = self._characters = self._line = 0
        self._parser = parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._external

    def feed(self, piece: bytes, *, last: bool = False) -> list[LocatedElement]:
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            self._fail(f"XML that cannot be read: {expat.ErrorString(error.code)}", DAMAGED)
        except (ValueError, LookupError) as error:
            if isinstance(error, InputError):
                raise
            self._fail(f"cannot be decoded: {error}", "save it as UTF-8")
        complete, self._complete = self._complete, []
        return complete

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"elements nested deeper than {MAX_DEPTH}", "this is no file of records")
        tag = local_name(name)
        if self._builder is None and tag in self._names:
            self._builder = self._new_builder()
            self._inside, self._characters = self._depth, 0
            self._line = self._parser.CurrentLineNumber
        if self._builder is not None:
            texts = {local_name(key): value for key, value in attributes.items()}
            self._count(len(tag) + sum(map(len, texts.values())))
            self._builder.start(tag, texts)

    def _end(self, name: str) -> None:
        if self._builder is not None:
            self._builder.end(local_name(name))
            if self._depth == self._inside:
                self._complete.append(
                    LocatedElement(
                        name=local_name(name),
                        element=self._builder.close(),
                        line=self._line,
                        bytes_done=max(self._parser.CurrentByteIndex, 0),
                    )
                )
                self._builder = None
        self._depth -= 1

    def _text(self, text: str) -> None:
        if self._builder is not None:
            self._count(len(text))
            self._builder.data(text)

    def _count(self, characters: int) -> None:
        self._characters += characters
        if self._characters > MAX_ELEMENT_CHARACTERS:
            self._fail(f"more than {MAX_ELEMENT_CHARACTERS:,} characters in one entry", "split it")

    def _entity(self, name: str, *_: object) -> NoReturn:
        self._fail(
            f"the file declares an entity, {name!r}",
            "entities are refused, since they can swell a file or fetch others; save it without",
        )

    def _external(self, *_: object) -> NoReturn:
        self._fail("the file refers to another file", "save it without external entities")

    def _fail(self, problem: str, hint: str) -> NoReturn:
        raise InputError(f"{self._where}:{self._parser.CurrentLineNumber}: {problem}", hint=hint)

"""How is XML read without trusting it?

Expat is given the file in pieces, and only the elements asked for are built, one at a time,
so a file may be larger than memory.  An entity declaration is refused when it is declared,
before anything can refer to it: no bomb unfolds, and nothing outside the file is fetched.  A
mere DOCTYPE, which Gramps writes, is harmless.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from forebear.errors import InputError

PIECE_BYTES = 1 << 16
MAX_DEPTH = 200
MAX_ELEMENT_CHARACTERS = 1 << 26  # of one entry; a register's page has some thousands


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An element that was asked for, complete, and where it starts."""

    name: str  # without the namespace
    element: Element  # its tags are without namespaces too
    line: int
    bytes_done: int


def find_elements(
    pieces: Iterable[bytes], names: Collection[str], *, where: str
) -> Iterator[Found]:
    """Yield the outermost elements of these local names; refuse what is no XML or not safe."""
    reader = _Reader(frozenset(names), where)
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.feed(b"", last=True)


def in_pieces(data: bytes) -> Iterator[bytes]:
    """Yield bytes in pieces."""
    return (data[start : start + PIECE_BYTES] for start in range(0, len(data), PIECE_BYTES))


@lru_cache(maxsize=4096)
def local_name(name: str) -> str:
    """Return a tag or attribute without its namespace."""
    return name.rpartition("}")[2].rpartition(":")[2]


def text_of(element: Element | None, path: str = "") -> str:
    """Return all text of an element (or of the first at the path), blanks made single."""
    found = element.find(path) if element is not None and path else element
    return " ".join("".join(found.itertext()).split()) if found is not None else ""


class _Reader:
    """Builds the wanted elements while expat reads."""

    def __init__(self, names: frozenset[str], where: str) -> None:
        self._names = names
        self._where = where
        self._found: list[Found] = []
        self._builder: TreeBuilder | None = None
        self._depth = self._inside = self._characters = self._line = 0
        self._parser = parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._external

    def feed(self, piece: bytes, *, last: bool = False) -> list[Found]:
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            self._fail(f"not well-formed XML: {expat.ErrorString(error.code)}", "save it again")
        except (ValueError, LookupError) as error:
            if isinstance(error, InputError):
                raise
            self._fail(f"cannot be decoded: {error}", "save it as UTF-8")
        found, self._found = self._found, []
        return found

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"elements nested deeper than {MAX_DEPTH}", "this is no file of records")
        tag = local_name(name)
        if self._builder is None and tag in self._names:
            self._builder = TreeBuilder()
            self._inside, self._characters = self._depth, 0
            self._line = self._parser.CurrentLineNumber
        if self._builder is not None:
            plain = {local_name(key): value for key, value in attributes.items()}
            self._count(len(tag) + sum(map(len, plain.values())))
            self._builder.start(tag, plain)

    def _end(self, name: str) -> None:
        if self._builder is not None:
            self._builder.end(local_name(name))
            if self._depth == self._inside:
                self._found.append(
                    Found(
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

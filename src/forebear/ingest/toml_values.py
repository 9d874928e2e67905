"""How does a table of a TOML file become a value, with nothing misspelled in it?

The dataclass is the schema: its fields are the keys, their types what a key may hold, and
a field without a default is required.  A lone value stands for a list of one.
"""

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from difflib import get_close_matches
from itertools import repeat
from types import UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from forebear.errors import MappingError

Value = TypeVar("Value")
TYPE_NAMES = {str: "text", int: "a whole number", bool: "true or false"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where in which file we are: the key, dotted from the top."""

    file: str
    key: str = ""

    def below(self, key: str) -> "Spot":
        """Return the place of a key inside this one."""
        return Spot(file=self.file, key=f"{self.key}.{key}" if self.key else key)

    def at(self, number: int) -> "Spot":
        """Return the place of an item of the list that stands here, the first being 1."""
        return Spot(file=self.file, key=f"{self.key}[{number}]")

    def fail(self, problem: str, hint: str) -> NoReturn:
        """Refuse what stands here."""
        at = f"{self.file}: {self.key}" if self.key else self.file
        raise MappingError(f"{at}: {problem}", hint=hint)


def fill(kind: type[Value], table: object, spot: Spot) -> Value:
    """Return a value of the dataclass ``kind`` made of a TOML table."""
    if not isinstance(table, dict):
        spot.fail(f"found {table!r}, wanted a table", f"keys of it: {_listed(_keys(kind))}")
    hints = get_type_hints(kind)
    for key in table:
        if key not in hints:
            spot.below(key).fail("unknown key", _suggestion(key, hints))
    for key in _required(kind):
        if key not in table:
            spot.below(key).fail("missing key", f"required here: {_listed(_required(kind))}")
    return kind(**{key: _convert(hints[key], item, spot.below(key)) for key, item in table.items()})


def _convert(hint: Any, item: object, spot: Spot) -> object:
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return fill(hint, item, spot)
    if origin is tuple:
        items = item if isinstance(item, list) else [item]
        spots = (spot.at(number) for number in range(1, len(items) + 1))
        return tuple(map(_convert, repeat(arguments[0]), items, spots))
    if origin is dict:
        return _convert_table(arguments[1], item, spot)
    if origin in (Union, UnionType):
        return _convert(arguments[0], item, spot)
    if origin is Literal:
        return item if item in arguments else _refuse(item, _listed(arguments), spot)
    return item if type(item) is hint else _refuse(item, TYPE_NAMES[hint], spot)


def _convert_table(hint: Any, item: object, spot: Spot) -> dict[str, object]:
    if not isinstance(item, dict):
        _refuse(item, "a table", spot)
    return {key: _convert(hint, each, spot.below(key)) for key, each in item.items()}


def _refuse(item: object, wanted: str, spot: Spot) -> NoReturn:
    spot.fail(f"found {item!r}", f"allowed here: {wanted}")


def _keys(kind: type) -> list[str]:
    return [entry.name for entry in fields(kind)]


def _required(kind: type) -> list[str]:
    return [
        entry.name
        for entry in fields(kind)
        if entry.default is MISSING and entry.default_factory is MISSING
    ]


def _suggestion(key: str, allowed: Iterable[str]) -> str:
    near = get_close_matches(key, list(allowed), n=1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    return f"{guess}allowed here: {_listed(allowed)}"


def _listed(words: Iterable[object]) -> str:
    return ", ".join(str(word) for word in words)

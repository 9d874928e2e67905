"""What is a record in JSON, and back?

The dataclasses are the form: a field is a key, what is as it is by default is left out, a
day is written ``1851-03-30``.  A value of another kind than the field's, and a key that is
none, are refused with the place where they stand.
"""

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from forebear.errors import RecordError
from forebear.records.collections import Collection
from forebear.records.record import Day, Record

Value = TypeVar("Value")
MAX_YEAR = 9999


def record_to_json(record: Record) -> dict[str, Any]:
    """Return a record as JSON has it."""
    return dict(_encode(record))


def record_from_json(value: object, *, collection: str = "") -> Record:
    """Return the record that a JSON object describes; ``collection`` if it names none."""
    if isinstance(value, dict):
        value = {"collection": collection, **value}
    return _decode(Record, value, "record")


def collection_to_json(collection: Collection) -> dict[str, Any]:
    """Return a collection as JSON has it."""
    return dict(_encode(collection))


def collection_from_json(value: object) -> Collection:
    """Return the collection that a JSON object describes."""
    return _decode(Collection, value, "collection")


def _encode(value: Any) -> Any:
    if isinstance(value, Day):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = [(entry, getattr(value, entry.name)) for entry in fields(value)]
        return {
            entry.name: _encode(part)
            for entry, part in parts
            if part != entry.default or type(part) is not type(entry.default)
        }
    if isinstance(value, tuple):
        return [_encode(part) for part in value]
    return value


def _decode(kind: type[Value], value: object, where: str) -> Value:
    if not isinstance(value, dict):
        _fail(where, value, "an object")
    fields_of: Any = kind
    hints = _hints(fields_of)
    for key in value:
        if key not in hints:
            raise RecordError(f"{where}: unknown key {key!r}", hint=f"known: {', '.join(hints)}")
    for name in _required(fields_of):
        if name not in value:
            raise RecordError(f"{where}: no {name!r}", hint="it is required")
    return kind(
        **{key: _convert(hints[key], part, f"{where}.{key}") for key, part in value.items()}
    )


def _convert(hint: Any, value: object, where: str) -> object:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Day:
        return _day(value, where)
    if isinstance(hint, type) and is_dataclass(hint):
        return _decode(hint, value, where)
    if origin is tuple:
        return _list(arguments, value, where)
    if origin in (Union, UnionType):
        if value is None and NoneType in arguments:
            return None
        return _convert(next(each for each in arguments if each is not NoneType), value, where)
    if origin is Literal:
        return value if value in arguments else _fail(where, value, " or ".join(arguments))
    return value if type(value) is hint else _fail(where, value, str(hint.__name__))


def _list(arguments: tuple[Any, ...], value: object, where: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        _fail(where, value, "a list")
    if arguments[-1] is Ellipsis:
        return tuple(
            _convert(arguments[0], each, f"{where}[{number}]") for number, each in enumerate(value)
        )
    if len(value) != len(arguments):
        _fail(where, value, f"{len(arguments)} values")
    return tuple(_convert(hint, each, where) for hint, each in zip(arguments, value, strict=True))


def _day(value: object, where: str) -> Day:
    parts = value.rsplit("-", 2) if isinstance(value, str) else []
    try:
        day = Day(*(int(part) for part in parts))
    except (TypeError, ValueError):
        _fail(where, value, "a day such as 1851-03-30")
    if not (abs(day.year) <= MAX_YEAR and 1 <= day.month <= 12 and 1 <= day.day <= 31):
        _fail(where, value, "a day such as 1851-03-30")
    return day


def _fail(where: str, value: object, wanted: str) -> NoReturn:
    raise RecordError(f"{where}: found {str(value)[:60]!r}, wanted {wanted}")


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _required(kind: Any) -> tuple[str, ...]:
    return tuple(
        entry.name
        for entry in fields(kind)
        if entry.default is MISSING and entry.default_factory is MISSING
    )

"""How are records and collections written as JSON, and read back?

There are two forms.  An archive stores the *stored form*: days are lists such as [1851,3,30], and
the headings of a source table, which every row repeats, are stored apart.  People write the
*exchange form*, one JSON object a line: days are texts such as "1851-03-30", relatives are objects,
and a row has its headings.  In both, a field that has its default is left out.
"""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import asdict, fields, replace

from forebear.errors import ForebearError, RecordError
from forebear.records.collections import Collection
from forebear.records.record import Day, Record, Value

AnyValue = TypeVar("AnyValue", bound=msgspec.Struct)

MAX_YEAR = 9999
DAY_KEYS = frozenset({"start", "end", "born_from", "born_to"})
STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")  # of a path in a message of msgspec
BACKTICKED = re.compile(r"`(.+?)`")
TYPE_WORDS = {str: "text", int: "a whole number", bool: "true or false"}
SHOWN_CHARACTERS = 60

_StoredRecord = msgspec.defstruct(
    "_StoredRecord",
    [
        ("row", tuple[str, ...], ())
        if field.name == "row"
        else (field.name, field.type, () if field.name == "personas" else field.default)
        for field in fields(Record)
    ],
    bases=(Value,),
    kw_only=True,
    frozen=True,
)
_encoder = msgspec.json.Encoder()
_record_decoder = msgspec.json.Decoder(_StoredRecord)
_collection_decoder = msgspec.json.Decoder(Collection)


def encode_record(record: Record) -> str:
    """Return a record in the stored form, without the headings of its row."""
    cells: Any = tuple([cell for _, cell in record.row])
    if record.personas:  # of a stored record an empty list is left out, of others it never is
        return _encoder.encode(replace(record, row=cells)).decode()
    return _encoder.encode(_StoredRecord(**{**asdict(record), "row": cells})).decode()


def encode_headings(columns: Sequence[str]) -> str:
    """Return the headings of a row as JSON."""
    return _encoder.encode(columns).decode()


def decode_record(text: str, headings: str) -> Record:
    """Return the record that its stored form and headings describe."""
    stored = asdict(_record_decoder.decode(text))
    stored["row"] = tuple(zip(_decode_headings(headings), stored["row"], strict=True))
    return Record(**stored)


@lru_cache(maxsize=256)
def _decode_headings(headings: str) -> tuple[str, ...]:
    return tuple(msgspec.json.decode(headings))


def encode_collection(collection: Collection) -> str:
    """Return a collection as JSON."""
    return _encoder.encode(collection).decode()


def decode_collection(text: str) -> Collection:
    """Return the collection that a JSON text describes."""
    return _collection_decoder.decode(text)


def record_to_json(record: Record) -> dict[str, Any]:
    """Return a record in the exchange form."""
    return dict(_to_exchange(msgspec.to_builtins(record)))


def record_from_json(value: object, *, collection: str = "") -> Record:
    """Return the record that its exchange form describes; ``collection`` if it names none."""
    if isinstance(value, dict):
        value = {"collection": collection, **value}
    try:
        return convert(_from_exchange(value, "record"), Record, _record_error("record"))
    except RecursionError:
        raise RecordError("record: nested too deeply") from None


def collection_to_json(collection: Collection) -> dict[str, Any]:
    """Return a collection in the exchange form."""
    return dict(msgspec.to_builtins(collection))


def collection_from_json(value: object) -> Collection:
    """Return the collection that its exchange form describes."""
    return convert(value, Collection, _record_error("collection"))


def _record_error(where: str) -> "ErrorMaker":
    return lambda path, problem, hint: RecordError(f"{where}{path}: {problem}", hint=hint)


def _to_exchange(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _to_exchange(part, name) for name, part in value.items()}
    if key in DAY_KEYS and value is not None:
        return str(Day(*value))
    if isinstance(value, (list, tuple)):
        if key == "relatives":
            return [{"key": name, "relation": relation} for name, relation in value]
        return [_to_exchange(part) for part in value]
    return value


def _from_exchange(value: Any, where: str) -> Any:
    """Return an exchange form with the days and relatives of the stored form."""
    if isinstance(value, list):
        return [_from_exchange(part, f"{where}[{n}]") for n, part in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"key", "relation"}:
        return [value["key"], value["relation"]]
    return {
        key: _read_day(part, f"{where}.{key}")
        if key in DAY_KEYS and part is not None
        else _from_exchange(part, f"{where}.{key}")
        for key, part in value.items()
    }


def _read_day(value: object, where: str) -> list[int]:
    parts = value.rsplit("-", 2) if isinstance(value, str) else []
    try:
        year, month, day = map(int, parts)
    except ValueError:
        year, month, day = 0, 0, 0
    if not (abs(year) <= MAX_YEAR and 1 <= month <= 12 and 1 <= day <= 31):
        raise RecordError(f"{where}: found {_short(value)}, expected a day such as 1851-03-30")
    return [year, month, day]


# Makes an error of the path of a value (".personas[0].kin"), what is wrong with it, and a hint.
ErrorMaker = Callable[[str, str, str | None], ForebearError]


def convert(value: object, kind: type[AnyValue], make_error: ErrorMaker) -> AnyValue:
    """Return what decoded JSON or TOML describes; what does not fit is refused where it is."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, ForebearError):  # of a ``__post_init__``
            raise make_error("", error.__cause__.message, error.__cause__.hint) from None
        raise _explain(str(error), value, kind, make_error) from None


def suggest(key: str, allowed: Sequence[str]) -> str:
    """Return a hint for a key that is none: the most similar one, and all."""
    similar = get_close_matches(key, allowed, n=1)
    guess = f"did you mean {similar[0]!r}? " if similar else ""
    return f"{guess}known keys: {', '.join(allowed)}"


def _explain(message: str, value: Any, kind: Any, make_error: ErrorMaker) -> ForebearError:
    """Return the error for a message of msgspec, which has a path such as ``$.names[0].kind``."""
    problem, _, steps = message.partition(" - at `$")
    path = ""
    for name, index in STEP.findall(steps):
        kind = _without_none(kind)
        if index == "...":  # one entry of a table; msgspec does not say which
            kind = get_args(kind)[1]
            name = next(key for key, part in value.items() if not _fits(part, kind))
        elif name:
            kind = get_type_hints(kind)[name]
        else:
            kind = _item_type(kind, int(index))
        path += f".{name}" if name else f"[{index}]"
        value = value[name] if name else value[int(index)]
    kind = _without_none(kind)
    key = BACKTICKED.search(problem)
    if key and "unknown field" in problem:
        allowed = [field.name for field in fields(kind)]
        return make_error(path, f"unknown key {key[1]!r}", suggest(key[1], allowed))
    if key and "missing required field" in problem:
        required = [field.name for field in fields(kind) if field.required]
        return make_error(path, f"no {key[1]!r}", f"required here: {', '.join(required)}")
    is_table = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    hint = suggest("", [field.name for field in fields(kind)]) if is_table else None
    return make_error(path, f"found {_short(value)}, expected {_expected(kind)}", hint)


def _without_none(kind: Any) -> Any:
    """Return the type itself of an optional one."""
    if get_origin(kind) in (Union, UnionType):
        return next(part for part in get_args(kind) if part is not NoneType)
    return kind


def _item_type(kind: Any, index: int) -> Any:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):  # written as a list
        return fields(kind)[index].type
    items = get_args(kind)
    return items[0] if items[-1] is Ellipsis else items[index]


def _fits(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _expected(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    if get_origin(kind) is tuple:
        return "a list" if Ellipsis in get_args(kind) else f"a list of {len(get_args(kind))}"
    return TYPE_WORDS.get(kind, "a table of keys and values")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."

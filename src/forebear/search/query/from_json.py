"""A query from JSON: the one form that files, the command line and the page all come to.

Unknown keys are refused, because a misspelt fact that is silently ignored looks to the
searcher like a fact that found nothing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from forebear.errors import QueryError
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import HistoricalDate, Name, NameKind, Place, Sex
from forebear.search.query.person_query import (
    RELATIVE_KINDS,
    KnownAge,
    LifeEvent,
    PersonQuery,
    Relative,
)

SEXES: dict[str, Sex] = {"female": "f", "f": "f", "male": "m", "m": "m"}
NAME_KEYS = ("given", "surname", "kind", "suffix", "title")
EVENT_KEYS = ("kind", "date", "place", "address", "ship")
RELATIVE_KEYS = ("kind", "given", "surname", "occupation", "birthplace", "events")
TEXT_KEYS = ("id", "keywords", "occupation", "religion", "organization", "identifier", "stage")
LIST_KEYS = ("exact", "require", "record_types", "collections")
QUERY_KEYS = (
    *("names", "given", "surname", "sex", "events", "relatives", "age", "filters"),
    *TEXT_KEYS,
    *LIST_KEYS,
)
EXAMPLE = 'give one JSON object, such as {"given": "Mary Ann", "surname": "Brown"}'


def parse_query(text: str, *, where: str = "query") -> PersonQuery:
    """Return the query that a line of JSON describes; ``where`` names the line in errors."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"{where}: not JSON: {error}", hint=EXAMPLE) from None
    return query_from_json(value, where=where)


def query_from_json(value: object, *, where: str = "query") -> PersonQuery:
    """Return the query that a decoded JSON object describes."""
    fields = _object(value, QUERY_KEYS, where)
    said: dict[str, Any] = {
        "names": _names(fields, where),
        "sex": _sex(fields.get("sex"), where),
        "events": _events(fields, where),
        "relatives": tuple(
            _relative(item, f"{where}.relatives[{i}]")
            for i, item in _items(fields, "relatives", where)
        ),
        "age": _age(fields["age"], f"{where}.age") if fields.get("age") else None,
        "filters": _text_pairs(fields.get("filters") or {}, f"{where}.filters"),
        "source": _source(value, where),
        **{key: _text(fields, key, where) for key in TEXT_KEYS},
        **{key: _texts(fields, key, where) for key in LIST_KEYS},
    }
    try:
        return PersonQuery(**said)
    except QueryError as error:
        raise QueryError(f"{where}: {error.message}", hint=error.hint) from None


def _names(fields: Mapping[str, Any], where: str) -> tuple[Name, ...]:
    names = [_name(name, f"{where}.names[{i}]") for i, name in _items(fields, "names", where)]
    if "given" in fields or "surname" in fields:
        short = {key: fields[key] for key in ("given", "surname") if key in fields}
        names.insert(0, _name(short, where))
    return tuple(name for name in names if name.given or name.surname)


def _source(value: object, where: str) -> str:
    """Return the query as the log keeps it, which half a character cannot be."""
    source = json.dumps(value, ensure_ascii=False)
    if any("\ud800" <= character <= "\udfff" for character in source):
        raise QueryError(f"{where}: a \\ud800 to \\udfff alone is no character", hint=EXAMPLE)
    return source


def _name(value: object, where: str) -> Name:
    fields = _object(value, NAME_KEYS, where)
    kinds: dict[str, NameKind] = {kind: kind for kind in get_args(NameKind)}
    kind = _text(fields, "kind", where).lower() or "birth"
    if kind not in kinds:
        raise _wrong(where, "kind", kind, f"one of {', '.join(kinds)}")
    parts = {key: _text(fields, key, where) for key in NAME_KEYS if key != "kind"}
    return Name(kind=kinds[kind], **parts)


def _events(fields: Mapping[str, Any], where: str) -> tuple[LifeEvent, ...]:
    return tuple(
        _event(item, f"{where}.events[{i}]") for i, item in _items(fields, "events", where)
    )


def _event(value: object, where: str) -> LifeEvent:
    fields = _object(value, EVENT_KEYS, where)
    kind = _text(fields, "kind", where).lower()
    if not kind:
        raise _wrong(where, "kind", "", "a word such as birth, marriage, residence or death")
    return LifeEvent(
        kind=kind,
        date=_date(fields, "date", where),
        place=_place(fields, "place", where),
        address=_text(fields, "address", where),
        ship=_text(fields, "ship", where),
    )


def _relative(value: object, where: str) -> Relative:
    fields = _object(value, RELATIVE_KEYS, where)
    kind = _text(fields, "kind", where).lower()
    if kind not in RELATIVE_KINDS:
        raise _wrong(where, "kind", kind, f"one of {', '.join(RELATIVE_KINDS)}")
    return Relative(
        kind=kind,
        given=_text(fields, "given", where),
        surname=_text(fields, "surname", where),
        occupation=_text(fields, "occupation", where),
        birthplace=_place(fields, "birthplace", where),
        events=_events(fields, where),
    )


def _age(value: object, where: str) -> KnownAge:
    fields = _object(value, ("at", "years"), where)
    years = fields.get("years")
    date = _date(fields, "at", where)
    if isinstance(years, bool) or not isinstance(years, int) or not 0 <= years <= 120:
        raise _wrong(where, "years", years, "a whole number from 0 to 120")
    if date is None:
        raise _wrong(where, "at", fields.get("at"), "the date of the age, such as 1881")
    return KnownAge(at=date, years=years)


def _sex(value: object, where: str) -> Sex | None:
    if value in (None, ""):
        return None
    if not isinstance(value, str) or value.lower() not in SEXES:
        raise _wrong(where, "sex", value, "female or male")
    return SEXES[value.lower()]


def _date(fields: Mapping[str, Any], key: str, where: str) -> HistoricalDate | None:
    text = _text(fields, key, where)
    if not text:
        return None
    date = read_date(text)
    if not date.is_known:
        raise _wrong(where, key, text, "a date such as 1851, abt 1851, 12 Mar 1851 or bef 1851")
    return date


def _place(fields: Mapping[str, Any], key: str, where: str) -> Place | None:
    return read_place(_text(fields, key, where)).place


def _object(value: object, allowed: Sequence[str], where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise QueryError(
            f"{where}: expected an object, found {type(value).__name__}",
            hint=f"known keys: {', '.join(allowed)}",
        )
    unknown = sorted(set(value) - set(allowed))
    if unknown:
        raise QueryError(
            f"{where}: unknown key {unknown[0]!r}", hint=f"known keys: {', '.join(allowed)}"
        )
    return value


def _items(fields: Mapping[str, Any], key: str, where: str) -> list[tuple[int, object]]:
    value = fields.get(key) or []
    if not isinstance(value, list):
        raise _wrong(where, key, value, "a list")
    return list(enumerate(value))


def _text(fields: Mapping[str, Any], key: str, where: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # a year written as a number is no mistake
    if not isinstance(value, str):
        raise _wrong(where, key, value, "text")
    return value.strip()


def _texts(fields: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = fields.get(key) or []
    if isinstance(value, str) or not isinstance(value, list):
        raise _wrong(where, key, value, "a list of words")
    words = tuple(_text({key: word}, key, where) for word in value)
    check = _CHECKS.get(key)
    for word in words:
        if check is not None:
            check(word, f"{where}.{key}")
    return words


def _text_pairs(value: object, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise QueryError(f"{where}: expected an object of texts, found {type(value).__name__}")
    return tuple(
        (key, text)
        for key in sorted(value)
        for text in (
            _texts(value, key, where)
            if isinstance(value[key], list)
            else (_text(value, key, where),)
        )
    )


def _check_record_type(word: str, where: str) -> None:
    if word not in RECORD_TYPES:
        raise QueryError(
            f"{where}: unknown record type {word!r}", hint=f"known: {', '.join(RECORD_TYPES)}"
        )


_CHECKS: dict[str, Callable[[str, str], None]] = {"record_types": _check_record_type}


def _wrong(where: str, key: str, found: object, wanted: str) -> QueryError:
    return QueryError(f"{where}.{key}: found {found!r}, wanted {wanted}")

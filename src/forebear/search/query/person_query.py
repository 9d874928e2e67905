"""A person query: everything a searcher may say about the person they look for.

It is a partial description, never a filter: each fact raises or lowers records unless the
searcher lists it under ``exact`` or ``require``.

JSON is the form that files, the command line and the page all come to, and the one that the log
stores.  Unknown keys are refused, because a misspelt fact that is ignored looks to the searcher
like a fact that matched nothing.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

from msgspec import Struct

from forebear.errors import QueryError
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.codec import convert
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import HistoricalDate, Name, NameKind, Place, Sex

RELATIVE_KINDS = (
    "spouse",
    "father",
    "mother",
    "child",
    "sibling",
    "spouse_father",
    "spouse_mother",
    "other",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeEvent:
    """An event of the person's life, as far as the searcher knows it."""

    kind: str
    date: HistoricalDate | None = None
    place: Place | None = None
    address: str = ""
    ship: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """A relative the record may name too."""

    kind: str
    given: str = ""
    surname: str = ""
    occupation: str = ""
    birthplace: Place | None = None
    events: tuple[LifeEvent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAge:
    """How old the person was at some date."""

    at: HistoricalDate
    years: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonQuery:
    """A partial description of one person, and how strictly to take it."""

    id: str = ""
    names: tuple[Name, ...] = ()
    sex: Sex | None = None
    events: tuple[LifeEvent, ...] = ()
    relatives: tuple[Relative, ...] = ()
    age: KnownAge | None = None
    keywords: str = ""
    occupation: str = ""
    religion: str = ""
    organization: str = ""
    identifier: str = ""
    exact: tuple[str, ...] = ()  # facts that must agree to the letter
    require: tuple[str, ...] = ()  # facts that must agree in some tolerant form
    record_types: tuple[str, ...] = ()  # search only these; empty means all
    collections: tuple[str, ...] = ()
    filters: tuple[tuple[str, str], ...] = ()
    stage: str = ""  # carried through, means nothing
    source: str = ""  # the JSON it was read from, for the log

    def __post_init__(self) -> None:
        if not (self.names or self.events or self.relatives or self.keywords or self.age):
            raise QueryError(
                "the query says nothing about the person",
                hint="give at least a name, an event with a date or place, or a relative",
            )


Text = str | int | None  # a year written as a number is no mistake
SEXES: dict[str, Sex] = {"female": "f", "f": "f", "male": "m", "m": "m"}
SEX_WORDS = {"f": "female", "m": "male"}
MAX_AGE = 120
EXAMPLE = 'give one JSON object, such as {"given": "Mary Ann", "surname": "Brown"}'


class _NameJson(Struct, kw_only=True, forbid_unknown_fields=True):
    given: Text = None
    surname: Text = None
    kind: Text = None
    suffix: Text = None
    title: Text = None


class _EventJson(Struct, kw_only=True, forbid_unknown_fields=True):
    kind: Text = None
    date: Text = None
    place: Text = None
    address: Text = None
    ship: Text = None


class _RelativeJson(Struct, kw_only=True, forbid_unknown_fields=True):
    kind: Text = None
    given: Text = None
    surname: Text = None
    occupation: Text = None
    birthplace: Text = None
    events: tuple[_EventJson, ...] | None = None


class _AgeJson(Struct, kw_only=True, forbid_unknown_fields=True):
    at: Text = None
    years: Any = None


class _QueryJson(Struct, kw_only=True, forbid_unknown_fields=True):
    names: tuple[_NameJson, ...] | None = None
    given: Text = None
    surname: Text = None
    sex: Text = None
    events: tuple[_EventJson, ...] | None = None
    relatives: tuple[_RelativeJson, ...] | None = None
    age: _AgeJson | None = None
    filters: dict[str, Text | tuple[Text, ...]] | None = None
    id: Text = None
    keywords: Text = None
    occupation: Text = None
    religion: Text = None
    organization: Text = None
    identifier: Text = None
    stage: Text = None
    exact: tuple[Text, ...] | None = None
    require: tuple[Text, ...] | None = None
    record_types: tuple[Text, ...] | None = None
    collections: tuple[Text, ...] | None = None


TEXT_KEYS = ("id", "keywords", "occupation", "religion", "organization", "identifier", "stage")
LIST_KEYS = ("exact", "require", "record_types", "collections")
QUERY_KEYS = _QueryJson.__struct_fields__


def parse_query(text: str, *, where: str = "query") -> PersonQuery:
    """Return the query that a line of JSON describes; ``where`` names the line in errors."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"{where}: not JSON: {error}", hint=EXAMPLE) from None
    return query_from_json(value, where=where)


def query_from_json(value: object, *, where: str = "query") -> PersonQuery:
    """Return the query that a decoded JSON object describes."""

    def make_error(path: str, problem: str, hint: str | None) -> QueryError:
        return QueryError(f"{where}{path}: {problem}", hint=hint)

    query = convert(value, _QueryJson, make_error)
    names = [_read_name(name, f"{where}.names[{i}]") for i, name in enumerate(query.names or ())]
    names.insert(0, Name(given=_text(query.given), surname=_text(query.surname)))
    relatives = [
        _read_relative(relative, f"{where}.relatives[{i}]")
        for i, relative in enumerate(query.relatives or ())
    ]
    facts: dict[str, Any] = {
        "names": tuple(name for name in names if name.given or name.surname),
        "sex": _read_sex(query.sex, f"{where}.sex"),
        "events": _read_events(query.events, where),
        "relatives": tuple(relatives),
        "age": _read_age(query.age, f"{where}.age") if query.age else None,
        "filters": tuple(_read_filters(query.filters or {})),
        "source": _source(value, where),
        **{key: _text(getattr(query, key)) for key in TEXT_KEYS},
        **{key: tuple(map(_text, getattr(query, key) or ())) for key in LIST_KEYS},
    }
    for record_type in facts["record_types"]:
        if record_type not in RECORD_TYPES:
            raise QueryError(
                f"{where}.record_types: unknown record type {record_type!r}",
                hint=f"known: {', '.join(RECORD_TYPES)}",
            )
    try:
        return PersonQuery(**facts)
    except QueryError as error:
        raise QueryError(f"{where}: {error.message}", hint=error.hint) from None


def _text(value: Text) -> str:
    return "" if value is None else str(value).strip()


def _source(value: object, where: str) -> str:
    """Return the query as the log stores it, which half a character cannot be."""
    source = json.dumps(value, ensure_ascii=False)
    if any("\ud800" <= character <= "\udfff" for character in source):
        raise QueryError(f"{where}: a \\ud800 to \\udfff alone is no character", hint=EXAMPLE)
    return source


def _read_name(name: _NameJson, where: str) -> Name:
    kinds: dict[str, NameKind] = {kind: kind for kind in get_args(NameKind)}
    kind = _text(name.kind).lower() or "birth"
    if kind not in kinds:
        raise _unexpected(f"{where}.kind", kind, f"one of {', '.join(kinds)}")
    return Name(
        given=_text(name.given),
        surname=_text(name.surname),
        kind=kinds[kind],
        suffix=_text(name.suffix),
        title=_text(name.title),
    )


def _read_events(events: tuple[_EventJson, ...] | None, where: str) -> tuple[LifeEvent, ...]:
    return tuple(_read_event(event, f"{where}.events[{i}]") for i, event in enumerate(events or ()))


def _read_event(event: _EventJson, where: str) -> LifeEvent:
    kind = _text(event.kind).lower()
    if not kind:
        words = "a word such as birth, marriage, residence or death"
        raise _unexpected(f"{where}.kind", "", words)
    return LifeEvent(
        kind=kind,
        date=_read_date(event.date, f"{where}.date"),
        place=read_place(_text(event.place)).place,
        address=_text(event.address),
        ship=_text(event.ship),
    )


def _read_relative(relative: _RelativeJson, where: str) -> Relative:
    kind = _text(relative.kind).lower()
    if kind not in RELATIVE_KINDS:
        raise _unexpected(f"{where}.kind", kind, f"one of {', '.join(RELATIVE_KINDS)}")
    return Relative(
        kind=kind,
        given=_text(relative.given),
        surname=_text(relative.surname),
        occupation=_text(relative.occupation),
        birthplace=read_place(_text(relative.birthplace)).place,
        events=_read_events(relative.events, where),
    )


def _read_age(age: _AgeJson, where: str) -> KnownAge | None:
    if age.at is None and age.years is None:
        return None
    if type(age.years) is not int or not 0 <= age.years <= MAX_AGE:
        raise _unexpected(f"{where}.years", age.years, f"a whole number from 0 to {MAX_AGE}")
    date = _read_date(age.at, f"{where}.at")
    if date is None:
        raise _unexpected(f"{where}.at", age.at, "the date of the age, such as 1881")
    return KnownAge(at=date, years=age.years)


def _read_sex(value: Text, where: str) -> Sex | None:
    word = _text(value).lower()
    if word and word not in SEXES:
        raise _unexpected(where, value, "female or male")
    return SEXES.get(word)


def _read_date(value: Text, where: str) -> HistoricalDate | None:
    text = _text(value)
    if not text:
        return None
    date = read_date(text)
    if not date.is_known:
        words = "a date such as 1851, abt 1851, 12 Mar 1851 or bef 1851"
        raise _unexpected(where, text, words)
    return date


def _read_filters(filters: dict[str, Text | tuple[Text, ...]]) -> Iterable[tuple[str, str]]:
    for facet in sorted(filters):
        values = filters[facet]
        for value in values if isinstance(values, tuple) else (values,):
            yield facet, _text(value)


def _unexpected(where: str, value: object, expected: str) -> QueryError:
    return QueryError(f"{where}: found {value!r}, expected {expected}")


def query_to_json(query: PersonQuery) -> dict[str, Any]:
    """Return the object that ``query_from_json`` reads as this query, dates as written."""
    return _filled(
        names=[_from_name(name) for name in query.names],
        sex=SEX_WORDS.get(query.sex or ""),
        events=[_from_event(event) for event in query.events],
        relatives=[_from_relative(relative) for relative in query.relatives],
        age={"at": query.age.at.text, "years": query.age.years} if query.age else None,
        filters=_from_filters(query.filters),
        **{key: getattr(query, key) for key in TEXT_KEYS},
        **{key: list(getattr(query, key)) for key in LIST_KEYS},
    )


def _from_filters(filters: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for facet, value in filters:
        values.setdefault(facet, []).append(value)
    return values


def _from_name(name: Name) -> dict[str, Any]:
    return _filled(
        given=name.given, surname=name.surname, kind=name.kind, suffix=name.suffix, title=name.title
    )


def _from_event(event: LifeEvent) -> dict[str, Any]:
    return _filled(
        kind=event.kind,
        date=event.date.text if event.date else "",
        place=_place_text(event.place),
        address=event.address,
        ship=event.ship,
    )


def _from_relative(relative: Relative) -> dict[str, Any]:
    return _filled(
        kind=relative.kind,
        given=relative.given,
        surname=relative.surname,
        occupation=relative.occupation,
        birthplace=_place_text(relative.birthplace),
        events=[_from_event(event) for event in relative.events],
    )


def _place_text(place: Place | None) -> str:
    return place.text if place else ""


def _filled(**items: Any) -> dict[str, Any]:
    return {key: item for key, item in items.items() if item}

"""Who is on a record?  Every person the mapping describes and the row names."""

import re
from dataclasses import replace
from functools import cache, lru_cache

from forebear.ingest.columns import PersonaColumns
from forebear.ingest.facts import Facts
from forebear.ingest.whole_names import split_name
from forebear.ingest.words import Relation, reverse_relation
from forebear.records.dates import HistoricalDate
from forebear.records.events import Event
from forebear.records.names import Name, NameKind
from forebear.records.personas import Kin, Persona, Sex


def read_personas(
    facts: Facts, columns: PersonaColumns, *, at: HistoricalDate | None, record_type: str
) -> list[Persona]:
    """Return the persona, or as many as the cell with the whole name has people."""
    whole = facts.name(columns.name) if columns.name else ""
    parts = _split(columns.split, whole) if columns.split else [whole]
    found = [_read_persona(facts, columns, at, record_type, part) for part in parts]
    return [persona for persona in found if persona]


def _read_persona(
    facts: Facts, columns: PersonaColumns, at: HistoricalDate | None, record_type: str, whole: str
) -> Persona | None:
    """Return the persona; nobody if the row does not name them and they are no principal."""
    if columns.needs and not facts.text(columns.needs):
        return None
    position = _read_position(facts, columns)
    marital = position.marital
    if columns.marital:
        marital = facts.marital(columns.marital) or marital
    names = _read_names(facts, columns, _name_kind(columns, position.sex, marital), whole)
    if not names and not columns.principal:
        return None
    return Persona(
        role=position.role,
        kin=position.kin,
        names=names,
        sex=position.sex,
        age=facts.age(columns.age, at=at, source=record_type) if columns.age else None,
        events=_read_events(facts, columns) if columns.events else (),
        occupation=facts.text(columns.occupation) if columns.occupation else "",
        marital=marital,
        religion=facts.text(columns.religion) if columns.religion else "",
        is_principal=columns.principal,
        attributes=_read_attributes(facts, columns) if columns.attributes else (),
    )


def _read_events(facts: Facts, columns: PersonaColumns) -> tuple[Event, ...]:
    events = [facts.event(kind, event) for kind, event in columns.events.items()]
    return tuple([event for event in events if event])


def _read_attributes(facts: Facts, columns: PersonaColumns) -> tuple[tuple[str, str], ...]:
    texts = [(name, facts.text(cells)) for name, cells in columns.attributes.items()]
    return tuple([(name, text) for name, text in texts if text])


def _read_position(facts: Facts, columns: PersonaColumns) -> Relation:
    """Return role, kin and sex: as the row's words say, else as the mapping does."""
    sex = columns.sex or (facts.sex(columns.sex_column) if columns.sex_column else None)
    if columns.relation_reversed and (relation := facts.relation(columns.relation_reversed)):
        return reverse_relation(relation, sex=sex, role=columns.role)
    found = facts.relation(columns.relation) if columns.relation else None
    if found is None:
        return _position(columns.role, columns.kin, sex)
    return _position(found.role, found.kin, sex or found.sex, found.marital)


def _name_kind(columns: PersonaColumns, sex: Sex | None, marital: str) -> NameKind:
    if columns.kind != "by_status":
        return columns.kind
    return "married" if sex == "f" and marital in ("married", "widowed") else "birth"


def _read_names(
    facts: Facts, columns: PersonaColumns, kind: NameKind, whole: str
) -> tuple[Name, ...]:
    """Return the name the person stands under, the birth name if it is another, the alias."""
    name = _read_name(facts, columns, kind, whole)
    further = _read_alias(facts, columns, name) if columns.alias else ()
    maiden = facts.name(columns.maiden) if columns.maiden else ""
    if not maiden or maiden.casefold() == name.surname.casefold():
        return ((name,) if name.given or name.surname else ()) + further
    birth = Name(given=name.given, surname=maiden, kind="birth", title=name.title)
    if not name.surname:
        return (birth, *further)
    return (replace(name, kind="married"), birth, *further)


def _read_alias(facts: Facts, columns: PersonaColumns, name: Name) -> tuple[Name, ...]:
    alias = split_name(facts.name(columns.alias), kind="alias")
    words, others = (f"{each.given} {each.surname}".casefold().split() for each in (alias, name))
    return (alias,) if words and words != others else ()


def _read_name(facts: Facts, columns: PersonaColumns, kind: NameKind, whole: str) -> Name:
    is_plain = not (
        columns.prefix or columns.suffix or columns.title or columns.patronymic or columns.nickname
    )
    if is_plain and not whole:
        return _plain_name(facts.given(columns.given), facts.name(columns.surname), kind)
    parts = split_name(whole, kind=kind)
    if is_plain and parts.given and parts.surname:
        return parts
    surname = parts.surname or facts.name(columns.surname)
    prefix = facts.text(columns.prefix) if columns.prefix else ""
    return _name(
        parts.given or facts.given(columns.given),
        f"{prefix} {surname}" if prefix and surname else surname,
        kind,
        parts.suffix or (facts.text(columns.suffix) if columns.suffix else ""),
        parts.title or (facts.text(columns.title) if columns.title else ""),
        prefix,
        facts.text(columns.patronymic) if columns.patronymic else "",
        facts.text(columns.nickname) if columns.nickname else "",
    )


# Names and positions come back row after row, and are made once.


@lru_cache(maxsize=1 << 16)
def _plain_name(given: str, surname: str, kind: NameKind) -> Name:
    return Name(given=given, surname=surname, kind=kind)


@lru_cache(maxsize=1 << 16)
def _name(
    given: str,
    surname: str,
    kind: NameKind,
    suffix: str,
    title: str,
    prefix: str,
    patronymic: str,
    nickname: str,
) -> Name:
    return Name(
        given=given,
        surname=surname,
        kind=kind,
        suffix=suffix,
        title=title,
        prefix=prefix,
        patronymic=patronymic,
        nickname=nickname,
    )


@lru_cache(maxsize=1 << 12)
def _position(role: str, kin: Kin, sex: Sex | None, marital: str = "") -> Relation:
    return Relation(role=role, kin=kin, sex=sex, marital=marital)


def _split(pattern: str, whole: str) -> list[str]:
    """Return the people that one cell names; nobody is one without a name."""
    found = _compile(pattern).split(whole)
    return [part.strip() for part in found if part and part.strip()] or [""]


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

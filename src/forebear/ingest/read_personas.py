"""Who is on a record?  Every person the mapping describes and the row names."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from forebear.ingest.columns import PersonaColumns
from forebear.ingest.facts import Facts
from forebear.ingest.whole_names import split_name
from forebear.ingest.words import Relation, reverse_relation
from forebear.records.dates import HistoricalDate
from forebear.records.names import Name, NameKind
from forebear.records.personas import Persona, Sex


def read_personas(
    facts: Facts, columns: PersonaColumns, *, at: HistoricalDate | None, record_type: str
) -> Iterator[Persona]:
    """Yield the persona, or as many as the cell with the whole name has people."""
    whole = facts.name(columns.name)
    parts = [whole]
    if columns.split:
        found = _compile(columns.split).split(whole)
        parts = [part.strip() for part in found if part and part.strip()] or [""]
    for part in parts:
        persona = read_persona(facts, columns, at=at, record_type=record_type, whole=part)
        if persona:
            yield persona


def read_persona(
    facts: Facts,
    columns: PersonaColumns,
    *,
    at: HistoricalDate | None,
    record_type: str,
    whole: str | None = None,
) -> Persona | None:
    """Return the persona; nobody if the row does not name them and they are no principal.

    ``whole`` is the whole name, where it is not all of its cell.
    """
    if columns.needs and not facts.text(columns.needs):
        return None
    position = _read_position(facts, columns)
    marital = facts.marital(columns.marital) or position.marital
    kind = _name_kind(columns, position.sex, marital)
    names = _read_names(facts, columns, kind, facts.name(columns.name) if whole is None else whole)
    if not names and not columns.principal:
        return None
    events = (facts.event(kind, event) for kind, event in columns.events.items())
    attributes = ((name, facts.text(cells)) for name, cells in columns.attributes.items())
    return Persona(
        role=position.role,
        kin=position.kin,
        names=names,
        sex=position.sex,
        age=facts.age(columns.age, at=at, source=record_type),
        events=tuple(event for event in events if event),
        occupation=facts.text(columns.occupation),
        marital=marital,
        religion=facts.text(columns.religion),
        is_principal=columns.principal,
        attributes=tuple((name, text) for name, text in attributes if text),
    )


def _read_position(facts: Facts, columns: PersonaColumns) -> Relation:
    """Return role, kin and sex: as the row's words say, else as the mapping does."""
    sex = columns.sex or facts.sex(columns.sex_column)
    told = Relation(role=columns.role, kin=columns.kin, sex=sex)
    if reversed_relation := facts.relation(columns.relation_reversed):
        return reverse_relation(reversed_relation, sex=sex, role=columns.role)
    found = facts.relation(columns.relation)
    if found is None:
        return told
    return Relation(role=found.role, kin=found.kin, sex=sex or found.sex, marital=found.marital)


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
    parts = split_name(whole, kind=kind)
    surname = parts.surname or facts.name(columns.surname)
    prefix = facts.text(columns.prefix)
    return Name(
        given=parts.given or facts.given(columns.given),
        surname=f"{prefix} {surname}" if prefix and surname else surname,
        kind=kind,
        suffix=parts.suffix or facts.text(columns.suffix),
        title=parts.title or facts.text(columns.title),
        prefix=prefix,
        patronymic=facts.text(columns.patronymic),
        nickname=facts.text(columns.nickname),
    )


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

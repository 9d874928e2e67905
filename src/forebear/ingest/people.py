"""Who is on a row?  Every person the mapping describes and the cells name."""

import re
from functools import lru_cache, partial
from typing import NamedTuple

from msgspec.structs import replace

from forebear.ingest.mapping import PersonaColumns
from forebear.ingest.register_words import OPPOSITE, Relation, find_relation, reverse_relation
from forebear.ingest.understand import (
    CellFacts,
    Lookup,
    Lookups,
    RowCells,
    Warnings,
    not_understood,
)
from forebear.normalize.ages import read_age
from forebear.normalize.name_reading import NamedRelative, NameReading
from forebear.normalize.names import read_name
from forebear.records.record import (
    Age,
    Event,
    HistoricalDate,
    Kin,
    Name,
    NameKind,
    Persona,
    Sex,
)

# What a spouse or parent of another persona is to the person the record is about; else "other".
KIN_OF_RELATIVE: dict[tuple[Kin, str], Kin] = {
    ("self", "spouse"): "spouse",
    ("self", "parent"): "parent",
    ("spouse", "parent"): "parent_in_law",
    ("parent", "spouse"): "parent",
    ("sibling", "parent"): "parent",
}


class CellPerson(NamedTuple):
    """A person whom the name cells of a row describe, and the relatives mentioned with them."""

    names: tuple[Name, ...]
    relatives: tuple[NamedRelative, ...] = ()


People = tuple[CellPerson, ...]


class PersonaReader:
    """Makes personas of one description that a mapping has."""

    def __init__(self, columns: PersonaColumns, lookups: Lookups, *, record_type: str) -> None:
        self._columns = columns
        self._record_type = record_type
        self._needed = columns.needs and lookups.text(columns.needs)
        self._position = lookups.facts(
            columns.sex_column + columns.relation + columns.relation_reversed + columns.marital,
            partial(_read_position, columns=columns),
        )
        kinds: tuple[NameKind, ...] = (
            ("married", "birth") if columns.kind == "by_status" else (columns.kind,)
        )
        self._names = {kind: _name_lookup(columns, lookups, kind) for kind in kinds}
        self._age = columns.age and lookups.facts(columns.age, lambda facts: facts.age(columns.age))
        self._occupation = columns.occupation and lookups.text(columns.occupation)
        self._religion = columns.religion and lookups.text(columns.religion)
        self._events = [lookups.event(*event) for event in columns.events.items()]
        self._attributes = [
            (name, lookups.text(cells)) for name, cells in columns.attributes.items()
        ]

    def read(
        self,
        row: RowCells,
        warnings: Warnings,
        mentioned: list[Persona],
        *,
        at: HistoricalDate | None,
    ) -> list[Persona]:
        """Return the persona, or as many as the cell with the whole name has people.

        A person without a name is not on the record, unless the record is about them.  Relatives
        whom the name mentions ("Mary, wife of Thomas Green") are added to ``mentioned``.
        """
        if self._needed and not self._needed(row, warnings):
            return []
        position, marital, kind = self._position(row, warnings)
        is_principal = self._columns.principal
        personas = []
        for names, relatives in self._names[kind](row, warnings):
            stated = find_relation(relatives[0].relation) if relatives else None
            if names or relatives or is_principal:
                # A mapping leaves most facts of most people without columns: that is checked first.
                persona = Persona(
                    role=position.role,
                    kin=position.kin,
                    names=names,
                    sex=position.sex or (stated.sex if stated else None),
                    age=self._read_age(self._age(row, warnings), warnings, at)
                    if self._age
                    else None,
                    events=self._read_events(row, warnings) if self._events else (),
                    occupation=self._occupation(row, warnings) if self._occupation else "",
                    marital=marital or (stated.marital if stated else ""),
                    religion=self._religion(row, warnings) if self._religion else "",
                    is_principal=is_principal,
                    attributes=self._read_attributes(row, warnings) if self._attributes else (),
                )
                personas.append(persona)
                mentioned += [_relative_persona(persona, relative) for relative in relatives]
        return personas

    def _read_age(self, text: str, warnings: Warnings, at: HistoricalDate | None) -> Age | None:
        if not text:
            return None
        age = read_age(text, at=at, source=self._record_type)
        if not (age.born_from or age.born_to) and at and at.is_known:
            warnings.append(not_understood(self._columns.age[0], text))
        return age

    def _read_events(self, row: RowCells, warnings: Warnings) -> tuple[Event, ...]:
        events = [lookup(row, warnings) for lookup in self._events]
        return tuple([event for event in events if event])

    def _read_attributes(self, row: RowCells, warnings: Warnings) -> tuple[tuple[str, str], ...]:
        texts = [(name, lookup(row, warnings)) for name, lookup in self._attributes]
        return tuple([(name, text) for name, text in texts if text])


def _name_lookup(columns: PersonaColumns, lookups: Lookups, kind: NameKind) -> Lookup[People]:
    """Return a lookup of the names of each person."""
    given, surname = columns.given, columns.surname
    rest = columns.name + columns.maiden + columns.alias + columns.nickname
    rest += columns.patronymic + columns.prefix + columns.suffix + columns.title
    rest += columns.sex_column if columns.order == "italian" else ()
    if rest:
        read = partial(_read_people, columns=columns, kind=kind)
        return lookups.facts(given + surname + rest, read)
    # Given names and surnames come back, pairs of them less.
    find_given = lookups.facts(given, lambda facts: facts.given(given))
    find_surname = lookups.facts(surname, lambda facts: facts.name(surname))

    def look_up(row: RowCells, warnings: Warnings) -> People:
        return _one_person(find_given(row, warnings), find_surname(row, warnings), kind)

    return look_up


def _read_people(facts: CellFacts, columns: PersonaColumns, kind: NameKind) -> People:
    whole = facts.name(columns.name)
    parts = [whole]
    if columns.split:  # an empty cell is one person without a name
        texts = re.split(columns.split, whole)
        parts = [text.strip() for text in texts if text and text.strip()] or [""]
    return tuple([_read_person(facts, columns, kind, part) for part in parts])


def _read_position(facts: CellFacts, columns: PersonaColumns) -> tuple[Relation, str, NameKind]:
    """Return role, kin and sex, the marital status, and of which kind the name then is."""
    position = _read_relation(facts, columns)
    marital = facts.marital(columns.marital) or position.marital
    if columns.kind != "by_status":
        return position, marital, columns.kind
    has_husbands_name = position.sex == "f" and marital in ("married", "widowed")
    return position, marital, "married" if has_husbands_name else "birth"


def _read_relation(facts: CellFacts, columns: PersonaColumns) -> Relation:
    """Return role, kin and sex: as the row's words say, else as the mapping does."""
    sex = columns.sex or facts.sex(columns.sex_column)
    if columns.relation_reversed and (relation := facts.relation(columns.relation_reversed)):
        return reverse_relation(relation, sex=sex, role=columns.role)
    stated = facts.relation(columns.relation)
    if stated is None:
        return Relation(role=columns.role, kin=columns.kin, sex=sex)
    return Relation(role=stated.role, kin=stated.kin, sex=sex or stated.sex, marital=stated.marital)


def _read_person(
    facts: CellFacts, columns: PersonaColumns, kind: NameKind, whole: str
) -> CellPerson:
    """Return the names of a person: the one they appear under first, then birth name and alias."""
    sex = columns.sex or (facts.sex(columns.sex_column) if columns.order == "italian" else None)
    reading = read_name(whole, sex=sex, order=columns.order, kind=kind)
    parts = columns.given + columns.surname + columns.prefix + columns.suffix + columns.title
    has_parts = bool(parts or columns.patronymic or columns.nickname)
    name = _join_name(facts, columns, reading) if has_parts else reading.name
    further = (*reading.others, *_read_alias(facts, columns, name))
    maiden = facts.name(columns.maiden)
    relatives = tuple(
        [relative for relative in reading.relatives if relative.relation != "patronymic"]
    )
    if not maiden or maiden.casefold() == name.surname.casefold():
        names = (name,) if name.given or name.surname else ()
        return CellPerson(names + further, relatives)
    birth = Name(given=name.given, surname=maiden, kind="birth", title=name.title)
    if not name.surname:
        return CellPerson((birth, *further), relatives)
    return CellPerson((replace(name, kind="married"), birth, *further), relatives)


def _read_alias(facts: CellFacts, columns: PersonaColumns, name: Name) -> tuple[Name, ...]:
    text = facts.name(columns.alias)
    if not text:
        return ()
    alias = read_name(text, kind="alias").name
    words, others = (f"{name.given} {name.surname}".casefold().split() for name in (alias, name))
    return (alias,) if words and words != others else ()


def _join_name(facts: CellFacts, columns: PersonaColumns, reading: NameReading) -> Name:
    """Return the name of the cell with the whole name, its missing parts from other columns."""
    name = reading.name
    surname = name.surname or facts.name(columns.surname)
    prefix = facts.text(columns.prefix)
    return Name(
        given=name.given or facts.given(columns.given),
        surname=f"{prefix} {surname}" if prefix and surname else surname,
        kind=name.kind,
        suffix=name.suffix or facts.text(columns.suffix),
        title=name.title or facts.text(columns.title),
        prefix=prefix or name.prefix,
        patronymic=name.patronymic or facts.text(columns.patronymic),
        nickname=name.nickname or facts.text(columns.nickname),
    )


def _relative_persona(persona: Persona, relative: NamedRelative) -> Persona:
    """Return the persona of a relative whom the name of another persona mentions."""
    is_spouse = relative.kind == "spouse"
    sex: Sex | None = "m" if relative.kind == "father" else "f"
    if is_spouse:
        sex = OPPOSITE.get(relation.sex) if (relation := find_relation(relative.relation)) else None
    role = {"f": "wife", "m": "husband", None: "spouse"}[sex] if is_spouse else relative.kind
    kin = KIN_OF_RELATIVE.get((persona.kin, "spouse" if is_spouse else "parent"), "other")
    return Persona(role=role, kin=kin, names=(relative.name,), sex=sex)


@lru_cache(maxsize=1 << 16)
def _one_person(given: str, surname: str, kind: NameKind) -> People:
    """Return the one person of a given name and surname; one without names if both are empty."""
    names = (Name(given=given, surname=surname, kind=kind),) if given or surname else ()
    return (CellPerson(names),)

"""Who is on a record?  Every person the mapping describes and the row names."""

import re
from functools import cache, lru_cache, partial

from msgspec.structs import replace

from forebear.ingest.cells import Cells
from forebear.ingest.columns import EventColumns, PersonaColumns
from forebear.ingest.facts import Facts, Warnings, not_understood
from forebear.ingest.pieces import Piece, Pieces
from forebear.ingest.whole_names import split_name
from forebear.ingest.words import Relation, reverse_relation
from forebear.normalize.ages import read_age
from forebear.records.record import Age, Event, HistoricalDate, Name, NameKind, Persona, Sex

PeopleNames = tuple[tuple[Name, ...], ...]  # of each person that a cell names


class PersonaReader:
    """Makes personas of one description that a mapping has."""

    def __init__(self, columns: PersonaColumns, pieces: Pieces, *, record_type: str) -> None:
        self._columns = columns
        self._record_type = record_type
        self._needed = columns.needs and pieces.text(columns.needs)
        self._position = pieces.piece(
            columns.sex_column + columns.relation + columns.relation_reversed + columns.marital,
            partial(_read_position, columns=columns),
        )
        self._names = {kind: _names_piece(columns, pieces, kind) for kind in _kinds(columns)}
        self._age = columns.age and pieces.piece(columns.age, lambda facts: facts.age(columns.age))
        self._occupation = columns.occupation and pieces.text(columns.occupation)
        self._religion = columns.religion and pieces.text(columns.religion)
        self._events = [event_piece(pieces, *event) for event in columns.events.items()]
        self._attributes = [
            (name, pieces.text(cells)) for name, cells in columns.attributes.items()
        ]

    def read(
        self, values: Cells, warnings: Warnings, *, at: HistoricalDate | None
    ) -> list[Persona]:
        """Return the persona, or as many as the cell with the whole name has people.

        Somebody whom the row does not name is nobody, unless the record is about them.
        """
        if self._needed and not self._needed(values, warnings):
            return []
        position, marital, kind = self._position(values, warnings)
        is_principal = self._columns.principal
        found = []
        for names in self._names[kind](values, warnings):
            if names or is_principal:
                # A mapping leaves most facts of most people without columns: that is asked first.
                persona = Persona(
                    role=position.role,
                    kin=position.kin,
                    names=names,
                    sex=position.sex,
                    age=self._read_age(self._age(values, warnings), warnings, at)
                    if self._age
                    else None,
                    events=self._read_events(values, warnings) if self._events else (),
                    occupation=self._occupation(values, warnings) if self._occupation else "",
                    marital=marital,
                    religion=self._religion(values, warnings) if self._religion else "",
                    is_principal=is_principal,
                    attributes=self._read_attributes(values, warnings) if self._attributes else (),
                )
                found.append(persona)
        return found

    def _read_age(self, text: str, warnings: Warnings, at: HistoricalDate | None) -> Age | None:
        if not text:
            return None
        age = read_age(text, at=at, source=self._record_type)
        if not (age.born_from or age.born_to) and at and at.is_known:
            warnings.append(not_understood(self._columns.age[0], text))
        return age

    def _read_events(self, values: Cells, warnings: Warnings) -> tuple[Event, ...]:
        events = [piece(values, warnings) for piece in self._events]
        return tuple([event for event in events if event])

    def _read_attributes(self, values: Cells, warnings: Warnings) -> tuple[tuple[str, str], ...]:
        texts = [(name, piece(values, warnings)) for name, piece in self._attributes]
        return tuple([(name, text) for name, text in texts if text])


def event_piece(pieces: Pieces, kind: str, columns: EventColumns) -> Piece[Event | None]:
    """Return what answers with an event of a kind."""
    asked = columns.date + columns.place + columns.within + columns.address + columns.detail
    return pieces.piece(asked, lambda facts: facts.event(kind, columns))


def _names_piece(columns: PersonaColumns, pieces: Pieces, kind: NameKind) -> Piece[PeopleNames]:
    """Return what answers with the names of each person."""
    given, surname = columns.given, columns.surname
    rest = columns.name + columns.maiden + columns.alias + columns.nickname
    rest += columns.patronymic + columns.prefix + columns.suffix + columns.title
    if rest:
        read = partial(_read_people, columns=columns, kind=kind)
        return pieces.piece(given + surname + rest, read)
    # Given names and surnames come back, pairs of them less.
    find_given = pieces.piece(given, lambda facts: facts.given(given))
    find_surname = pieces.piece(surname, lambda facts: facts.name(surname))

    def look_up(values: Cells, warnings: Warnings) -> PeopleNames:
        return _plain(find_given(values, warnings), find_surname(values, warnings), kind)

    return look_up


def _read_people(facts: Facts, columns: PersonaColumns, kind: NameKind) -> PeopleNames:
    whole = facts.name(columns.name)
    parts = _split(columns.split, whole) if columns.split else [whole]
    return tuple([_read_names(facts, columns, kind, part) for part in parts])


def _read_position(facts: Facts, columns: PersonaColumns) -> tuple[Relation, str, NameKind]:
    """Return role, kin and sex, the marital status, and of which kind the name then is."""
    position = _read_relation(facts, columns)
    marital = facts.marital(columns.marital) or position.marital
    return position, marital, _name_kind(columns, position.sex, marital)


def _read_relation(facts: Facts, columns: PersonaColumns) -> Relation:
    """Return role, kin and sex: as the row's words say, else as the mapping does."""
    sex = columns.sex or facts.sex(columns.sex_column)
    if columns.relation_reversed and (relation := facts.relation(columns.relation_reversed)):
        return reverse_relation(relation, sex=sex, role=columns.role)
    found = facts.relation(columns.relation)
    if found is None:
        return Relation(role=columns.role, kin=columns.kin, sex=sex)
    return Relation(role=found.role, kin=found.kin, sex=sex or found.sex, marital=found.marital)


def _kinds(columns: PersonaColumns) -> tuple[NameKind, ...]:
    return ("married", "birth") if columns.kind == "by_status" else (columns.kind,)


def _name_kind(columns: PersonaColumns, sex: Sex | None, marital: str) -> NameKind:
    if columns.kind != "by_status":
        return columns.kind
    return "married" if sex == "f" and marital in ("married", "widowed") else "birth"


def _read_names(
    facts: Facts, columns: PersonaColumns, kind: NameKind, whole: str
) -> tuple[Name, ...]:
    """Return the name the person stands under, the birth name if it is another, the alias."""
    name = _read_name(facts, columns, kind, whole)
    further = _read_alias(facts, columns, name)
    maiden = facts.name(columns.maiden)
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


@lru_cache(maxsize=1 << 16)
def _plain(given: str, surname: str, kind: NameKind) -> PeopleNames:
    """Return the one person of a plain name; one without names if it is empty."""
    return ((Name(given=given, surname=surname, kind=kind),) if given or surname else (),)


def _split(pattern: str, whole: str) -> list[str]:
    """Return the people that one cell names; nobody is one without a name."""
    found = _compile(pattern).split(whole)
    return [part.strip() for part in found if part and part.strip()] or [""]


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

"""Who is on a record?  Every person the mapping describes and the row names."""

from forebear.ingest.columns import PersonaColumns
from forebear.ingest.facts import Facts
from forebear.ingest.whole_names import split_name
from forebear.ingest.words import Relation, reverse_relation
from forebear.records.dates import HistoricalDate
from forebear.records.names import Name, NameKind
from forebear.records.personas import Persona, Sex


def read_persona(
    facts: Facts, columns: PersonaColumns, *, at: HistoricalDate | None, record_type: str
) -> Persona | None:
    """Return the persona; nobody if the row does not name them and they are no principal."""
    if columns.needs and not facts.text(columns.needs):
        return None
    position = _read_position(facts, columns)
    marital = facts.marital(columns.marital) or position.marital
    names = _read_names(facts, columns, _name_kind(columns, position.sex, marital))
    if not names and not columns.principal:
        return None
    events = (facts.event(kind, event) for kind, event in columns.events.items())
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


def _read_names(facts: Facts, columns: PersonaColumns, kind: NameKind) -> tuple[Name, ...]:
    """Return the name the person stands under, and the birth name where it is another."""
    name = _read_name(facts, columns, kind)
    maiden = facts.name(columns.maiden)
    if not maiden or maiden.casefold() == name.surname.casefold():
        return (name,) if name.given or name.surname else ()
    birth = Name(given=name.given, surname=maiden, kind="birth", title=name.title)
    if not name.surname:
        return (birth,)
    return (_as_married(name), birth)


def _read_name(facts: Facts, columns: PersonaColumns, kind: NameKind) -> Name:
    whole = split_name(facts.name(columns.name), kind=kind)
    return Name(
        given=whole.given or facts.given(columns.given),
        surname=whole.surname or facts.name(columns.surname),
        kind=kind,
        suffix=whole.suffix or facts.text(columns.suffix),
        title=whole.title or facts.text(columns.title),
    )


def _as_married(name: Name) -> Name:
    return Name(
        given=name.given,
        surname=name.surname,
        kind="married",
        suffix=name.suffix,
        title=name.title,
    )

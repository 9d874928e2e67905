"""Tests for `forebear.learning.candidate_pairs`."""

from forebear.learning.candidate_pairs import persona_query
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.record import Event, Kin, Name, Persona, Record, Sex


def person(given: str, surname: str, kin: Kin, sex: Sex | None = None) -> Persona:
    names = (Name(given=given, surname=surname),)
    return Persona(role=kin, kin=kin, names=names, sex=sex, is_principal=kin == "self")


def record(kind: str, personas: tuple[Persona, ...], *, number: int = 1) -> Record:
    event = Event(
        kind=kind, date=read_date("12 Mar 1851"), place=read_place("Layham, Suffolk").place
    )
    return Record(
        collection="c", id=str(number), record_type="baptism", event=event, personas=personas
    )


def test_a_baptism_is_asked_with_its_day() -> None:
    child = record("baptism", (person("Ann", "Cole", "self"),))

    query = persona_query(child, 0, [child])

    assert query is not None
    assert [(e.kind, e.date is not None) for e in query.events] == [("baptism", True)]


def test_a_day_in_court_says_only_where_somebody_was() -> None:
    case = record("court", (person("Ann", "Cole", "self"),))

    query = persona_query(case, 0, [case])

    assert query is not None
    assert [(e.kind, e.date, e.place) for e in query.events] == [
        ("residence", None, case.event.place)
    ]


def test_the_household_gives_the_relatives() -> None:
    head = record("residence", (person("John", "Cole", "self", "m"),))
    wife = record("residence", (person("Mary", "Cole", "spouse", "f"),), number=2)

    query = persona_query(head, 0, [head, wife])

    assert query is not None
    assert [(r.kind, r.given) for r in query.relatives] == [("spouse", "Mary")]


def test_somebody_without_a_whole_name_is_not_asked_for() -> None:
    child = record("baptism", (person("Ann", "", "self"),))

    assert persona_query(child, 0, [child]) is None

"""What the paper's introduction and section 2.3 promise of a search, one test a sentence."""

from collections.abc import Iterator

import pytest

from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.normalize.gazetteer import Coordinates, GazetteerEntry
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.privacy import OWNER
from forebear.records.record import Age, Event, Name, Persona, Record
from forebear.search.expansion.expand import build_clauses
from forebear.search.expansion.facts import gather_facts
from forebear.search.query.person_query import query_from_json
from forebear.storage.memory import MemoryStorage

LAYHAM = "Layham, Suffolk, England"
MARY = {"given": "Mary Ann", "surname": "Brown"}


def born(date: str = "", place: str = "") -> dict[str, object]:
    return {"events": [{"kind": "birth", "date": date, "place": place}]}


@pytest.fixture
def fires() -> Iterator[object]:
    """Return which clauses a query fires on the one person of a record."""

    def names(
        query: dict[str, object],
        record_type: str,
        given: str = "Mary Ann",
        surname: str = "Brown",
        *,
        date: str = "1881",
        age: Age | None = None,
        events: tuple[Event, ...] = (),
        gazetteer: tuple[GazetteerEntry, ...] = (),
    ) -> set[str]:
        storage = MemoryStorage()
        storage.put_collection(
            Collection(name=record_type, title=record_type, record_type=record_type)
        )
        storage.add_to_gazetteer(gazetteer)
        person = Persona(
            role="person",
            kin="self",
            names=(Name(given=given, surname=surname),),
            age=age,
            events=events,
            is_principal=True,
        )
        event = Event(kind=RECORD_TYPES[record_type].event, date=read_date(date))
        record = Record(
            collection=record_type,
            id="1",
            record_type=record_type,
            event=event,
            personas=(person,),
        )
        storage.write([(record,)])
        (terms,) = storage._personas.values()
        facts = gather_facts(query_from_json(query), storage.knowledge(OWNER))
        return {c.name for c in build_clauses(facts, record_type) if c.fires_on(terms)}

    return names


def birth_at(place: str) -> tuple[Event, ...]:
    return (Event(kind="birth", place=read_place(place).place),)


def test_a_woman_is_found_under_her_married_name(fires) -> None:  # type: ignore[no-untyped-def]
    wife = {
        **MARY,
        "sex": "female",
        "relatives": [{"kind": "spouse", "given": "Thomas", "surname": "Green"}],
    }

    assert {"self.surname.exact", "self.married.exact"} <= fires(wife, "census", surname="Green")
    assert "self.surname.exact" in fires(wife, "death", surname="Green")


@pytest.mark.parametrize("off", [-2, -1, 1, 2])
def test_a_year_may_be_off_by_one_or_two(fires, off: int) -> None:  # type: ignore[no-untyped-def]
    stated = (Event(kind="birth", date=read_date(str(1851 + off))),)

    fired_clauses = fires({**MARY, **born("1851")}, "birth", events=stated)

    assert "birth.year.within2" in fired_clauses
    assert ("birth.year.within1" in fired_clauses) == (abs(off) == 1)
    assert "birth.year.exact" not in fired_clauses


def test_people_go_by_their_middle_name(fires) -> None:  # type: ignore[no-untyped-def]
    assert "self.middle.as_given" in fires(MARY, "census", given="Ann")
    assert "self.given.as_middle" in fires({"given": "Ann"}, "census", given="Mary Ann")


@pytest.mark.parametrize(
    ("searched", "read", "level"),
    [
        ("Clark", "Dark", "misread"),
        ("Harnes", "Hames", "misread"),
        ("Farr", "Tarr", "misread"),
        ("Brown", "Browm", "edit1"),
        ("Richardson", "Richarbsen", "edit2"),
    ],
)
def test_names_are_read_wrongly_by_people_and_machines(  # type: ignore[no-untyped-def]
    fires, searched: str, read: str, level: str
) -> None:
    assert f"self.surname.{level}" in fires({"surname": searched}, "census", surname=read)


def test_a_birth_is_worked_out_from_a_death_and_an_age(fires) -> None:  # type: ignore[no-untyped-def]
    age = read_age("59", at=read_date("30 Jan 1911"), source="death")

    fired_clauses = fires({**MARY, **born("1851")}, "death", date="30 Jan 1911", age=age)

    assert {"birth.year.exact", "birth.year.from_age1"} <= fired_clauses


def test_a_nearby_place_and_a_broader_one_count(fires) -> None:  # type: ignore[no-untyped-def]
    gazetteer = (
        GazetteerEntry(place_id="p:layham,suffolk,england", coordinates=Coordinates(52.03, 0.96)),
        GazetteerEntry(place_id="p:hadleigh,suffolk,england", coordinates=Coordinates(52.04, 0.95)),
    )
    query = {**MARY, **born(place=LAYHAM)}

    fired_clauses = fires(
        query, "birth", events=birth_at("Hadleigh, Suffolk, England"), gazetteer=gazetteer
    )

    assert {"birth.place.near10", "birth.place.county", "birth.place.country"} <= fired_clauses
    assert "birth.place.exact" not in fired_clauses


def test_a_place_is_known_by_other_names_at_other_times(fires) -> None:  # type: ignore[no-untyped-def]
    query = {**MARY, **born(place="Danzig, Prussia")}

    fired_clauses = fires(query, "birth", events=birth_at("Gdańsk, Poland"))

    assert "birth.place.renamed" in fired_clauses


@pytest.mark.parametrize(
    ("searched", "written", "level"),
    [
        ("William", "Wm", "abbreviated"),
        ("Mary", "Polly", "variant"),
        ("William", "Gulielmus", "translated"),
        ("Frederick", "Fred", "prefix"),
    ],
)
def test_a_given_name_has_many_forms(  # type: ignore[no-untyped-def]
    fires, searched: str, written: str, level: str
) -> None:
    assert f"self.given.{level}" in fires({"given": searched}, "census", given=written)


def test_a_baptism_decades_after_the_birth_is_another_child(fires) -> None:  # type: ignore[no-untyped-def]
    query = {**MARY, **born("1851")}

    assert "baptism.year.conflict" in fires(query, "baptism", date="1 May 1890")
    assert "baptism.year.conflict" not in fires(query, "baptism", date="1 May 1855")

"""A person on a record becomes a query for the other records of the same person."""

import json

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.record import Age, Day, Event, Name, Persona, Record
from forebear.search.query.from_persona import query_from_persona
from forebear.search.query.person_query import parse_query, query_to_json


def census() -> Record:
    head = Persona(
        role="head",
        kin="self",
        names=(Name(given="Thomas", surname="Green"),),
        sex="m",
        is_principal=True,
        age=Age(text="31", born_from=Day(1849, 4, 4), born_to=Day(1850, 4, 3)),
        occupation="weaver",
    )
    wife = Persona(role="wife", kin="spouse", names=(Name(given="Mary"),), sex="f")
    return Record(
        collection="census",
        id="1",
        record_type="census",
        event=Event(
            kind="residence",
            date=read_date("3 Apr 1881"),
            place=read_place("Layham, Suffolk").place,
        ),
        personas=(head, wife),
    )


def test_an_age_becomes_a_year_of_birth() -> None:
    query = query_from_persona(census(), 0)
    birth = next(event for event in query.events if event.kind == "birth")
    assert birth.date is not None
    assert birth.date.text == "bet 1849 and 1850"


def test_everyone_of_a_household_lived_there() -> None:
    for position in (0, 1):
        events = query_from_persona(census(), position).events
        assert "residence" in {event.kind for event in events}


def test_relatives_are_named_from_where_the_person_stands() -> None:
    husband, wife = (query_from_persona(census(), position) for position in (0, 1))
    assert [(r.kind, r.given) for r in husband.relatives] == [("spouse", "Mary")]
    assert [(r.kind, r.given, r.occupation) for r in wife.relatives] == [
        ("spouse", "Thomas", "weaver")
    ]


def test_a_query_written_as_json_is_read_as_the_same_query() -> None:
    text = (
        '{"id": "q1", "names": [{"given": "Mary", "surname": "Brown", "kind": "birth"}], '
        '"sex": "female", "events": [{"kind": "birth", "date": "abt 1851", "place": "Layham"}], '
        '"relatives": [{"kind": "spouse", "given": "Thomas", "birthplace": "Hadleigh"}], '
        '"age": {"at": "1881", "years": 30}, "keywords": "weaver", "exact": ["surname"], '
        '"filters": {"decade": "1880"}}'
    )
    query = parse_query(text)
    again = parse_query(json.dumps(query_to_json(query)))
    assert again.names == query.names
    assert again.events == query.events
    assert again.relatives == query.relatives
    assert again.age == query.age
    assert again.exact == query.exact
    assert again.filters == query.filters

"""Tests for `forebear.search.query.person_query`: the one form of a query, and its refusals."""

import json
from typing import Any

import pytest

from forebear.errors import QueryError
from forebear.records.record import Name
from forebear.search.query.person_query import (
    QUERY_KEYS,
    RELATIVE_KINDS,
    parse_query,
    query_from_json,
)

# The example of the design, word for word.
EXAMPLE = """{"id": "q1", "names": [{"given": "Mary Ann", "surname": "Brown", "kind": "birth"}],
"sex": "female",
"events": [{"kind": "birth", "date": "abt 1851", "place": "Layham, Suffolk, England"}],
"relatives": [{"kind": "spouse", "given": "Thomas", "surname": "Green"}],
"age": {"at": "1881", "years": 30}, "keywords": "weaver", "exact": ["birth.place"],
"require": ["surname"], "record_types": ["census"]}"""


def test_the_example_of_the_design_is_read() -> None:
    query = parse_query(EXAMPLE)

    assert query.id == "q1"
    assert query.names == (Name(given="Mary Ann", surname="Brown", kind="birth"),)
    assert query.sex == "f"
    (birth,) = query.events
    assert birth.kind == "birth"
    assert birth.date is not None
    assert (birth.date.first_year, birth.date.last_year) == (1849, 1853)
    assert birth.place is not None
    assert birth.place.levels == ("layham", "suffolk", "england")
    (spouse,) = query.relatives
    assert (spouse.kind, spouse.given, spouse.surname) == ("spouse", "Thomas", "Green")
    assert query.age is not None
    assert (query.age.at.text, query.age.years) == ("1881", 30)
    assert query.keywords == "weaver"
    assert (query.exact, query.require) == (("birth.place",), ("surname",))
    assert query.record_types == ("census",)


def test_every_key_of_the_design_is_read() -> None:
    query = query_from_json(
        {
            "names": [{"given": "John", "suffix": "Jr", "title": "Capt"}],
            "events": [{"kind": "arrival", "date": 1881, "ship": "Etruria", "address": "Quay 4"}],
            "relatives": [
                {
                    "kind": "father",
                    "occupation": "weaver",
                    "birthplace": "Cork, Ireland",
                    "events": [{"kind": "birth", "date": "1820"}],
                }
            ],
            "occupation": "sailor",
            "religion": "quaker",
            "organization": "21st Fusiliers",
            "identifier": "10345",
            "collections": ["ships"],
            "filters": {"decade": "1880"},
            "stage": "second",
        }
    )

    (name,), (arrival,), (father,) = query.names, query.events, query.relatives
    assert (name.suffix, name.title) == ("Jr", "Capt")
    assert (arrival.ship, arrival.address) == ("Etruria", "Quay 4")
    assert arrival.date is not None
    assert arrival.date.text == "1881"
    assert father.occupation == "weaver"
    assert father.birthplace is not None
    assert father.birthplace.levels == ("cork", "ireland")
    assert father.events[0].date is not None
    assert (query.occupation, query.religion) == ("sailor", "quaker")
    assert (query.organization, query.identifier) == ("21st Fusiliers", "10345")
    assert query.collections == ("ships",)
    assert query.filters == (("decade", "1880"),)
    assert query.stage == "second"


def test_given_and_surname_at_the_top_are_short_for_one_name() -> None:
    query = query_from_json({"given": " Mary ", "surname": "Brown", "names": [{"given": "Polly"}]})

    assert query.names == (Name(given="Mary", surname="Brown"), Name(given="Polly"))


@pytest.mark.parametrize(
    ("sex", "expected"), [("Female", "f"), ("F", "f"), ("male", "m"), ("", None), (None, None)]
)
def test_a_sex_is_a_word_or_its_letter(sex: str | None, expected: str | None) -> None:
    assert query_from_json({"given": "Mary", "sex": sex}).sex == expected


@pytest.mark.parametrize("kind", RELATIVE_KINDS)
def test_every_relative_of_the_design_is_known(kind: str) -> None:
    assert query_from_json({"relatives": [{"kind": kind.upper()}]}).relatives[0].kind == kind


def test_an_event_may_be_of_a_kind_of_its_own_and_is_written_small() -> None:
    events = [{"kind": "Birth", "date": "1851"}, {"kind": "ordination"}]

    assert [event.kind for event in query_from_json({"events": events}).events] == [
        "birth",
        "ordination",
    ]


def test_a_query_can_be_read_again_from_what_the_log_keeps() -> None:
    query = parse_query('{"given": "Zoë", "events": [{"kind": "birth", "date": "1851"}]}')

    assert parse_query(query.source) == query


def test_a_null_is_a_fact_that_was_not_given() -> None:
    nothing = dict.fromkeys(key for key in QUERY_KEYS if key != "given")

    assert query_from_json({**nothing, "given": "Mary"}).names == (Name(given="Mary"),)


@pytest.mark.parametrize(
    ("value", "place", "remedy"),
    [
        ([], "query", "known keys"),
        ("Mary Brown", "query", "known keys"),
        ({"forename": "Mary"}, "query", "known keys: names, given"),
        ({"names": [{"first": "Mary"}]}, "query.names[0]", "known keys: given, surname"),
        ({"names": "Mary"}, "query.names", "expected a list"),
        ({"names": [{"given": "Mary", "kind": "nick"}]}, "query.names[0].kind", "expected one of"),
        ({"given": ["Mary"]}, "query.given", "expected text"),
        ({"given": True}, "query.given", "expected text"),
        ({"given": 1.5}, "query.given", "expected text"),
        ({"given": "M", "sex": "x"}, "query.sex", "expected female or male"),
        ({"given": "M", "sex": 1}, "query.sex", "expected female or male"),
        ({"events": {"kind": "birth"}}, "query.events", "expected a list"),
        ({"events": [{}]}, "query.events[0].kind", "such as birth"),
        ({"events": ["1851"]}, "query.events[0]", "known keys: kind, date"),
        (
            {"events": [{"kind": "birth"}, {"kind": "death", "date": "long ago"}]},
            "query.events[1].date",
            "expected a date such as 1851",
        ),
        ({"relatives": [{"given": "Ann"}]}, "query.relatives[0].kind", "expected one of spouse"),
        ({"relatives": [{"kind": "aunt"}]}, "query.relatives[0].kind", "expected one of spouse"),
        (
            {"relatives": [{"kind": "child", "events": [{"kind": "birth", "date": "?"}]}]},
            "query.relatives[0].events[0].date",
            "expected a date",
        ),
        ({"age": {"years": 30}}, "query.age.at", "such as 1881"),
        ({"age": {"at": "1881", "years": "30"}}, "query.age.years", "from 0 to 120"),
        ({"age": {"at": "1881", "years": 121}}, "query.age.years", "from 0 to 120"),
        ({"age": {"at": "1881", "years": True}}, "query.age.years", "from 0 to 120"),
        ({"age": 30}, "query.age", "known keys: at, years"),
        ({"given": "M", "exact": "surname"}, "query.exact", "expected a list"),
        ({"given": "M", "require": [["surname"]]}, "query.require[0]", "expected text"),
        ({"given": "M", "record_types": ["tweet"]}, "query.record_types", "known: birth, baptism"),
        ({"given": "M", "filters": ["decade"]}, "query.filters", "a table of keys"),
        ({"given": "M", "filters": {"decade": 1.5}}, "query.filters.decade", "expected text"),
        ({}, "query", "give at least a name"),
        ({"sex": "f"}, "query", "give at least a name"),
        ({"names": [{"title": "Mrs"}]}, "query", "give at least a name"),
        ({"given": "\ud800"}, "query", "such as"),
    ],
)
def test_every_refusal_names_the_place_and_the_remedy(value: Any, place: str, remedy: str) -> None:
    with pytest.raises(QueryError) as refused:
        query_from_json(value)

    message = str(refused.value)
    assert message.startswith(f"{place}:")
    assert remedy in message
    assert message.encode()  # it can be printed


@pytest.mark.parametrize(
    "text",
    ["", "{", "{'given': 'Mary'}", '{"given": }', "[" * 100_000, '{"age": ' + "1" * 5_000 + "}"],
)
def test_what_is_not_json_is_refused_in_its_line(text: str) -> None:
    with pytest.raises(QueryError, match=r"^queries\.jsonl:7: not JSON: ") as refused:
        parse_query(text, where="queries.jsonl:7")

    assert refused.value.hint


def test_a_refusal_names_the_line_of_the_file() -> None:
    with pytest.raises(QueryError, match=r"^queries\.jsonl:7: the query says nothing"):
        parse_query("{}", where="queries.jsonl:7")


def test_the_example_is_json_of_known_keys() -> None:
    assert set(json.loads(EXAMPLE)) <= set(QUERY_KEYS)


def test_a_misspelt_key_is_answered_with_the_key_that_was_meant() -> None:
    with pytest.raises(QueryError) as refused:
        query_from_json({"surnam": "Green"})

    assert "did you mean 'surname'? known keys: names, given" in str(refused.value)

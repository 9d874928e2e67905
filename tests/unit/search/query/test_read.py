"""Tests for `forebear.search.query.read`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from forebear.errors import InputError, QueryError
from forebear.records.record import Name
from forebear.search.query.person_query import PersonQuery, query_from_json
from forebear.search.query.read import read_argument, read_query


def test_single_facts_make_a_query() -> None:
    query = read_query(
        "",
        {
            "given": "Mary Ann",
            "surname": "Brown",
            "married_surname": "Green",
            "sex": "female",
            "birth": "abt 1851",
            "birth_place": "Layham, Suffolk",
            "death_place": "Hadleigh",
            "keywords": "weaver",
            "occupation": "dressmaker",
            "id": "q7",
            "spouse": ["Thomas Green", " "],
            "child": ["William", "Ann"],
            "exact": "surname",
            "record_types": ["census"],
            "require": [],
            "filters": {"decade": "1880"},
        },
    )

    assert query.names == (
        Name(given="Mary Ann", surname="Brown", kind="birth"),
        Name(given="Mary Ann", surname="Green", kind="married"),
    )
    assert query.sex == "f"
    assert [event.kind for event in query.events] == ["birth", "death"]
    assert query.events[0].date is not None
    assert query.events[1].date is None
    assert query.events[1].place is not None
    assert [(relative.kind, relative.given, relative.surname) for relative in query.relatives] == [
        ("spouse", "Thomas", "Green"),
        ("child", "William", ""),
        ("child", "Ann", ""),
    ]
    assert (query.keywords, query.occupation, query.id) == ("weaver", "dressmaker", "q7")
    assert (query.exact, query.require, query.record_types) == (("surname",), (), ("census",))
    assert query.filters == (("decade", "1880"),)


def test_facts_that_are_empty_were_not_given() -> None:
    query = read_query("", {"given": "Mary", "surname": "", "birth": "", "sex": ""})

    assert query.names == (Name(given="Mary"),)
    assert query.events == ()
    assert query.sex is None


@pytest.mark.parametrize(
    "source",
    [
        "Mary Brown",
        {"given": "Mary", "surname": "Brown"},
        '{"given": "Mary", "surname": "Brown"}',
        "q.givenName=Mary&q.surname=Brown",
        query_from_json({"given": "Mary", "surname": "Brown"}),
        replace(query_from_json({"given": "Mary", "surname": "Brown"}), source=""),
    ],
    ids=["text", "mapping", "JSON", "FamilySearch", "query", "query without source"],
)
def test_facts_are_added_to_any_form_of_a_query(source: str | PersonQuery) -> None:
    query = read_query(source, {"birth": "1851", "record_types": ["census"]})

    assert [(name.given, name.surname) for name in query.names] == [("Mary", "Brown")]
    assert [event.kind for event in query.events] == ["birth"]
    assert query.record_types == ("census",)
    assert query_from_json(json.loads(query.source)) == query


def test_record_types_replace_those_of_the_source() -> None:
    source = {"surname": "Brown", "record_types": ["baptism"], "filters": {"decade": "1850"}}

    query = read_query(source, {"record_types": ["census"], "filters": {"county": "Suffolk"}})

    assert query.record_types == ("census",)
    assert query.filters == (("county", "Suffolk"), ("decade", "1850"))


def test_an_unknown_fact_is_refused() -> None:
    with pytest.raises(QueryError, match="unknown fact 'birthdate'"):
        read_query("", {"birthdate": "1851"})


def test_an_argument_is_json_a_file_of_it_or_a_line_of_text(tmp_path: Path) -> None:
    file = tmp_path / "query.json"
    file.write_text('{"given": "Mary", "surname": "Brown"}', "utf-8")
    forms = ('{"given": "Mary"}', str(file), "Mary Brown b. 1851")

    queries = [read_argument(form) for form in forms]

    assert [query.names[0].given for query in queries] == ["Mary", "Mary", "Mary"]
    assert queries[2].events[0].kind == "birth"


def test_json_that_is_none_and_files_that_are_not_there_are_refused() -> None:
    with pytest.raises(QueryError, match="not JSON"):
        read_argument("{given: Mary}")
    with pytest.raises(InputError, match="there is no query file"):
        read_argument("nowhere.json")


def test_a_married_name_needs_no_other() -> None:
    assert read_query("", {"married_surname": "Green"}).names == (
        Name(surname="Green", kind="married"),
    )


def test_nothing_at_all_is_refused_as_everywhere() -> None:
    with pytest.raises(QueryError, match="says nothing about the person"):
        read_query("", {"given": "", "occupation": "weaver"})


@pytest.mark.parametrize(
    ("text", "given", "surname"),
    [
        ("Thomas Green", "Thomas", "Green"),
        ("Mary Ann Brown", "Mary Ann", "Brown"),
        ("Ann", "Ann", ""),
        ("Aldous, Maria", "Maria", "Aldous"),
        ("Jan van der Berg", "Jan", "van der Berg"),
        ("Jan /van der Berg/", "Jan", "van der Berg"),
        ("/van der Berg/ Jan", "Jan", "van der Berg"),
        ("Ann //", "Ann", ""),
    ],
)
def test_a_relative_is_named_as_a_register_would(text: str, given: str, surname: str) -> None:
    (relative,) = read_query("", {"given": "Mary", "spouse": text}).relatives

    assert (relative.given, relative.surname) == (given, surname)

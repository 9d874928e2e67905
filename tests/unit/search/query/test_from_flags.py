"""Tests for `forebear.search.query.from_flags`."""

import pytest

from forebear.errors import QueryError
from forebear.records.record import Name
from forebear.search.query.from_flags import query_from_flags, split_name


def test_single_facts_make_a_query() -> None:
    query = query_from_flags(
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
        },
        relatives={"spouse": ["Thomas Green", " "], "child": ["William", "Ann"]},
        lists={"exact": ["surname"], "record_types": ["census"], "require": []},
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
    assert [(each.kind, each.given, each.surname) for each in query.relatives] == [
        ("spouse", "Thomas", "Green"),
        ("child", "William", ""),
        ("child", "Ann", ""),
    ]
    assert (query.keywords, query.occupation, query.id) == ("weaver", "dressmaker", "q7")
    assert (query.exact, query.require, query.record_types) == (("surname",), (), ("census",))


def test_facts_that_are_empty_were_not_given() -> None:
    query = query_from_flags({"given": "Mary", "surname": "", "birth": "", "sex": ""})

    assert query.names == (Name(given="Mary"),)
    assert query.events == ()
    assert query.sex is None


def test_a_married_name_needs_no_other() -> None:
    assert query_from_flags({"married_surname": "Green"}).names == (
        Name(surname="Green", kind="married"),
    )


def test_nothing_at_all_is_refused_as_everywhere() -> None:
    with pytest.raises(QueryError, match="says nothing about the person"):
        query_from_flags({"given": "", "occupation": "weaver"})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Thomas Green", {"given": "Thomas", "surname": "Green"}),
        ("Mary Ann Brown", {"given": "Mary Ann", "surname": "Brown"}),
        ("Ann", {"given": "Ann"}),
        ("Jan /van der Berg/", {"given": "Jan", "surname": "van der Berg"}),
        ("/van der Berg/ Jan", {"surname": "van der Berg"}),
        ("Ann //", {"given": "Ann"}),
    ],
)
def test_a_name_written_as_one_is_parted(text: str, parts: dict[str, str]) -> None:
    assert split_name(text) == parts

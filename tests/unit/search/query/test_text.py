"""One line of text is understood as a query."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import QueryError
from forebear.search.query.person_query import query_to_json
from forebear.search.query.text import query_from_text


def read(text: str) -> dict[str, Any]:
    return query_to_json(query_from_text(text))


def test_the_line_of_the_guide_is_understood() -> None:
    assert read("Mary Brown b. 1851 Layham, wife of Thomas Green") == {
        "names": [{"given": "Mary", "surname": "Brown", "kind": "birth"}],
        "sex": "female",
        "events": [{"kind": "birth", "date": "1851", "place": "Layham"}],
        "relatives": [{"kind": "spouse", "given": "Thomas", "surname": "Green"}],
    }


def test_parents_share_the_surname_that_stands_last() -> None:
    relatives = read("Wm Gulliford, son of George and Ann Gulliford")["relatives"]
    assert relatives == [
        {"kind": "father", "given": "George", "surname": "Gulliford"},
        {"kind": "mother", "given": "Ann", "surname": "Gulliford"},
    ]


def test_a_married_name_and_a_birth_name_are_told_apart() -> None:
    names = read("Mrs Ann Hall née Green")["names"]
    assert [(name["surname"], name["kind"]) for name in names] == [
        ("Hall", "married"),
        ("Green", "birth"),
    ]


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("John Hall born abt 1790 in Wells, Somerset", [("birth", "abt 1790", "Wells, Somerset")]),
        (
            "Jan Berg * 12 Mar 1801 Leiden + 1870",
            [("birth", "12 Mar 1801", "Leiden"), ("death", "1870", "")],
        ),
        (
            "Tom Green bapt. 3 Jan 1840 at Layham; bur. 1901",
            [("baptism", "3 Jan 1840", "Layham"), ("burial", "1901", "")],
        ),
        ("Brown b. bet 1840 and 1845", [("birth", "bet 1840 and 1845", "")]),
        ("Mary Ann Brown (1851-1920)", [("birth", "1851", ""), ("death", "1920", "")]),
        ("Ann Hall lived in Stockport 1881", [("residence", "1881", "Stockport")]),
        ("Ann May d. May 1851", [("death", "May 1851", "")]),
    ],
)
def test_events_have_dates_and_places(text: str, events: list[tuple[str, str, str]]) -> None:
    query = read(text)["events"]
    assert [(e["kind"], e.get("date", ""), e.get("place", "")) for e in query] == events


def test_a_name_is_not_taken_for_a_fact() -> None:
    assert read("M Brown")["names"] == [{"given": "M", "surname": "Brown", "kind": "birth"}]
    assert read("Thomas Child")["names"][0]["surname"] == "Child"


def test_what_has_no_word_of_its_own_is_not_dropped() -> None:
    query = read("Mary Brown, weaver, 1881 Layham, Suffolk")
    assert query["keywords"] == "weaver"
    assert query["events"] == [{"kind": "residence", "date": "1881", "place": "Layham, Suffolk"}]


def test_an_age_needs_its_date() -> None:
    assert read("Mary aged 30 in 1881")["age"] == {"at": "1881", "years": 30}
    with pytest.raises(QueryError, match="an age needs its date, found '30'"):
        query_from_text("Mary aged 30")


def test_an_empty_line_is_an_error_with_an_example() -> None:
    with pytest.raises(QueryError, match="says nothing about the person"):
        query_from_text("  ")


@given(st.text(max_size=60))
def test_any_line_is_a_query_or_our_error(text: str) -> None:
    with contextlib.suppress(QueryError):
        query_from_text(text)

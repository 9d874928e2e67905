"""FamilySearch's terms are understood."""

import pytest

from forebear.errors import QueryError
from forebear.search.query.familysearch import query_from_familysearch


def test_names_dates_and_places_are_read() -> None:
    query = query_from_familysearch(
        "q.givenName=Mary%20Ann&q.surname=Brown&q.sex=Female&q.birthLikeDate.from=1849"
        "&q.birthLikeDate.to=1853&q.birthLikePlace=Layham,%20Suffolk"
    )
    assert [(name.given, name.surname) for name in query.names] == [("Mary Ann", "Brown")]
    assert query.sex == "f"
    (birth,) = query.events
    assert birth.kind == "birth"
    assert birth.date is not None
    assert (birth.date.first_year, birth.date.last_year) == (1849, 1853)
    assert birth.place is not None
    assert birth.place.text == "Layham, Suffolk"


def test_numbers_tell_several_spouses_apart() -> None:
    query = query_from_familysearch(
        "q.surname=Brown&q.spouseGivenName.1=Thomas&q.spouseGivenName.2=Amos&q.spouseSurname.2=Pyke"
    )
    assert [(r.kind, r.given, r.surname) for r in query.relatives] == [
        ("spouse", "Thomas", ""),
        ("spouse", "Amos", "Pyke"),
    ]


def test_modifiers_say_how_strictly_a_fact_is_taken() -> None:
    query = query_from_familysearch(
        "q.surname=Brown&q.surname.exact=on&q.givenName=Ann&q.givenName.exact=off"
        "&q.birthLikeDate=1851&q.birthLikeDate.require=true"
    )
    assert query.exact == ("surname",)
    assert query.require == ("birth.year",)


def test_a_filter_must_agree_to_the_letter() -> None:
    query = query_from_familysearch("q.surname=Brown&f.birthLikePlace=Suffolk&f.recordType=census")
    assert query.exact == ("birth.place",)
    assert query.record_types == ("census",)


def test_one_end_of_a_span_is_enough() -> None:
    query = query_from_familysearch("q.surname=Brown&q.deathLikeDate.to=1880")
    assert query.events[0].date is not None
    assert query.events[0].date.text == "bef 1880"


def test_a_link_is_read_by_its_query_and_paging_means_nothing() -> None:
    query = query_from_familysearch(
        "https://www.example.org/search/record/results?count=20&q.surname=Brown&offset=0"
    )
    assert query.names[0].surname == "Brown"


@pytest.mark.parametrize("text", ["q.surnam=Brown", "x.surname=Brown", "q.surname.fuzzy=Brown"])
def test_an_unknown_term_is_refused_by_name(text: str) -> None:
    with pytest.raises(QueryError, match=f"unknown term '{text.partition('=')[0]}'"):
        query_from_familysearch(text)


def test_nothing_asked_is_an_error() -> None:
    with pytest.raises(QueryError, match="says nothing about the person"):
        query_from_familysearch("count=20")

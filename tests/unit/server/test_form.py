"""Tests for `forebear.server.form`."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError, QueryError
from forebear.server.form import LABELS, MAX_FACT_LENGTH, SearchForm, read_form

forms = st.builds(
    lambda facts, types, impossible: read_form(
        [*facts.items(), *(("type", name) for name in types), *impossible]
    ),
    st.dictionaries(st.sampled_from(list(LABELS)), st.text(max_size=12)),
    st.lists(st.sampled_from(["baptism", "census"])),
    st.sampled_from([[], [("impossible", "1")]]),
)


def test_facts_become_a_query() -> None:
    form = read_form([("given", " Mary "), ("birth", "abt 1851"), ("spouse", "Amos Tye")])

    query = form.query()

    assert (query.names[0].given, query.names[0].surname) == ("Mary", "")
    assert (query.events[0].kind, query.relatives[0].surname) == ("birth", "Tye")


def test_every_fact_of_the_form_reaches_the_query() -> None:
    dates = {"birth": "1851", "death": "1900", "marriage": "1875", "sex": "female"}
    form = read_form([(name, dates.get(name, f"Word{name}")) for name in LABELS])

    query = json.loads(form.query().source)

    names = [value for name in query["names"] for value in name.values()]
    assert {"Wordgiven", "Wordsurname", "Wordmarried_surname"} <= set(names)
    assert {event["kind"] for event in query["events"]} == {
        "birth",
        "death",
        "marriage",
        "residence",
    }
    assert {relative["kind"] for relative in query["relatives"]} == {
        "spouse",
        "father",
        "mother",
        "child",
    }
    assert query["sex"] == "female"


@given(forms)
def test_an_address_holds_all_that_was_typed(form: SearchForm) -> None:
    address = form.address(search_id="s1", page=3)

    again = read_form(parse_qsl(urlsplit(address).query))

    assert (again.facts, again.record_types) == (form.facts, form.record_types)
    assert again.show_impossible == form.show_impossible
    assert (again.search_id, again.page) == ("s1", 3)


def test_a_date_that_is_none_is_named_with_its_field() -> None:
    form = read_form([("given", "Ann"), ("death", "soon")])

    with pytest.raises(QueryError, match="date of death: 'soon' is not understood"):
        form.query()
    assert list(form.mistakes()) == ["death"]


def test_a_fact_of_endless_length_is_refused() -> None:
    form = read_form([("surname", "x" * (MAX_FACT_LENGTH + 1))])

    with pytest.raises(QueryError, match="surname: 201 characters are too many"):
        form.query()


@pytest.mark.parametrize("page", ["0", "-1", "x", "1e3", "999999", "٣", ""])
def test_a_page_is_a_whole_number_from_one(page: str) -> None:
    with pytest.raises(InputError, match="page: found"):
        read_form([("page", page)])


def test_an_empty_form_that_was_sent_is_a_question_without_content() -> None:
    form = read_form([("given", ""), ("surname", "  ")])

    assert form.is_submitted
    with pytest.raises(QueryError, match="says nothing about the person"):
        form.query()
    assert not read_form([("utm_source", "newsletter")]).is_submitted

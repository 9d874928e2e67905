"""Tests for `forebear.search.results.explain`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from explaining import explain_hit
from forebear.records.record import Record
from forebear.search.results.explain import Explanation, Row
from forebear.search.search_result import SearchResult
from forebear.storage.memory import MemoryStorage

Search = Callable[..., SearchResult]
MARY: dict[str, Any] = {
    "given": "Mary Ann",
    "surname": "Browne",
    "sex": "female",
    "events": [{"kind": "birth", "date": "1853", "place": "Raydon, Suffolk, England"}],
    "relatives": [{"kind": "father", "given": "John"}, {"kind": "spouse", "given": "Thomas"}],
    "identifier": "4711",
}


@pytest.fixture
def explained(search: Search, archive: MemoryStorage) -> Explanation:
    result = search(**MARY)
    place = result.find("baptism:b1")
    assert place
    return explain_hit(result, place[1], archive)


def row(explanation: Explanation, fact: str) -> Row:
    (row_,) = [row for row in explanation.rows if row.fact == fact]
    return row_


def cells(explanation: Explanation, fact: str) -> tuple[str, str, str]:
    row_ = row(explanation, fact)
    return row_.you_said, row_.record_says, row_.verdict


def test_a_fact_has_one_row_with_what_both_sides_say(
    explained: Explanation, baptism: Record
) -> None:
    facts = [row.fact for row in explained.rows]

    assert len(facts) == len(set(facts))
    you_said = "Browne; Green (from another record)"  # the wedding names her husband
    assert cells(explained, "surname") == (you_said, "Brown", "a form of the same name")
    assert cells(explained, "given name") == ("Mary Ann", "Mary Ann", "same name")
    assert cells(explained, "father's name")[1] == "John Brown"
    assert len(row(explained, "surname").clauses) > 2


def test_a_father_without_a_surname_is_compared_by_the_persons(explained: Explanation) -> None:
    you_said, *_ = cells(explained, "father's name")

    assert you_said.startswith("John; Browne (the person's surname)")


def test_what_the_record_does_not_state_has_a_row_without_bits(explained: Explanation) -> None:
    spouse, number = row(explained, "spouse's name"), row(explained, "official number")

    assert (spouse.you_said, spouse.record_says, spouse.bits) == ("Thomas", "", 0)
    assert spouse.verdict == "not stated in the record"
    assert (number.verdict, number.bits) == ("not compared with such records", 0)


def test_rows_for_the_type_and_the_list_come_last(explained: Explanation) -> None:
    kinds = [row.kind for row in explained.rows]

    assert kinds[-2:] == ["type", "list"]
    assert set(kinds[:-2]) == {"fact"}
    assert explained.rows[-1].verdict.endswith("the search")


def test_an_explanation_that_does_not_add_up_says_so(explained: Explanation) -> None:
    first = explained.rows[0]

    assert explained.adds_up
    assert not replace(explained, score=explained.score + 1).adds_up
    assert not replace(explained, steps=()).adds_up
    assert not replace(explained, rows=explained.rows[1:]).adds_up
    heavier = replace(first, bits=first.bits + 1)
    assert not replace(explained, rows=(heavier, *explained.rows[1:])).adds_up


def test_json_has_the_same_rows(explained: Explanation) -> None:
    value = explained.to_dict()

    assert [step["verdict"] for step in value["rows"]] == [row.verdict for row in explained.rows]
    assert sum(step["bits"] for step in value["rows"]) == value["log_odds"]
    assert sum(step["bits"] for step in value["steps"]) == value["score"]

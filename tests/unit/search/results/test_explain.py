"""Tests for `forebear.search.results.explain`."""

from dataclasses import replace

import pytest

from forebear.search.expansion.catalog import Clause
from forebear.search.fusion.shifted import FusedHit, ListMove
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.search.record_search.ranked_list import Hit
from forebear.search.results.explain import Explanation, explain

WEIGHTS = {"self.given.exact": 64, "self.sex.conflict": -384, "birth.year.exact": 96}


@pytest.fixture
def explained() -> Explanation:
    clauses = [
        Clause(name=name, kind="term", any_of=(frozenset({"a"}),), note=note)
        for name, note in zip(WEIGHTS, ["", "", "from an age"], strict=True)
    ]
    hit = Hit(record_key="c:1", position=0, score=64 - 384 + 96, fired=tuple(WEIGHTS))
    fused = FusedHit(hit=hit, list_name="census", record_type="census", move=ListMove(shift=-640))
    return explain(fused, clauses, Model(name="m", weights={"census": WEIGHTS}, shifts={}))


def test_every_clause_that_fired_is_a_line_the_weightiest_first(explained: Explanation) -> None:
    assert [(reason.clause, reason.weight) for reason in explained.reasons] == [
        ("self.sex.conflict", -384),
        ("birth.year.exact", 96),
        ("self.given.exact", 64),
    ]
    assert [reason.words for reason in explained.reasons] == [
        "the record gives a different sex",
        "birth year is the same",
        "given name is the same letter for letter",
    ]
    assert [reason.note for reason in explained.reasons] == ["", "from an age", ""]
    assert [reason.bits for reason in explained.reasons] == [-6.0, 1.5, 1.0]


def test_lines_and_shift_add_up_to_the_score(explained: Explanation) -> None:
    assert explained.score == -864
    assert explained.adds_up
    assert explained.probability == pytest.approx(1 / (1 + 2 ** (864 / UNITS_PER_BIT)))


def test_an_explanation_that_does_not_add_up_says_so(explained: Explanation) -> None:
    assert not replace(explained, score=explained.score + 1).adds_up
    assert not replace(explained, steps=()).adds_up
    assert not replace(explained, reasons=explained.reasons[1:]).adds_up

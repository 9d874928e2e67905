"""Tests for `forebear.search.results.explain`."""

from dataclasses import replace

import pytest

from forebear.search.expansion.catalog import Clause
from forebear.search.fusion.shifted import FusedHit, ListMove
from forebear.search.model import Model, ProbabilityConstants
from forebear.search.record_search.ranked_list import Hit, RankedList
from forebear.search.results.explain import Explanation, explain
from forebear.search.results.probability import probabilities

WEIGHTS = {"self.given.exact": 64, "self.sex.conflict": -384, "birth.year.exact": 96}


@pytest.fixture
def explained() -> Explanation:
    clauses = [
        Clause(name=name, kind="term", any_of=(frozenset({"a"}),), note=note)
        for name, note in zip(WEIGHTS, ["", "", "from an age"], strict=True)
    ]
    hit = Hit(record_key="c:1", position=0, score=64 - 384 + 96, fired=tuple(WEIGHTS))
    fused = FusedHit(hit=hit, list_name="census", record_type="census", move=ListMove(shift=-640))
    ranked = RankedList(name="census", record_type="census", hits=(hit,), records=3)
    constants = ProbabilityConstants(scale=0.5, gate=1.0, levels={"census": 4.0})
    steps = probabilities([fused], [ranked], constants, offset=1.0).steps("c:1")
    model = Model(name="m", weights={"census": WEIGHTS}, shifts={})
    return explain(fused, clauses, model, steps)


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


def test_the_steps_of_the_odds_add_up_to_the_probability(explained: Explanation) -> None:
    assert [(step.kind, step.bits) for step in explained.odds] == [
        ("clauses", -3.5),
        ("scale", 1.75),
        ("level", -3.0),
        ("gate", -2.0),
    ]
    assert explained.log_odds == pytest.approx(-6.75)
    assert explained.probability == pytest.approx(1 / (1 + 2**6.75))


def test_an_explanation_that_does_not_add_up_says_so(explained: Explanation) -> None:
    assert not replace(explained, score=explained.score + 1).adds_up
    assert not replace(explained, steps=()).adds_up
    assert not replace(explained, reasons=explained.reasons[1:]).adds_up

"""Tests for `forebear.learning.unattached_lists`."""

from dataclasses import replace

import pytest
from tests.judged_searches import judged

from forebear.interactions.events import JudgedSearch
from forebear.learning.logged_rankings import rank_search
from forebear.learning.unattached_lists import move_of_unattached, unattached_types
from forebear.search.model import Model, default_model

BASE = default_model()


def stronger(factor: float) -> Model:
    """Return a model in which what agrees in a census says more than in `default`, or less."""
    weights = BASE.weights["census"].items()
    census = {name: round(factor * units) if units > 0 else units for name, units in weights}
    return replace(BASE, weights={**BASE.weights, "census": census})


def reversals(searches: list[JudgedSearch], model: Model) -> int:
    """Return how often a baptism stands above an attached census."""
    count = 0
    for search in searches:
        ranked = rank_search(model, search)
        above = 0
        for record, name in zip(ranked.records, ranked.lists, strict=True):
            above += name == "baptism"
            count += above if record in search.attached else 0
    return count


@pytest.fixture
def searches() -> list[JudgedSearch]:
    return judged(60, few=0)


def test_a_type_without_attachments_is_named(searches: list[JudgedSearch]) -> None:
    assert "census" not in unattached_types(searches)
    assert {"baptism", "burial"} <= unattached_types(searches)  # also of what was never shown
    assert "baptism" not in unattached_types(judged(60, few=1))


def test_a_model_that_changes_nothing_moves_nothing(searches: list[JudgedSearch]) -> None:
    assert move_of_unattached(searches, unattached_types(searches), BASE, BASE) == 0


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_attached_records_are_passed_as_often_as_before(
    searches: list[JudgedSearch], factor: float
) -> None:
    after = stronger(factor)
    move = move_of_unattached(searches, unattached_types(searches), BASE, after)
    moved = replace(after, shifts={**after.shifts, "baptism": after.shifts["baptism"] + move})

    before = reversals(searches, BASE)
    assert abs(reversals(searches, moved) - before) <= 0.02 * before
    assert abs(reversals(searches, after) - before) > 0.1 * before
    assert (move > 0) == (factor > 1)


def test_one_searcher_moves_nothing_alone(searches: list[JudgedSearch]) -> None:
    of_one = [replace(one, search=replace(one.search, searcher="u1")) for one in searches]
    of_one = [replace(one, sources=frozenset({"use"})) for one in of_one]

    assert move_of_unattached(of_one, unattached_types(of_one), BASE, stronger(2.0)) == 0


def test_lists_of_attached_types_alone_move_nothing(searches: list[JudgedSearch]) -> None:
    alone = [
        replace(one, search=replace(one.search, lists=one.search.lists[:1])) for one in searches
    ]

    assert move_of_unattached(alone, unattached_types(alone), BASE, stronger(2.0)) == 0

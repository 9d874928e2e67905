"""Tests for `forebear.server.explanation_view` and `forebear.server.result_view`."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.search.expansion.catalog import load_catalog
from forebear.search.results.explain import Explanation, OddsStep, Reason, Rule, Step
from forebear.server.explanation_view import (
    chance_odds,
    topic_of,
    view_explanation,
)

CLAUSES = sorted({row.clause for rows in load_catalog().values() for row in rows})
reasons = st.lists(
    st.builds(
        Reason,
        clause=st.sampled_from(CLAUSES),
        verdict=st.sampled_from(["matched", "absent", "in conflict"]),
        rules=st.sampled_from([(), (Rule(number="5", words="from an age"),)]),
        words=st.just("because"),
        note=st.sampled_from(["", "worked out"]),
        weight=st.integers(-1024, 1024),
    ),
    max_size=40,
)


def explained(found: list[Reason], shift: int, decay: int = 0) -> Explanation:
    evidence = sum(reason.weight for reason in found) + shift
    return Explanation(
        record_key="baptisms:1",
        list_name="baptism",
        reasons=tuple(found),
        steps=(
            Step(kind="shift", words="shift", weight=shift),
            Step(kind="decay", words="decay", weight=-decay),
        ),
        evidence=evidence,
        score=evidence - decay,
        odds=(OddsStep(kind="clauses", words="all reasons together", bits=0.5),),
    )


def figure(text: str) -> Decimal:
    return Decimal(text.replace("−", "-"))


@given(reasons, st.integers(-1024, 1024), st.integers(0, 100))
def test_the_figures_add_up_as_they_are_written(
    found: list[Reason], shift: int, decay: int
) -> None:
    explanation = explained(found, shift, decay)
    view = view_explanation(explanation)

    lines = [figure(reason.bits) for reason in view.reasons]
    subtotals = [figure(topic.bits) for topic in view.topics]
    assert sum(lines) + sum(figure(step.bits) for step in view.steps) == figure(view.score)
    assert sum(subtotals) == sum(lines)
    assert figure(view.score) * 64 == explanation.score


@given(reasons)
def test_every_reason_is_listed_or_weighs_nothing(found: list[Reason]) -> None:
    view = view_explanation(explained(found, 0))

    assert len(view.reasons) + view.weightless == len(found)
    assert all(0 < reason.bar <= 100 for reason in view.reasons if abs(figure(reason.bits)) > 0.1)


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_of_the_catalog_has_a_topic(clause: str) -> None:
    assert topic_of(clause)


@given(st.integers(-64 * 40, 64 * 40))
def test_odds_say_on_which_side_they_are(sixty_fourths: int) -> None:
    words = chance_odds(sixty_fourths / 64)

    assert words == "even" or words.endswith("for" if sixty_fourths > 0 else "against")

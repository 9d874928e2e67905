"""Tests for `forebear_lab.experiments.verdicts`."""

import numpy as np
import pytest

from forebear_lab.experiments.verdicts import (
    Ordering,
    difference_interval,
    judge_orderings,
    judge_ratio,
    judge_similarity,
)

RANDOM = np.random.default_rng(1)
LOW = RANDOM.random(200) * 0.5


def test_a_clear_ordering_holds_its_reverse_does_not_and_chance_is_undecided() -> None:
    noise = LOW + RANDOM.normal(0, 0.1, 200)
    orderings = [
        Ordering(claim="clear", better=LOW + 0.2, worse=LOW),
        Ordering(claim="reversed", better=LOW, worse=LOW + 0.2),
        Ordering(claim="noise", better=noise - (noise - LOW).mean(), worse=LOW),
    ]

    verdicts = judge_orderings(orderings, seed=1)

    assert [one.answer for one in verdicts] == ["holds", "does not hold", "undecided"]


def test_what_one_test_would_find_a_family_of_many_may_not() -> None:
    shifted = LOW + RANDOM.normal(0, 0.3, 200)
    shifted += 0.045 - (shifted - LOW).mean()
    one = Ordering(claim="small", better=shifted, worse=LOW)
    same = Ordering(claim="none", better=LOW, worse=LOW)

    alone = judge_orderings([one], seed=1)[0]
    together = judge_orderings([one, *[same] * 40], seed=1)[0]

    assert (alone.answer, together.answer) == ("holds", "undecided")


@pytest.mark.parametrize(("shift", "answer"), [(0.03, "undecided"), (0.2, "holds")])
def test_a_learner_that_saw_a_sample_is_not_found_worse_by_a_little(
    shift: float, answer: str
) -> None:
    one = Ordering(claim="x", better=LOW + shift, worse=LOW, worse_saw="saw 5 of 50")

    verdict = judge_orderings([one], seed=1)[0]

    assert verdict.answer == answer
    assert "saw 5 of 50" in verdict.figures


@pytest.mark.parametrize(
    ("shift", "answer"), [(0.001, "holds"), (0.05, "does not hold"), (0.01, "undecided")]
)
def test_likeness_is_asked_within_a_margin(shift: float, answer: str) -> None:
    noise = RANDOM.normal(0, 0.01, 200)
    values = LOW + shift + noise - noise.mean()

    verdict = judge_similarity(Ordering(claim="alike", better=values, worse=LOW), seed=1)

    assert verdict.answer == answer


@pytest.mark.parametrize(
    ("quick", "answer"),
    [([1.0, 2.0], "holds"), ([9.0, 9.0], "does not hold"), ([1.0, 9.0], "undecided")],
)
def test_a_ratio_of_costs_must_be_seen_everywhere(quick: list[float], answer: str) -> None:
    assert judge_ratio("faster", [10.0, 10.0], quick, at_least=2).answer == answer


def test_a_learner_that_saw_less_is_not_called_quick() -> None:
    few = "saw 10 of 100 training queries"

    quicker = judge_ratio("slower", [1.0], [2.0], at_least=1, handicap=few)
    slower = judge_ratio("slower", [3.0], [2.0], at_least=1, handicap=few)

    assert (quicker.answer, slower.answer) == ("undecided", "holds")
    assert few in quicker.figures


def test_the_interval_of_a_difference_holds_the_difference() -> None:
    difference, low, high = difference_interval(LOW, LOW + RANDOM.random(200), seed=1)

    assert low < difference < high

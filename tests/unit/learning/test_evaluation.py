"""Tests for `forebear.learning.evaluation`."""

from dataclasses import replace

import numpy as np
import pytest
from tests.judged_searches import judged

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch
from forebear.learning.e_value import Evidence
from forebear.learning.evaluation import (
    Evaluation,
    RankingComparison,
    evaluate,
    refusals,
    training_note,
)
from forebear.learning.measures import Comparison
from forebear.learning.train import train
from forebear.search.model import default_model, hand_set_model

BASE = default_model()


@pytest.fixture(scope="module")
def better() -> Evaluation:
    """The comparison of models that learned the planted truth."""
    return evaluate(judged(80), BASE, BASE, seed=1)


def test_a_model_that_learned_the_truth_is_better(better: Evaluation) -> None:
    comparison = better.comparison
    assert comparison is not None

    assert better.is_better
    assert comparison.searches == comparison.persons == 80
    assert comparison.evidence.value > 20
    assert comparison.after["ndcg@100"] > comparison.before["ndcg@100"] + 0.05
    assert better.measures == comparison.after


def test_a_model_that_learned_from_chance_is_not_better() -> None:
    random = np.random.default_rng(1)
    searches = [
        replace(one, attached=frozenset(random.choice(one.search.lists[0].records, 1)))
        for one in judged(80, few=0)
    ]

    evaluation = evaluate(searches, BASE, BASE, seed=1)

    assert not evaluation.is_better
    assert evaluation.comparison is not None
    assert evaluation.comparison.evidence.value < 20


def test_few_people_show_nothing(better: Evaluation) -> None:
    assert better.comparison is not None
    # All searches attach one of six records more: six families.
    searches = [
        replace(one, attached=one.attached | {f"shared:{number % 6}"})
        for number, one in enumerate(judged(80))
    ]

    comparison = evaluate(searches, BASE, BASE, seed=1).comparison

    assert comparison is not None
    assert comparison.persons == 6
    assert not comparison.is_shown
    assert (comparison.searches_missing() or 0) >= 14
    assert comparison.evidence.value < better.comparison.evidence.value


def test_only_searches_after_the_cutoff_are_compared() -> None:
    searches = judged(60)

    evaluation = evaluate(searches, BASE, BASE, seed=1, since=searches[24].search.at)

    assert evaluation.comparison is not None
    assert evaluation.comparison.searches == 35


def test_what_was_judged_in_use_teaches_but_compares_nothing() -> None:
    used = judged(50, source="use", seed=7)

    alone = evaluate(used, BASE, BASE, seed=1)
    beside = evaluate([*used, *judged(30)], BASE, BASE, seed=1)

    assert alone.comparison is None
    assert alone.needs_trial
    assert not alone.is_better
    assert beside.comparison is not None
    assert beside.comparison.searches == 30
    assert not beside.needs_trial


def test_what_was_judged_in_use_joins_no_people() -> None:
    links = judged(30, few=0)
    everything = frozenset(record for one in links for record in one.attached)
    voted = [
        replace(one, attached=one.attached | everything) for one in judged(50, source="use", seed=7)
    ]

    comparison = evaluate([*links, *voted], BASE, BASE, seed=1).comparison

    assert comparison is not None
    assert comparison.persons == 30


def test_one_person_cannot_be_learned_from_and_compared_on() -> None:
    one_family = [replace(one, attached=one.attached | {"shared"}) for one in judged(8)]

    with pytest.raises(InputError, match="of 1 person, are too few") as refused:
        evaluate(one_family, BASE, BASE, seed=1)
    assert refused.value.hint


def interval(low: float, high: float, *, searches: int = 100) -> Comparison:
    return Comparison(
        difference=(low + high) / 2, low=low, high=high, confidence=0.9, query_count=searches
    )


def comparison(
    first: Comparison | None = None, types: dict[str, Comparison] | None = None
) -> RankingComparison:
    return RankingComparison(
        before={},
        after={},
        persons=100,
        evidence=Evidence(searches=100, total=5.0, variance=0.003),
        ndcg=interval(0.01, 0.09),
        first=first or interval(-0.02, 0.01),
        types=types or {},
    )


@pytest.mark.parametrize(
    ("nce", "of", "at_bound", "reason"),
    [
        (0.949, comparison(), (), "falls from 1.000 to 0.949, more than 5%"),
        (1.0, comparison(), ("census",), "the shift of census went as far as it may"),
        (1.0, comparison(interval(-0.05, -0.001)), (), "fewer searches have a right record first"),
        (
            1.0,
            comparison(types={"burial": interval(-0.3, -0.01, searches=30)}),
            (),
            "a right burial among the first ten",
        ),
        (0.9, None, (), "falls from 1.000 to 0.900"),
    ],
)
def test_a_model_is_refused_with_the_reason(
    nce: float, of: RankingComparison | None, at_bound: tuple[str, ...], reason: str
) -> None:
    (refusal,) = refusals(1.0, nce, of, at_bound)

    assert reason in refusal


def test_what_may_be_luck_refuses_nothing() -> None:
    types = {
        "burial": interval(-0.3, -0.01, searches=29),
        "census": interval(-0.1, 0.0, searches=200),
    }

    assert [*refusals(1.0, 0.951, comparison(types=types), ())] == []


def test_a_refused_model_is_not_better(better: Evaluation) -> None:
    assert not replace(better, refusals=("a reason",)).is_better


def test_the_note_says_what_the_owner_overruled(better: Evaluation) -> None:
    searches: list[JudgedSearch] = judged(80)
    training = train(searches, hand_set_model(), seed=1)
    refused = replace(better, refusals=("the reason",))
    no_gain = replace(better, comparison=None)

    notes = [
        training_note(training, evaluation, promoted=promoted)
        for evaluation, promoted in ((better, True), (refused, False), (refused, True))
    ]

    learned = "learned from 80 searches (map around hand-set)"
    assert notes == [
        learned,
        learned,
        f"{learned}; promoted by the owner although the reason",
    ]
    overruled = training_note(training, no_gain, promoted=True)
    assert overruled.endswith("although no gain was shown")

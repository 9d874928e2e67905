"""Tests for `forebear.cli.train`: the sentence that says what came of a training."""

import pytest

from forebear.archive.learning import Training
from forebear.cli.train import summary
from forebear.learning.e_value import Evidence
from forebear.learning.evaluation import Evaluation, RankingComparison
from forebear.learning.measures import Comparison
from forebear.learning.train import Training as LearnedModel
from forebear.search.model import Model

LEARNED = LearnedModel(
    model=Model(name="new", weights={}, shifts={}),
    searches=212,
    learned=(),
    unchanged=(),
    at_bound=(),
    histories={},
)
STRONG = Evidence(searches=200, total=4.0, variance=0.003)
WEAK = Evidence(searches=200, total=1.0, variance=0.003)
WORSE = Evidence(searches=200, total=-1.0, variance=0.003)


def comparison(evidence: Evidence, first: float = 0.04, ten: float = 0.02) -> RankingComparison:
    interval = Comparison(difference=0.02, low=0.01, high=0.03, confidence=0.95, query_count=200)
    return RankingComparison(
        before={"success@1": 0.8, "success@10": 0.9},
        after={"success@1": 0.8 + first, "success@10": 0.9 + ten},
        persons=150,
        evidence=evidence,
        ndcg=interval,
        first=interval,
        types={},
    )


def sentence(
    compared: RankingComparison | None,
    *,
    promoted: bool = False,
    refusals: tuple[str, ...] = (),
    needs_trial: bool = False,
    since: str = "",
) -> str:
    evaluation = Evaluation(
        incumbent="default",
        since=since,
        nce_before=0.8,
        nce_after=0.8,
        comparison=compared,
        needs_trial=needs_trial,
        refusals=refusals,
    )
    return summary(
        Training(version="v3", promoted=promoted, learned=LEARNED, evaluation=evaluation)
    )


@pytest.mark.parametrize(
    ("compared", "gain"),
    [
        (comparison(STRONG), "4 more now have the right record first"),
        (comparison(STRONG, first=0.01), "1 more now has the right record first"),
        (comparison(STRONG, first=0.0), "2 more now have the right record among the first ten"),
    ],
)
def test_a_gain_is_counted_in_a_hundred_searches(compared: RankingComparison, gain: str) -> None:
    assert sentence(compared, promoted=True) == (
        f"Of 100 searches like yours, {gain}; learned from 212 searches."
    )


def test_a_gain_further_down_is_one_of_ndcg() -> None:
    text = sentence(comparison(STRONG, first=-0.01, ten=0.0), promoted=True)

    assert text.startswith(
        "Right records now stand higher in searches like yours: ndcg@100 +0.020;"
    )


def test_a_gain_that_is_not_shown_says_how_many_searches_are_missing() -> None:
    assert sentence(comparison(WEAK)) == (
        "A gain over default is not shown yet: that takes about 970 more searches like these 200; "
        "learned from 212 searches."
    )


def test_no_gain_says_so() -> None:
    assert sentence(comparison(WORSE)).startswith(
        "The new weights do not rank better than default in 200 searches;"
    )


def test_a_refusal_says_why() -> None:
    text = sentence(comparison(STRONG), refusals=("the lists vary less", "another"))

    assert text == "Not used, because the lists vary less; learned from 212 searches."


def test_attachments_made_in_use_need_a_trial() -> None:
    assert "`forebear serve --trial v3`;" in sentence(None, needs_trial=True)


def test_a_gain_that_was_not_to_be_used_is_named() -> None:
    assert ", if you use v3;" in sentence(comparison(STRONG))


def test_without_newer_searches_there_is_nothing_to_compare() -> None:
    text = sentence(None, since="2026-11-18")

    assert text.startswith("No judged search is newer than those that default was learned from;")


def test_too_few_searchers_compare_nothing() -> None:
    assert sentence(None).startswith("Too few searchers judged the searches that could compare")


def test_what_the_owner_decided_is_not_called_a_gain() -> None:
    assert sentence(comparison(WORSE), promoted=True) == (
        "v3 is in use, as you decided with --promote; learned from 212 searches."
    )

"""Tests for `forebear_lab.experiments.toy`: the paper's figures, and the one it misprints."""

import pytest

from forebear_lab.experiments.data import experiment_table, paper_claims, printed_fusion
from forebear_lab.experiments.methods import METHODS
from forebear_lab.experiments.toy import LISTS, NCE_EXPLAINED, make_toy


def _row(table, name: str) -> tuple:
    return next(row for row in table.rows if row[0] == name)


def test_the_customized_start_is_the_papers() -> None:
    weights = make_toy().weights

    assert _row(weights, "w_new")[1:] == pytest.approx((1, 0, 2 / 3, 0.5))
    assert _row(weights, "w_old")[1:] == pytest.approx((0.25,) * 4)


def test_scores_and_ranks_are_the_papers_and_the_tie_is_shown() -> None:
    scores = make_toy().scores

    assert [row[2] for row in scores.rows[:4]] == pytest.approx([5 / 3, 13 / 6, 7 / 6, 0])
    assert [row[3] for row in scores.rows[:4]] == ["2", "1", "3", "4"]
    assert [row[5] for row in scores.rows[:4]] == ["3", "1-2", "1-2", "4"]
    assert scores.rows[4][2] == pytest.approx(1)
    assert scores.rows[4][4] == pytest.approx(0.8066, abs=5e-5)


@pytest.mark.parametrize("number", range(4))
def test_intent_aware_measures_and_s_recall_are_exactly_as_printed(number: int) -> None:
    printed = experiment_table("toy_printed")[number]
    row = _row(make_toy().diversity, printed["measure"])

    assert [f"{value:.3f}" for value in row[1:4]] == [printed[name] for name in LISTS]


def test_nce_follows_the_definition_beside_what_is_printed() -> None:
    row = _row(make_toy().diversity, "nce@8(types=4)")

    assert row[1:4] == pytest.approx((0.6033, 1.0, 0.7253), abs=5e-5)
    assert row[4:] == ("0.025", "0.041", "0.030")


def test_the_printed_nce_is_explained_by_a_divisor_of_300() -> None:
    sums = _row(make_toy().diversity, "cumulative entropy, bits")[1:4]

    assert [f"{value / 300:.3f}" for value in sums] == ["0.025", "0.041", "0.030"]
    assert NCE_EXPLAINED in make_toy().notes


def test_alpha_ndcg_orders_the_lists_as_nce_does() -> None:
    row = _row(make_toy().diversity, "alpha_ndcg@8(ideal=declared)")

    assert row[1:4] == pytest.approx((0.838, 1.0, 0.948), abs=5e-4)


def test_every_claim_and_printed_figure_is_about_a_method_that_is_run() -> None:
    claimed = {name for claim in paper_claims() for name in (claim.better, claim.worse)}

    assert claimed | set(printed_fusion()) <= set(METHODS)


def test_the_papers_claims_follow_from_its_own_figures() -> None:
    printed = printed_fusion()

    for claim in paper_claims():
        better, worse = printed[claim.better], printed[claim.worse]
        assert better[claim.measure] > worse[claim.measure], claim

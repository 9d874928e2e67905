"""Tests for `forebear_lab.evaluation.measures.ndcg`."""

from itertools import pairwise, permutations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear_lab.evaluation.measures.ndcg import dcg, expected_ndcg, ideal_dcg, ndcg

grades = st.lists(st.integers(0, 3), min_size=1, max_size=20)
cutoffs = st.none() | st.integers(1, 10)


@pytest.mark.parametrize(
    ("ranked_labels", "expected"), [([1, 0, 1, 0], 0.9197), ([0, 1, 1, 0], 0.6934)]
)
def test_equal_weights_on_the_toy_data_of_the_paper_give_one_of_two_values(
    ranked_labels: list[int], expected: float
) -> None:
    assert ndcg(ranked_labels) == pytest.approx(expected, abs=5e-5)


def test_customized_weights_on_the_toy_data_of_the_paper_rank_perfectly() -> None:
    assert expected_ndcg([5 / 3, 13 / 6, 7 / 6, 0], [1, 1, 0, 0]) == pytest.approx(1.0)


def test_the_tie_of_equal_weights_on_the_toy_data_is_averaged() -> None:
    value = expected_ndcg([0.5, 0.75, 0.75, 0], [1, 1, 0, 0])

    assert value == pytest.approx(0.8066, abs=5e-5)
    assert value == pytest.approx(mean([ndcg([1, 0, 1, 0]), ndcg([0, 1, 1, 0])]))


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 1.0, 2.0]), st.integers(0, 2)), max_size=6),
    st.none() | st.integers(1, 4),
)
def test_the_expected_value_is_the_mean_over_every_order_that_the_scores_allow(
    records: list[tuple[float, int]], cutoff: int | None
) -> None:
    allowed = [
        order
        for order in permutations(records)
        if all(first[0] >= second[0] for first, second in pairwise(order))
    ]

    value = expected_ndcg([s for s, _ in records], [g for _, g in records], cutoff=cutoff)

    by_order = [ndcg([gain for _, gain in order], cutoff=cutoff) for order in allowed]
    assert value == pytest.approx(mean(by_order))


@given(grades, cutoffs)
def test_the_best_order_has_value_one(gains: list[int], cutoff: int | None) -> None:
    best_first = sorted(gains, reverse=True)

    assert ndcg(best_first, cutoff=cutoff) == pytest.approx(1.0 if any(gains) else 0.0)


@given(grades, cutoffs)
def test_ndcg_lies_between_zero_and_one(gains: list[int], cutoff: int | None) -> None:
    assert 0.0 <= ndcg(gains, cutoff=cutoff) <= 1.0 + 1e-12


def test_relevant_records_that_were_not_found_lower_the_value() -> None:
    assert ndcg([1], judged=[1, 1]) == pytest.approx(dcg([1]) / dcg([1, 1]))


def test_grades_below_zero_are_no_part_of_the_ideal() -> None:
    assert ideal_dcg([-1, 1]) == 1.0


def test_nothing_beyond_the_cutoff_counts() -> None:
    assert ndcg([0, 0, 1], cutoff=2) == 0.0


def test_a_cutoff_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="at least 1, not 0"):
        ndcg([1], cutoff=0)


def test_scores_without_gains_are_refused() -> None:
    with pytest.raises(InputError, match="2 scores but 1 gains"):
        expected_ndcg([1.0, 2.0], [1])

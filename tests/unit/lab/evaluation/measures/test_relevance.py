"""Tests for `forebear_lab.evaluation.measures.relevance`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from forebear_lab.evaluation.measures.relevance import (
    average_precision,
    precision,
    recall,
    reciprocal_rank,
    success,
)


def test_precision_counts_empty_places_as_irrelevant() -> None:
    assert precision([2, 0, 1], cutoff=5) == pytest.approx(2 / 5)


def test_precision_without_a_cutoff_looks_at_the_whole_list() -> None:
    assert precision([2, 0, 1]) == pytest.approx(2 / 3)


def test_recall_is_of_all_relevant_records_found_or_not() -> None:
    assert recall([1, 0, 1], judged=[1, 1, 1, 0], cutoff=3) == pytest.approx(2 / 3)


def test_recall_without_a_relevant_record_is_zero() -> None:
    assert recall([0], judged=[0]) == 0.0


@pytest.mark.parametrize(("cutoff", "expected"), [(1, 0.0), (2, 1.0)])
def test_success_needs_one_relevant_record_above_the_cutoff(cutoff: int, expected: float) -> None:
    assert success([0, 1, 1], cutoff=cutoff) == expected


@pytest.mark.parametrize(("cutoff", "expected"), [(None, 1 / 3), (3, 1 / 3), (2, 0.0)])
def test_reciprocal_rank_is_of_the_first_relevant_record(
    cutoff: int | None, expected: float
) -> None:
    assert reciprocal_rank([0, 0, 2, 1], cutoff=cutoff) == pytest.approx(expected)


@given(seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=30)
def test_average_precision_is_that_of_scikit_learn(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 13))
    scores = random.permutation(count) / 8
    relevant = random.random(count) < 0.4
    relevant[0] = True

    ranked = relevant[np.argsort(scores)[::-1]].tolist()

    assert average_precision(ranked) == pytest.approx(average_precision_score(relevant, scores))

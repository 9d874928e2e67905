"""Tests for the measures of early hits: precision, recall, success, reciprocal rank."""

import pytest

from forebear_lab.evaluation.measures.relevance import precision, recall, reciprocal_rank, success


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

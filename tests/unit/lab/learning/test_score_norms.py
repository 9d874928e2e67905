"""Tests for `forebear_lab.learning.score_norms`."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear_lab.learning.score_norms import Norm, normalize_list, normalize_lists, to_bits

MakesFusion = Callable[..., FusionDataset]


def test_min_max_spreads_scores_and_the_least_is_not_nothing() -> None:
    assert normalize_list(np.array([4.0, 3.0, 2.0]), "min_max").tolist() == [1.0, 0.5, 0.001]


def test_min_max_never_changes_the_order() -> None:
    assert normalize_list(np.array([1e6, 1.0, 0.5]), "min_max").tolist() == [1.0, 0.001, 0.001]


@pytest.mark.parametrize("scores", [[7.0], [2.0, 2.0]])
def test_min_max_of_equal_scores_is_one(scores: list[float]) -> None:
    assert normalize_list(np.array(scores), "min_max").tolist() == [1.0] * len(scores)


def test_l2_makes_the_squares_sum_to_one() -> None:
    np.testing.assert_allclose(normalize_list(np.array([3.0, 4.0]), "l2"), [0.6, 0.8])
    assert normalize_list(np.zeros(2), "l2").tolist() == [0.0, 0.0]


@pytest.mark.parametrize("norm", get_args(Norm))
def test_a_dataset_is_normalized_list_by_list(planted_lists: MakesFusion, norm: Norm) -> None:
    lists = planted_lists(1, queries=4)
    lists = replace(lists, scores=lists.scores + 20)

    found = normalize_lists(lists, norm)

    for first, last in zip(lists.offsets[:-1], lists.offsets[1:], strict=True):
        expected = normalize_list(lists.scores[first:last], norm)
        np.testing.assert_allclose(found.scores[first:last], expected)


def test_a_list_that_a_query_lacks_stays_empty() -> None:
    lists = FusionDataset.from_lists(["a", "b"], [("q", {"b": ([2.0, 1.0], [0, 1])})])

    assert normalize_lists(lists, "l2").offsets.tolist() == [0, 0, 2]
    assert normalize_list(np.zeros(0), "min_max").size == 0


def test_positive_scores_become_bits() -> None:
    lists = FusionDataset.from_lists(["a"], [("q", {"a": ([8.0, 0.5], [0, 1])})])

    assert to_bits(lists).scores.tolist() == [3.0, -1.0]


def test_scores_that_are_not_positive_are_no_powers_of_two() -> None:
    lists = FusionDataset.from_lists(["a"], [("q", {"a": ([1.0, 0.0], [0, 1])})])

    with pytest.raises(InputError, match=r"a score is 0.0, and weights multiply only scores above"):
        to_bits(lists)

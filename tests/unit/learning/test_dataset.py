"""Tests for `forebear.learning.dataset`."""

from typing import Any

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset, RankingDataset

RANKING: dict[str, Any] = {
    "features": np.array([[1, 0], [0, 1], [1, 1]], bool),
    "labels": np.array([1, 0, 2]),
    "offsets": np.array([0, 2, 3]),
    "feature_names": ("a", "b"),
    "query_ids": ("q1", "q2"),
}
FUSION: dict[str, Any] = {
    "scores": np.array([2.0, -1.0, 3.0, 0.5]),
    "labels": np.array([0, 1, 0, 0]),
    "offsets": np.array([0, 2, 3, 3, 4]),
    "list_names": ("census", "burial"),
    "query_ids": ("q1", "q2"),
}


def test_queries_are_joined_in_their_order() -> None:
    dataset = RankingDataset.from_queries(
        ["a", "b"], [("q1", [[1, 0], [0, 1]], [1, 0]), ("empty", [], []), ("q2", [[1, 1]], [2])]
    )

    assert dataset.features.tolist() == [[True, False], [False, True], [True, True]]
    assert dataset.labels.tolist() == [1, 0, 2]
    assert dataset.offsets.tolist() == [0, 2, 2, 3]
    assert dataset.query_ids == ("q1", "empty", "q2")


def test_some_queries_of_a_ranking_dataset_can_be_taken() -> None:
    taken = RankingDataset(**RANKING).take([1, 0])

    assert taken.query_ids == ("q2", "q1")
    assert taken.labels.tolist() == [2, 1, 0]
    assert taken.offsets.tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": np.array([1, 0])}, r"shape \(3, 2\) do not fit 2 labels"),
        ({"feature_names": ("a",)}, "do not fit 3 labels and 1 feature names"),
        ({"feature_names": ("a", "a")}, "feature 'a' is named twice"),
        ({"query_ids": ("q", "q")}, "query 'q' is named twice"),
        ({"query_ids": ("q1",)}, "offsets must be 2 numbers from 0 to 3"),
        ({"offsets": np.array([0, 4, 3])}, "offsets must never decrease"),
        ({"offsets": np.array([0, 1, 2])}, "offsets must be 3 numbers from 0 to 3"),
        ({"labels": np.array([1, -1, 0])}, "a label is -1"),
        ({"labels": np.array([1.0, 0, 0])}, "labels are of type float64, not int64"),
        ({"features": np.ones((3, 2), np.int8)}, "features are of type int8, not bool or float64"),
        ({"features": np.full((3, 2), np.nan)}, "a feature is not a finite number"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RankingDataset(**{**RANKING, **change})


def test_a_query_with_too_few_labels_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="q7 has 2 records but 1 labels"):
        RankingDataset.from_queries(["a"], [("q7", [[1], [0]], [1])])


def test_lists_are_sorted_and_missing_ones_are_empty() -> None:
    dataset = FusionDataset.from_lists(
        ["census", "burial"],
        [("q1", {"census": ([-1.0, 2.0], [1, 0]), "burial": ([3.0], [0])}), ("q2", {})],
    )

    assert dataset.scores.tolist() == [2.0, -1.0, 3.0]
    assert dataset.labels.tolist() == [0, 1, 0]
    assert dataset.offsets.tolist() == [0, 2, 3, 3, 3]


def test_some_queries_of_a_fusion_dataset_can_be_taken() -> None:
    taken = FusionDataset(**FUSION).take([1])

    assert taken.query_ids == ("q2",)
    assert taken.scores.tolist() == [0.5]
    assert taken.offsets.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": np.array([1.0, 2.0, 3.0, 0.5])}, "position 1 exceeds the one before it"),
        ({"scores": np.array([2.0, -1.0, np.nan, 0.5])}, "not a finite number"),
        ({"scores": np.array([2.0, -1.0, 3.0])}, "3 records but 4 labels"),
        ({"scores": np.array([2, 1, 3, 0])}, "scores are of type int64, not float64 or float32"),
        ({"list_names": ("census",)}, "offsets must be 3 numbers"),
        ({"list_names": ("census", "census")}, "list 'census' is named twice"),
    ],
)
def test_lists_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        FusionDataset(**{**FUSION, **change})


def test_a_list_without_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="query 'q1' has a list 'will' that is not named"):
        FusionDataset.from_lists(["census"], [("q1", {"will": ([1.0], [1])})])


def test_features_may_be_true_or_false_or_numbers() -> None:
    assert RankingDataset(**RANKING).binary
    assert not RankingDataset(**{**RANKING, "features": np.ones((3, 2))}).binary


def test_each_record_of_lists_to_be_fused_belongs_to_a_list() -> None:
    assert FusionDataset(**FUSION).lists_of_records().tolist() == [0, 0, 1, 1]


def test_the_first_records_of_every_list_can_be_taken() -> None:
    top = FusionDataset(**FUSION).top(1)

    assert top.scores.tolist() == [2.0, 3.0, 0.5]
    assert top.labels.tolist() == [0, 0, 0]
    assert top.offsets.tolist() == [0, 1, 2, 2, 3]

"""Tests for `forebear_lab.simulation.fusion_rankings`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear_lab.simulation.fusion_rankings import draw_traits, simulate_fusion_rankings


@pytest.fixture(scope="module")
def lists() -> FusionDataset:
    return simulate_fusion_rankings(queries=300, lists=14, seed=1, model_seed=1)


def test_lists_hold_at_most_a_hundred_records_and_some_are_empty(lists) -> None:
    lengths = np.diff(lists.offsets).reshape(300, 14)

    assert lengths.max() == 100
    assert 0.05 < (lengths == 0).mean() < 0.4
    assert (lengths.sum(axis=1) > 0).all()


def test_one_to_four_records_of_a_query_are_relevant(lists) -> None:
    relevant = np.add.reduceat(lists.labels, lists.offsets[:-1:14])

    assert set(relevant.tolist()) == {1, 2, 3, 4}


@pytest.mark.parametrize("count", [8, 20])
def test_scores_are_positive_tied_and_of_different_scales(count: int) -> None:
    data = simulate_fusion_rankings(queries=100, lists=count, seed=1, model_seed=1)
    of_list = data.lists_of_records()
    medians = np.array([np.median(data.scores[of_list == number]) for number in range(count)])

    assert data.scores.min() > 0
    assert medians.max() > 1.3 * medians.min()
    assert np.unique(data.scores).size < 0.2 * data.scores.size


def test_relevant_records_score_higher_than_others_of_their_list(lists) -> None:
    of_list = lists.lists_of_records()
    higher = [
        lists.scores[(of_list == number) & (lists.labels > 0)].mean()
        > lists.scores[(of_list == number) & (lists.labels == 0)].mean()
        for number in range(14)
        if lists.labels[of_list == number].any()
    ]

    assert all(higher)


def test_the_same_seeds_give_the_same_lists_and_others_give_other_lists() -> None:
    sizes = {"queries": 20, "lists": 8}
    first, again, other_queries, other_lists = (
        simulate_fusion_rankings(**sizes, seed=seed, model_seed=model_seed)
        for seed, model_seed in ((1, 1), (1, 1), (2, 1), (1, 2))
    )

    np.testing.assert_array_equal(first.scores, again.scores)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert not np.array_equal(first.offsets, other_queries.offsets)
    assert not np.array_equal(first.scores[:50], other_lists.scores[:50])


def test_a_larger_simulation_begins_with_the_queries_of_a_smaller_one() -> None:
    messages: list[str] = []
    small = simulate_fusion_rankings(queries=30, lists=8, seed=1, model_seed=1)
    large = simulate_fusion_rankings(
        queries=1100, lists=8, seed=1, model_seed=1, progress=messages.append
    )

    np.testing.assert_array_equal(large.take(range(30)).scores, small.scores)
    assert messages == ["simulated 1,000 of 1,100 queries", "simulated 1,100 of 1,100 queries"]


@pytest.mark.parametrize("seed", range(4))
def test_lists_differ_in_scale_as_much_for_every_seed(seed: int) -> None:
    traits = draw_traits(14, np.random.default_rng(seed))

    assert np.log2(traits.scale).std() == pytest.approx(0.12)
    assert traits.attraction.sum() == pytest.approx(1)


def test_a_single_list_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to fuse"):
        simulate_fusion_rankings(queries=5, lists=1, seed=1, model_seed=1)

"""Tests for `forebear_lab.simulation.rankings`."""

from itertools import pairwise

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear_lab.simulation.rankings import (
    LONGEST,
    SHAPES,
    RecordShape,
    draw_facts,
    draw_traits,
    find_shape,
    simulate_fusion_rankings,
    simulate_record_rankings,
)

SMALL = RecordShape(records=4_000, features=30, evidence=20.0)


@pytest.fixture(scope="module")
def small() -> RankingDataset:
    return simulate_record_rankings(SMALL, seed=1, model_seed=1)[0]


def columns_by_fact(dataset: RankingDataset) -> dict[str, list[int]]:
    facts: dict[str, list[int]] = {}
    for column, name in enumerate(dataset.feature_names):
        facts.setdefault(name.split(".")[0], []).append(column)
    return facts


@pytest.mark.parametrize(
    ("name", "size"), [("marriage", (60_232, 121)), ("residence", (69_053, 87))]
)
def test_the_shapes_are_those_of_the_paper(name: str, size: tuple[int, int]) -> None:
    train, test = simulate_record_rankings(SHAPES[name], seed=1, model_seed=1)

    assert train.features.shape == test.features.shape == size
    assert train.binary
    assert train.feature_names == test.feature_names
    assert not np.array_equal(train.features, test.features)


def test_queries_have_at_most_a_hundred_records_and_one_to_three_are_relevant(small) -> None:
    sizes = np.diff(small.offsets)
    relevant = np.add.reduceat(small.labels, small.offsets[:-1])

    assert 0 < sizes.min() <= sizes.max() <= LONGEST
    assert relevant.min() >= 1
    assert relevant.max() <= 3


def test_a_record_that_agrees_at_a_strict_level_agrees_at_all_looser_ones(small) -> None:
    pairs = [pair for columns in columns_by_fact(small).values() for pair in pairwise(columns)]

    assert len(pairs) > 10
    for loose, strict in pairs:
        assert (small.features[:, loose] >= small.features[:, strict]).all()


def test_a_fact_that_a_query_lacks_fires_on_none_of_its_records(small) -> None:
    absent = np.array(
        [
            [
                not small.features[first:last, columns].any()
                for first, last in pairwise(small.offsets)
            ]
            for columns in columns_by_fact(small).values()
        ]
    )
    # Of some 75 records a stated fact fires on several, so a fact without any is not stated.
    fires = np.array(
        [
            [
                small.features[first:last, columns[0]].sum()
                for first, last in pairwise(small.offsets)
            ]
            for columns in columns_by_fact(small).values()
        ]
    )

    assert 0.2 < absent.mean() < 0.8
    assert np.median(fires[~absent]) > 10


def test_relevant_records_stand_anywhere_in_their_query(small) -> None:
    places = (
        np.flatnonzero(small.labels)
        - small.offsets[
            np.searchsorted(small.offsets, np.flatnonzero(small.labels), side="right") - 1
        ]
    )

    assert 25 < places.mean() < 50


def test_the_same_seeds_give_the_same_data_and_others_give_other_data() -> None:
    first, again = (simulate_record_rankings(SMALL, seed=5, model_seed=6)[0] for _ in range(2))
    other = simulate_record_rankings(SMALL, seed=6, model_seed=6)[0]

    np.testing.assert_array_equal(first.features, again.features)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert first.feature_names == other.feature_names
    assert not np.array_equal(first.features, other.features)


@pytest.mark.parametrize("seed", range(5))
def test_the_evidence_of_all_facts_is_the_same_for_every_seed(seed: int) -> None:
    facts = draw_facts(SMALL, np.random.default_rng(seed))

    assert sum(fact.thresholds.size for fact in facts) == SMALL.features
    assert sum(fact.stated * fact.evidence**2 for fact in facts) == pytest.approx(SMALL.evidence)


def test_an_unknown_shape_is_refused() -> None:
    with pytest.raises(InputError, match="'census'"):
        find_shape("census")


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

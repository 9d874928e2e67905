"""Tests for `forebear_lab.baselines.fuser`."""

import numpy as np
import pytest

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import (
    CurvePoint,
    MeasuredLists,
    has_settled,
    in_bits,
    linear,
    query_offsets,
    sample_queries,
    scale_of,
)
from forebear_lab.baselines.merging import RoundRobin
from forebear_lab.evaluation.measures.entropy import nce
from forebear_lab.evaluation.measures.ndcg import expected_ndcg


@pytest.mark.parametrize("cutoff", [3, 100])
def test_ndcg_is_that_of_the_measure_query_by_query(make_lists, cutoff: int) -> None:
    dataset = make_lists(queries=15)
    scores = np.random.default_rng(1).integers(0, 4, dataset.scores.size).astype(float)

    measured = MeasuredLists(dataset, cutoff=cutoff).ndcg(scores)

    bounds = query_offsets(dataset)
    for query, value in enumerate(measured):
        rows = slice(bounds[query], bounds[query + 1])
        labels = dataset.labels[rows].tolist()
        expected = expected_ndcg(scores[rows].tolist(), labels, cutoff=cutoff)
        assert value == pytest.approx(expected)


@pytest.mark.parametrize("cutoff", [4, 100])
def test_nce_is_that_of_the_measure_query_by_query(make_lists, cutoff: int) -> None:
    dataset = make_lists(queries=15, size=30)
    scores = np.random.default_rng(1).random(dataset.scores.size)

    measured = MeasuredLists(dataset, cutoff=cutoff).nce(scores)

    bounds, lists = query_offsets(dataset), dataset.lists_of_records()
    for query, value in enumerate(measured):
        rows = np.arange(bounds[query], bounds[query + 1])
        types = lists[rows[np.argsort(-scores[rows])]].tolist()
        assert value == pytest.approx(nce(types[:cutoff], type_count=3))


def test_round_robin_is_as_varied_as_the_records_allow(make_lists) -> None:
    dataset = make_lists(queries=20)
    scores = RoundRobin().fit(dataset).score(dataset)

    np.testing.assert_allclose(MeasuredLists(dataset).nce(scores, ideal="supply"), 1.0)


def test_ties_are_shuffled_and_not_taken_in_the_order_of_the_lists() -> None:
    names = [f"list{number}" for number in range(4)]
    lists = {name: (np.ones(20), np.eye(1, 20, dtype=int)[0]) for name in names}
    dataset = FusionDataset.from_lists(names, [("q", lists)])

    value = MeasuredLists(dataset, cutoff=20).nce(np.zeros(80))[0]

    assert value > 0.6  # list by list it would be 0


def test_a_sample_is_of_whole_queries_and_the_same_for_a_seed(make_lists) -> None:
    dataset = make_lists(queries=20)

    first, second = (sample_queries(dataset, 5, seed=3) for _ in range(2))

    assert len(first.query_ids) == 5
    assert first.query_ids == second.query_ids
    assert sample_queries(dataset, 50, seed=3) is dataset


def test_a_curve_that_still_rises_has_not_settled() -> None:
    rising = [CurvePoint(work=n, train=n / 100) for n in range(11)]
    flat = [CurvePoint(work=n, train=min(n, 3) / 100) for n in range(11)]

    assert not has_settled(rising)
    assert has_settled(flat)
    assert has_settled([])


def test_queries_held_out_say_whether_more_work_was_worth_it() -> None:
    curve = [CurvePoint(work=n, train=n / 100, held=0.5) for n in range(11)]

    assert has_settled(curve)


def test_scores_above_0_are_multiplied_and_others_are_bits(two_lists) -> None:
    lists = {"A": ([1.0, -1.0], [1, 0]), "B": ([], [])}
    signed = FusionDataset.from_lists(("A", "B"), [("q", lists)])

    assert (scale_of(two_lists), scale_of(signed)) == ("weights", "bits")
    np.testing.assert_allclose(in_bits(two_lists).scores[:3], [3, 2, 1])
    assert in_bits(signed) is signed


def test_the_papers_score_is_weight_times_score(two_lists) -> None:
    np.testing.assert_allclose(linear(np.array([1.0, 3.0]))(two_lists), [8, 4, 2, 9, 3])

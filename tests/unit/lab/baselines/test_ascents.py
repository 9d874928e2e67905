"""Tests for `forebear_lab.baselines.ascents`."""

import numpy as np
import pytest

from forebear.learning.coordinate_ascent import CoordinateAscent, mean_ndcg
from forebear_lab.baselines.ascents import CachedAscent, RanklibAscent, ranklib_steps


def test_a_small_weight_is_only_ever_stepped_upward() -> None:
    up, down, _ = (cached for cached, _ in ranklib_steps(0.001))

    np.testing.assert_allclose(up, down)
    assert up[0] == pytest.approx(0.05 * 0.001)


def test_a_large_weight_is_stepped_both_ways_up_to_25_doublings() -> None:
    up, down, _ = (cached for cached, _ in ranklib_steps(0.5))

    np.testing.assert_allclose(up, -down)
    assert up[-1] == pytest.approx(0.001 * (2**25 - 1))


def test_removal_is_meant_but_the_cache_does_not_move() -> None:
    cached, meant = list(ranklib_steps(0.25))[2]

    assert cached.tolist() == [0.0]
    assert meant.tolist() == [-0.25]


def test_a_failed_feature_counts_twice_in_the_cache(clauses) -> None:
    ascent = CachedAscent(clauses, np.full(6, 1 / 6), cutoff=100)
    ascent.reported = 2.0  # nothing can be better, so every trial fails

    assert not ascent.try_feature(3)

    held = ascent._cache.weights
    assert held[3] == pytest.approx(2 * held[0])
    assert ascent.weights[3] == pytest.approx(1 / 6)


def test_what_it_tells_is_the_true_value_of_its_weights(clauses) -> None:
    weights, history = RanklibAscent(seed=1, restarts=2).fit(clauses)

    assert history.last.train == pytest.approx(mean_ndcg(clauses, weights.values))
    assert len(history.steps) == 2


def test_the_fault_costs_training_ndcg(clauses) -> None:
    seeds = range(1, 5)

    faulty = [RanklibAscent(seed=s, restarts=1).fit(clauses)[1].last.train for s in seeds]
    repaired = [CoordinateAscent(seed=s, start="uniform").fit(clauses)[1].last.train for s in seeds]

    assert np.mean(repaired) >= np.mean(faulty)

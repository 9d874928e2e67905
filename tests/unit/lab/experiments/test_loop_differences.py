"""Tests for `forebear_lab.experiments.loop_differences`."""

import numpy as np
import pytest

from forebear_lab.experiments.loop_differences import estimate


def test_the_mean_counts_every_search_and_the_worst_draw_is_named() -> None:
    difference = estimate([np.array([0.1, 0.3]), np.array([0.0, 0.2])], ["a", "b"], seed=1)

    assert difference.mean == pytest.approx(0.15)
    assert difference.worst == pytest.approx(0.1)
    assert difference.low <= 0.1 < difference.mean < 0.2 <= difference.high


def test_searches_for_one_person_are_resampled_together() -> None:
    random = np.random.default_rng(1)
    values = random.normal(0, 1, 200)

    alone = estimate([values], [str(number) for number in range(200)], seed=1)
    families = estimate([values], [str(number // 100) for number in range(200)], seed=1)
    same = estimate([values], ["one"] * 200, seed=1)

    assert same.low == pytest.approx(same.high) == pytest.approx(same.mean)
    assert families.mean == pytest.approx(alone.mean)
    # A mean of 200 independent numbers is off by .07, so the interval is 1.96 times as wide.
    assert alone.high - alone.low == pytest.approx(4 * 0.0707, rel=0.15)


def test_more_draws_than_one_widen_the_interval_by_how_they_differ() -> None:
    values = np.random.default_rng(2).normal(0, 0.1, 400)
    groups = [str(number) for number in range(400)]

    one = estimate([values], groups, seed=1)
    differing = estimate([values - 0.05, values + 0.05], groups, seed=1)

    assert differing.mean == pytest.approx(one.mean)
    assert differing.high - differing.low > 3 * (one.high - one.low)


def test_what_is_not_a_number_does_not_count() -> None:
    difference = estimate([np.array([0.2, np.nan, 0.4])], ["a", "b", "c"], seed=1)

    assert difference.mean == pytest.approx(0.3)

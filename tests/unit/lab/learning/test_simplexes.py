"""Tests for `forebear_lab.learning.simplexes`."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.stochastic_search import NelderMead
from forebear_lab.learning.simplexes import AnnealedSimplex, RestartedSimplex

Point = NDArray[np.float64]


def bowl(point: Point) -> float:
    return float(((point - np.array([1.0, -2.0, 0.5])) ** 2).sum())


def hollows(point: Point) -> float:
    """Have a hollow at every whole number, the deepest at 0 (Rastrigin's, in one dimension)."""
    return float((point**2 - 10 * np.cos(2 * np.pi * point) + 10).sum())


def test_the_minimum_of_a_bowl_is_found() -> None:
    minimum = AnnealedSimplex(seed=1, temperature=1.0, max_evaluations=800).minimize(
        bowl, np.zeros(3)
    )

    np.testing.assert_allclose(minimum.point, [1, -2, 0.5], atol=1e-3)


def test_heat_leaves_a_hollow_in_which_the_plain_simplex_stays() -> None:
    start = np.array([3.05])
    plain = NelderMead(stagnation=50).minimize(hollows, start)

    minima = [
        AnnealedSimplex(seed=seed, temperature=30.0, moves=20, max_evaluations=2000).minimize(
            hollows, start
        )
        for seed in range(5)
    ]

    assert plain.value > 8
    assert sum(one.value < 4 for one in minima) >= 3


def test_the_best_point_ever_seen_is_returned() -> None:
    seen: list[float] = []

    def function(point: Point) -> float:
        seen.append(bowl(point))
        return seen[-1]

    minimum = AnnealedSimplex(seed=2, temperature=5.0, max_evaluations=200).minimize(
        function, np.zeros(3)
    )

    assert minimum.value == min(seen) == bowl(minimum.point)
    assert minimum.evaluations == len(seen) == minimum.moves[-1].evaluations


def test_it_ends_when_the_evaluations_are_spent() -> None:
    minimum = AnnealedSimplex(seed=1, max_evaluations=60).minimize(bowl, np.zeros(3))

    assert minimum.ended == "max_evaluations"
    assert 60 <= minimum.evaluations <= 60 + 5  # a move in progress is finished


def test_the_seed_decides_every_noise() -> None:
    first, again, other = (
        AnnealedSimplex(seed=seed, temperature=1.0, max_evaluations=80)
        .minimize(bowl, np.zeros(3))
        .point.tolist()
        for seed in (1, 1, 2)
    )

    assert first == again != other


def test_a_start_that_is_no_row_of_numbers_is_refused() -> None:
    with pytest.raises(InputError, match="a start is a row of numbers"):
        AnnealedSimplex(seed=1).minimize(bowl, np.zeros((2, 2)))


def valley(point: NDArray[np.float64]) -> float:
    """Return Rosenbrock's function, whose valley is curved."""
    return float(100 * (point[1] - point[0] ** 2) ** 2 + (1 - point[0]) ** 2)


def test_restarts_reach_what_one_simplex_does_not() -> None:
    start, simplex = np.array([-1.2, 1.0]), NelderMead(stagnation=3)

    alone = simplex.minimize(valley, start)
    restarted = RestartedSimplex(simplex=simplex).minimize(valley, start)

    assert restarted.value < alone.value
    assert restarted.value == valley(restarted.point)
    assert restarted.evaluations > alone.evaluations


def test_the_moves_count_all_evaluations_and_never_lose_the_best_value() -> None:
    restarted = RestartedSimplex(stagnation=4).minimize(valley, np.array([0.5, 0.5]))

    assert restarted.moves[-1].evaluations == restarted.evaluations
    for before, after in pairwise(restarted.moves):
        assert after.evaluations > before.evaluations
        assert after.best <= before.best


def test_a_start_at_the_minimum_ends_after_the_restarts_allowed() -> None:
    calls = []

    def count(point: NDArray[np.float64]) -> float:
        calls.append(point)
        return valley(point)

    restarted = RestartedSimplex(stagnation=2).minimize(count, np.array([1.0, 1.0]))

    assert restarted.value == 0
    assert restarted.evaluations == len(calls)

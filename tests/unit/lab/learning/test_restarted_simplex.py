"""Tests for `forebear_lab.learning.restarted_simplex`."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from forebear.learning.stochastic_search import NelderMead
from forebear_lab.learning.restarted_simplex import RestartedSimplex


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

"""Tests for `forebear_lab.learning.annealing`."""

import numpy as np
import pytest
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.stochastic_search import NelderMead
from forebear_lab.learning.annealing import AnnealedSimplex

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

"""Tests for `forebear.learning.nelder_mead`: each operation by hand, then known functions."""

from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.nelder_mead import NelderMead

Point = NDArray[np.float64]
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
PATIENT = NelderMead(stagnation=200, improvement=1e-12)


def one_move(function: dict[tuple[float, float], float]) -> tuple[str, float, int]:
    """Make one iteration on a function given by its values; an unforeseen point is an error."""
    found = NelderMead(max_iterations=1).minimize_from(
        lambda point: function[tuple(point.tolist())], TRIANGLE
    )
    return found.moves[0].operation, found.value, found.evaluations


VERTICES = {(0.0, 0.0): 1.0, (1.0, 0.0): 2.0, (0.0, 1.0): 3.0}
# The worst is (0, 1); the centroid of the others is (0.5, 0).
REFLECTED, EXPANDED, CONTRACTED = (1.0, -1.0), (1.5, -2.0), (0.25, 0.5)


def test_a_reflection_between_the_best_and_the_second_worst_is_kept() -> None:
    assert one_move({**VERTICES, REFLECTED: 1.5}) == ("reflect", 1.0, 4)


def test_a_reflection_as_good_as_the_best_is_kept_without_expansion() -> None:
    assert one_move({**VERTICES, REFLECTED: 1.0}) == ("reflect", 1.0, 4)


def test_a_reflection_that_is_the_best_is_expanded() -> None:
    assert one_move({**VERTICES, REFLECTED: 0.5, EXPANDED: 0.2}) == ("expand", 0.2, 5)


def test_an_expansion_that_went_too_far_leaves_the_reflection() -> None:
    assert one_move({**VERTICES, REFLECTED: 0.5, EXPANDED: 0.7}) == ("reflect", 0.5, 5)


@pytest.mark.parametrize("reflected", [2.0, 2.5, 9.0])
def test_a_reflection_no_better_than_the_second_worst_is_contracted(reflected: float) -> None:
    moved = one_move({**VERTICES, REFLECTED: reflected, CONTRACTED: 0.9})

    assert moved == ("contract", 0.9, 5)


def test_all_vertices_shrink_toward_the_best_if_nothing_helped() -> None:
    shrunk = {(0.5, 0.0): 1.7, (0.0, 0.5): 0.8}

    moved = one_move({**VERTICES, REFLECTED: 9.0, CONTRACTED: 3.0, **shrunk})

    assert moved == ("shrink", 0.8, 7)


def test_the_first_simplex_is_one_step_along_each_axis() -> None:
    seen: list[list[float]] = []

    def function(point: Point) -> float:
        seen.append(point.tolist())
        return 0.0

    NelderMead(step=0.25, max_iterations=0).minimize(function, np.array([1.0, 2.0]))

    assert seen == [[1.0, 2.0], [1.25, 2.0], [1.0, 2.25]]


def test_it_ends_after_ten_iterations_without_improvement() -> None:
    found = NelderMead().minimize(lambda _: 1.0, np.zeros(3))

    assert (found.ended, len(found.moves)) == ("stagnation", 10)


def test_it_ends_after_the_iterations_allowed() -> None:
    found = NelderMead(max_iterations=4).minimize(lambda point: float(point[0]), np.zeros(2))

    assert (found.ended, len(found.moves)) == ("max_iterations", 4)


def test_the_minimum_of_a_bowl_is_found() -> None:
    center = np.array([1.0, -2.0, 0.5])

    found = PATIENT.minimize(lambda point: float(((point - center) ** 2).sum()), np.zeros(3))

    np.testing.assert_allclose(found.point, center, atol=1e-4)


def test_the_minimum_of_rosenbrocks_valley_is_found() -> None:
    def valley(point: Point) -> float:
        return float((1 - point[0]) ** 2 + 100 * (point[1] - point[0] ** 2) ** 2)

    found = PATIENT.minimize(valley, np.array([-1.2, 1.0]))

    np.testing.assert_allclose(found.point, [1, 1], atol=1e-4)
    assert {move.operation for move in found.moves} >= {"reflect", "expand", "contract"}


def test_on_mckinnons_function_it_stops_where_there_is_no_minimum() -> None:
    def mckinnon(point: Point) -> float:
        x, y = point
        return float((360 * x**2 if x <= 0 else 6 * x**2) + y + y**2)  # least at (0, -1/2)

    start = np.array([[0, 0], [1, 1], [(1 + sqrt(33)) / 8, (1 - sqrt(33)) / 8]])

    found = PATIENT.minimize_from(mckinnon, start)

    assert {move.operation for move in found.moves[:30]} == {"contract"}
    np.testing.assert_allclose(found.point, [0, 0], atol=1e-6)
    assert mckinnon(np.array([0, -0.5])) == -0.25 < found.value


def test_the_record_counts_every_evaluation() -> None:
    calls = 0

    def function(point: Point) -> float:
        nonlocal calls
        calls += 1
        return float((point**2).sum())

    found = NelderMead().minimize(function, np.ones(4))

    assert found.evaluations == calls == found.moves[-1].evaluations
    assert found.value == found.moves[-1].best


@pytest.mark.parametrize("start", [np.zeros(0), np.zeros((2, 2))])
def test_a_start_that_is_no_row_of_numbers_is_refused(start: Point) -> None:
    with pytest.raises(InputError, match="a start is a row of numbers"):
        NelderMead().minimize(lambda _: 0.0, start)


def test_too_few_vertices_are_refused() -> None:
    with pytest.raises(InputError, match="one vertex more than axes"):
        NelderMead().minimize_from(lambda _: 0.0, TRIANGLE[:2])

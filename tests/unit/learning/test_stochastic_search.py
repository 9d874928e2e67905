"""Tests for `forebear.learning.stochastic_search`."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset, TrainingStep
from forebear.learning.stochastic_search import FusedScores, NelderMead, StochasticSearch

NAMES = ("baptism", "burial", "census")


def lists_of_unlike_scale(seed: int, queries: int = 150) -> FusionDataset:
    """Make lists of which the second is scored 4 bits too high."""
    random = np.random.default_rng(seed)

    def one_list(error: float) -> tuple[ArrayLike, ArrayLike]:
        labels = (random.random(20) < 0.08).astype(np.int64)
        return 2.5 * labels + random.normal(size=20) + error, labels

    errors = dict(zip(NAMES, (0.0, 4.0, 1.0), strict=True))
    return FusionDataset.from_lists(
        NAMES,
        [
            (f"q{n}", {name: one_list(error) for name, error in errors.items()})
            for n in range(queries)
        ],
    )


def test_watching_the_worst_vertex_the_simplex_walks_on_after_the_best_stops() -> None:
    def steps(point: NDArray[np.float64]) -> float:
        return float(np.round(point @ point, 1))  # flat between steps, as NDCG is

    start = np.array([3.0, -2.0, 1.0])
    best, worst = (
        NelderMead(watched=watched, stagnation=3).minimize(steps, start)
        for watched in ("best", "worst")
    )

    assert worst.evaluations != best.evaluations
    assert worst.value <= best.value


def test_the_shifts_improve_on_raw_scores_for_unseen_queries() -> None:
    weights, _ = StochasticSearch(seed=1).fit(lists_of_unlike_scale(1))

    test = FusedScores(lists_of_unlike_scale(2))
    learned = test.value(np.array(list(weights.shifts.values())))
    assert learned > test.value(np.zeros(3)) + 0.1
    assert weights.shifts["burial"] == pytest.approx(-4, abs=1)


def test_the_first_list_stays_where_it_is() -> None:
    weights, _ = StochasticSearch(seed=1).fit(lists_of_unlike_scale(1))

    assert list(weights.shifts) == list(NAMES)
    assert weights.shifts["baptism"] == 0.0


def test_the_history_tells_the_starts_every_move_and_the_final_value() -> None:
    lists = lists_of_unlike_scale(3)

    weights, history = StochasticSearch(seed=1).fit(lists)

    moves = [step.move for step in history.steps]
    final = FusedScores(lists).value(np.array(list(weights.shifts.values())))
    assert moves[:2] == ["raw", "rank_svm"]
    assert set(moves[2:]) <= {"reflect", "expand", "contract", "shrink"}
    assert history.last.train == pytest.approx(final, abs=1e-9)
    assert history.last.train >= max(step.train for step in history.steps[:2])
    assert history.ended == "stagnation"


def test_the_same_seed_gives_the_same_shifts() -> None:
    lists = lists_of_unlike_scale(4, queries=40)

    first, again = (StochasticSearch(seed=5).fit(lists)[0] for _ in range(2))

    assert first == again


def test_a_common_shift_of_all_lists_changes_no_value() -> None:
    scores = FusedScores(lists_of_unlike_scale(5))
    shifts = np.array([0.5, -3.25, 1.0])

    assert scores.value(shifts + 2) == pytest.approx(scores.value(shifts), abs=1e-6)


def positive_lists(seed: int) -> FusionDataset:
    """Make lists of positive scores of which the second is scored 16 times too high."""
    lists = lists_of_unlike_scale(seed)
    return replace(lists, scores=np.exp2(lists.scores))


def test_positive_scores_are_multiplied_by_weights_as_published() -> None:
    weights, history = StochasticSearch(seed=1, scale="weights").fit(positive_lists(1))

    test = FusedScores(positive_lists(2))
    powers = np.exp2(weights.array(NAMES))
    assert test.weighted_value(powers) > test.weighted_value(np.ones(3)) + 0.1
    assert history.steps[0].train == FusedScores(positive_lists(1)).weighted_value(np.ones(3))
    assert history.ended == "stagnation"


def test_weights_do_not_multiply_scores_of_any_sign() -> None:
    with pytest.raises(InputError, match="weights multiply only scores above 0"):
        StochasticSearch(seed=1, scale="weights").fit(lists_of_unlike_scale(1))


def test_every_evaluation_is_told() -> None:
    steps: list[TrainingStep] = []

    _, history = StochasticSearch(seed=1).fit(lists_of_unlike_scale(1), progress=steps.append)

    assert len(steps) == history.last.evaluations
    assert [step.evaluations for step in steps] == list(range(1, len(steps) + 1))


def test_shifts_for_other_lists_are_refused() -> None:
    with pytest.raises(InputError, match="2 shifts for 3 lists"):
        FusedScores(lists_of_unlike_scale(1, queries=2)).value(np.zeros(2))


def test_a_dataset_without_queries_is_refused() -> None:
    with pytest.raises(InputError, match="without queries or lists"):
        FusedScores(FusionDataset.from_lists(NAMES, []))


Point = NDArray[np.float64]
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
PATIENT = NelderMead(stagnation=200, improvement=1e-12)


def one_move(function: dict[tuple[float, float], float]) -> tuple[str, float, int]:
    """Make one iteration on a function given by its values; an unforeseen point is an error."""
    minimum = NelderMead(max_iterations=1).minimize_from(
        lambda point: function[tuple(point.tolist())], TRIANGLE
    )
    return minimum.moves[0].operation, minimum.value, minimum.evaluations


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
    minimum = NelderMead().minimize(lambda _: 1.0, np.zeros(3))

    assert (minimum.ended, len(minimum.moves)) == ("stagnation", 10)


def test_it_ends_after_the_iterations_allowed() -> None:
    minimum = NelderMead(max_iterations=4).minimize(lambda point: float(point[0]), np.zeros(2))

    assert (minimum.ended, len(minimum.moves)) == ("max_iterations", 4)


def test_the_minimum_of_a_bowl_is_found() -> None:
    center = np.array([1.0, -2.0, 0.5])

    minimum = PATIENT.minimize(lambda point: float(((point - center) ** 2).sum()), np.zeros(3))

    np.testing.assert_allclose(minimum.point, center, atol=1e-4)


def test_the_minimum_of_rosenbrocks_valley_is_found() -> None:
    def valley(point: Point) -> float:
        return float((1 - point[0]) ** 2 + 100 * (point[1] - point[0] ** 2) ** 2)

    minimum = PATIENT.minimize(valley, np.array([-1.2, 1.0]))

    np.testing.assert_allclose(minimum.point, [1, 1], atol=1e-4)
    assert {move.operation for move in minimum.moves} >= {"reflect", "expand", "contract"}


def test_on_mckinnons_function_it_stops_where_there_is_no_minimum() -> None:
    def mckinnon(point: Point) -> float:
        x, y = point
        return float((360 * x**2 if x <= 0 else 6 * x**2) + y + y**2)  # least at (0, -1/2)

    start = np.array([[0, 0], [1, 1], [(1 + sqrt(33)) / 8, (1 - sqrt(33)) / 8]])

    minimum = PATIENT.minimize_from(mckinnon, start)

    assert {move.operation for move in minimum.moves[:30]} == {"contract"}
    np.testing.assert_allclose(minimum.point, [0, 0], atol=1e-6)
    assert mckinnon(np.array([0, -0.5])) == -0.25 < minimum.value


def test_the_record_counts_every_evaluation() -> None:
    calls = 0

    def function(point: Point) -> float:
        nonlocal calls
        calls += 1
        return float((point**2).sum())

    minimum = NelderMead().minimize(function, np.ones(4))

    assert minimum.evaluations == calls == minimum.moves[-1].evaluations
    assert minimum.value == minimum.moves[-1].best


@pytest.mark.parametrize("start", [np.zeros(0), np.zeros((2, 2))])
def test_a_start_that_is_no_row_of_numbers_is_refused(start: Point) -> None:
    with pytest.raises(InputError, match="a start is a row of numbers"):
        NelderMead().minimize(lambda _: 0.0, start)


def test_too_few_vertices_are_refused() -> None:
    with pytest.raises(InputError, match="one vertex more than axes"):
        NelderMead().minimize_from(lambda _: 0.0, TRIANGLE[:2])

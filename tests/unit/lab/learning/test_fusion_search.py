"""Tests for `forebear_lab.learning.fusion_search` and `forebear.learning.stochastic_search`."""

from collections.abc import Callable

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset, TrainingStep
from forebear.learning.stochastic_search import FusedScores, FusionWeights, StochasticSearch
from forebear_lab.learning.fusion_search import ExactFusion

MakesFusion = Callable[..., FusionDataset]


def test_the_shifts_undo_what_was_wrong_with_the_lists(planted_lists: MakesFusion) -> None:
    weights, history = ExactFusion(seed=1).fit(planted_lists(1))

    test = FusedScores(planted_lists(2))
    assert (
        test.value(weights.array(["baptism", "burial", "census"])) > test.value(np.zeros(3)) + 0.1
    )
    assert weights.shifts["baptism"] == 0.0
    assert weights.shifts["burial"] == pytest.approx(-4, abs=1)
    assert history.ended == "tolerance"


def test_it_finds_at_least_what_stochastic_search_finds(planted_lists: MakesFusion) -> None:
    train = planted_lists(3)
    exact = ExactFusion(seed=1, smoothing=0.0, least_gain=0.0, tolerance=1e-6)

    _, history = exact.fit(train)

    assert history.last.train >= StochasticSearch(seed=1).fit(train)[1].last.train - 1e-9


def test_no_single_shift_improves_what_it_ends_with(planted_lists: MakesFusion) -> None:
    train = planted_lists(4, queries=30)
    exact = ExactFusion(seed=1, smoothing=0.0, least_gain=0.0, tolerance=0.0)
    weights, history = exact.fit(train)

    scores, shifts = FusedScores(train), weights.array(train.list_names)
    for name in range(3):
        for step in np.linspace(-3, 3, 49):
            moved = scores.value(shifts + step * np.eye(3)[name])
            assert moved <= history.last.train + 2e-3  # the bins are narrow, not nothing


def test_the_history_tells_the_final_value_and_every_pass(planted_lists: MakesFusion) -> None:
    train = planted_lists(5)
    steps: list[TrainingStep] = []

    weights, history = ExactFusion(seed=1, sample=50).fit(train, progress=steps.append)

    final = FusedScores(train).value(weights.array(train.list_names))
    moves = [step.move for step in history.steps]
    assert history.last.train == pytest.approx(final, abs=1e-9)
    assert moves[:2] == ["sample start", "sample 1"]
    assert "pass 1" in moves
    assert tuple(steps) == history.steps


def test_a_start_is_where_it_begins(planted_lists: MakesFusion) -> None:
    train = planted_lists(6)
    start = np.array([1.0, -3.0, 0.0])

    _, history = ExactFusion(seed=1).fit(train, start=start)

    assert history.steps[0].train == pytest.approx(FusedScores(train).value(start), abs=1e-12)


def test_the_same_seed_gives_the_same_shifts(planted_lists: MakesFusion) -> None:
    train = planted_lists(7, queries=40)

    assert ExactFusion(seed=3).fit(train)[0] == ExactFusion(seed=3).fit(train)[0]


def test_weights_are_powers_of_the_shifts_and_one_on_average() -> None:
    weights = FusionWeights(shifts={"a": 0.0, "b": 1.0}).weights

    assert weights == {"a": pytest.approx(2 / 3), "b": pytest.approx(4 / 3)}


def test_shifts_can_be_given_relative_to_another_list() -> None:
    weights = FusionWeights(shifts={"a": 0.0, "b": 1.5})

    assert weights.relative_to("b").shifts == {"a": -1.5, "b": 0.0}
    with pytest.raises(InputError, match="no list is called 'c'"):
        weights.relative_to("c")


def test_shifts_are_rounded_to_the_grid_of_bits() -> None:
    weights = FusionWeights(shifts={"a": 0.01, "b": -20.0})

    assert weights.on_grid().shifts == {"a": 1 / 64, "b": -16.0}

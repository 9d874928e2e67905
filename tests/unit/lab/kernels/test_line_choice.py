"""Tests for `forebear_lab.kernels.line_choice`."""

import numpy as np
import pytest

from forebear_lab.kernels.lines import choose_border


def test_the_highest_border_is_chosen_and_its_gain_told() -> None:
    border, gain = choose_border(np.array([1.0, 2.0, 5.0, 3.0]), 0, 0, 4, 2.5)

    assert (border, gain) == (2, pytest.approx(2.5))


def test_of_a_row_of_equals_the_middle_is_taken() -> None:
    values = np.array([4.0, 1.0, 4.0, 4.0, 4.0, 4.0, 4.0, 1.0])

    assert choose_border(values, 0, 0, 8, 0.0)[0] == 4


def test_smoothing_prefers_high_ground_to_a_needle() -> None:
    values = np.array([0.0, 0, 9, 0, 0, 0, 0, 5, 5, 5, 5, 5])

    assert choose_border(values, 0, 0, 12, 0.0)[0] == 2
    assert choose_border(values, 1, 0, 12, 0.0)[0] == 9


def test_with_smoothing_the_borders_beside_no_step_gain_nothing() -> None:
    values = np.array([0.0, 1, 5, 6, 1, 0])

    assert choose_border(values, 1, 0, 6, 99.0)[1] == 0.0


def test_only_allowed_borders_are_chosen() -> None:
    values = np.array([9.0, 1.0, 2.0, 3.0])

    assert choose_border(values, 0, 1, 3, 0.0) == (2, pytest.approx(2.0))

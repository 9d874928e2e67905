"""Tests for `forebear.learning.starts`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.starts import frequency_weights, uniform_weights

TOY_FEATURES = np.array([[1, 0, 1, 0], [1, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]], dtype=bool)
TOY_RELEVANT = np.array([True, True, False, False])


def test_the_toy_data_of_the_paper_gives_the_weights_of_the_paper() -> None:
    weights = frequency_weights(TOY_FEATURES, TOY_RELEVANT)

    np.testing.assert_allclose(weights, [1, 0, 2 / 3, 0.5])
    np.testing.assert_allclose(TOY_FEATURES @ weights, [5 / 3, 13 / 6, 7 / 6, 0])


def test_a_feature_that_never_fires_starts_in_the_middle() -> None:
    weights = frequency_weights(np.zeros((3, 1), dtype=bool), np.array([True, False, True]))

    np.testing.assert_allclose(weights, [0.5])


def test_a_feature_that_speaks_against_a_record_starts_one_lower() -> None:
    signs = np.array([1, -1, -1, 1], np.int8)

    weights = frequency_weights(TOY_FEATURES, TOY_RELEVANT, signs)

    np.testing.assert_allclose(weights, [1, -1, -1 / 3, 0.5])


def test_equal_weights_sum_to_one_and_take_the_signs() -> None:
    np.testing.assert_allclose(uniform_weights(4), [0.25] * 4)
    np.testing.assert_allclose(uniform_weights(2, np.array([1, -1], np.int8)), [0.5, -0.5])


def test_other_numbers_than_signs_are_refused() -> None:
    with pytest.raises(InputError, match="signs must be 2 numbers, each 1 or -1"):
        uniform_weights(2, np.array([1, 0], np.int8))


def test_labels_for_other_records_are_refused() -> None:
    with pytest.raises(InputError, match="4 records but 3 labels"):
        frequency_weights(TOY_FEATURES, TOY_RELEVANT[:3])

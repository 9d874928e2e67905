"""Tests for `forebear.kernels.regression`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.kernels.regression import logistic_sums, weighted_squares, weighted_sums

seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.booleans())
@settings(deadline=None, max_examples=30)
def test_squares_and_sums_are_those_of_matrix_products(seed: int, binary: bool) -> None:
    random = np.random.default_rng(seed)
    features = random.random((12, 5)) < 0.4 if binary else random.normal(size=(12, 5))
    weights = random.choice([0.0, 0.5, 2.0], size=12)

    squares = weighted_squares(features, weights)
    sums = weighted_sums(features, weights, np.array([0, 5, 5, 12]))

    weighted = features * weights[:, None]
    np.testing.assert_allclose(squares, weighted.T @ features, atol=1e-12)
    expected = [weighted[:5].sum(axis=0), np.zeros(5), weighted[5:].sum(axis=0)]
    np.testing.assert_allclose(sums, expected, atol=1e-12)


def test_the_gradient_is_that_of_the_loss_and_the_curvature_that_of_the_gradient() -> None:
    random = np.random.default_rng(1)
    scores, targets, weights = random.normal(size=30), random.random(30), random.random(30)
    rows, facts = random.integers(0, 4, 30), random.random((4, 2))
    point = np.array([0.5, -1.0, 0.25, 2.0])

    def at(moved: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
        return logistic_sums(scores, rows, facts, targets, weights, moved)

    _, gradient, curvature = at(point)
    for axis in range(4):
        nudge = 1e-5 * np.eye(4)[axis]
        above, below = at(point + nudge), at(point - nudge)
        assert gradient[axis] == pytest.approx((above[0] - below[0]) / 2e-5, abs=1e-6)
        np.testing.assert_allclose(curvature[axis], (above[1] - below[1]) / 2e-5, atol=1e-6)

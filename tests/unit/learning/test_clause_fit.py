"""Tests for `forebear.learning.clause_fit`."""

import numpy as np
import pytest

from forebear.learning.clause_fit import DOUBT_BITS, fit_clauses

# Three levels, each of which fires wherever the closer one does, and one clause against.
LEVELS = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], dtype=bool)
SIGNS = np.array([1, 1, 1, -1])
TRUE = np.array([1.5, 1.0, 2.0, -3.0])
SHIFT = -4.0


def plant(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    bits = np.column_stack([LEVELS[random.integers(4, size=rows)], random.random(rows) < 0.3])
    return bits, 1 / (1 + np.exp2(-(bits @ TRUE + SHIFT)))


def test_the_weights_behind_the_chances_are_found() -> None:
    bits, chances = plant(200_000, seed=1)

    fit = fit_clauses(bits, chances, known=TRUE * 0, signs=SIGNS, known_shift=0.0)

    np.testing.assert_allclose(fit.weights, TRUE, atol=0.1)
    assert fit.shift == pytest.approx(SHIFT, abs=0.1)


def test_a_clause_that_never_fires_keeps_its_weight() -> None:
    bits, chances = plant(1000, seed=2)
    bits = np.column_stack([bits, np.zeros(1000, bool)])

    fit = fit_clauses(
        bits, chances, known=np.append(TRUE, 5.0), signs=np.append(SIGNS, 1), known_shift=SHIFT
    )

    assert fit.weights[-1] == pytest.approx(5.0)


def test_a_few_pairs_hardly_move_what_is_known() -> None:
    bits, _ = plant(3, seed=3)

    fit = fit_clauses(bits, np.ones(3), known=TRUE, signs=SIGNS, known_shift=SHIFT)

    assert np.abs(fit.weights - TRUE).max() < 2 * DOUBT_BITS


def test_a_closer_level_is_never_worth_less_than_a_looser_one() -> None:
    random = np.random.default_rng(4)
    bits, _ = plant(5000, seed=4)
    backwards = np.where(bits[:, 0], 0.01, np.where(bits[:, 2], 0.5, 0.1))

    fit = fit_clauses(bits, backwards, known=random.random(4) * SIGNS, signs=SIGNS, known_shift=0.0)

    assert (fit.weights * SIGNS >= 0).all()
    assert (np.diff(LEVELS @ fit.weights[:3]) >= 0).all()

"""Tests for `forebear.learning.agreement`."""

import numpy as np
import pytest

from forebear.learning.agreement import DOUBT_BITS, compare_pairs, fit_clauses, rule_of
from forebear.learning.candidate_pairs import CandidatePairs
from forebear.search.expansion.catalog import load_catalog


@pytest.mark.parametrize(
    ("clause", "comparison"),
    [
        ("self.surname.exact", "surname"),
        ("self.married.by_date", "surname"),
        ("self.middle.conflict", "given name"),
        ("birth.date.day", "dates"),
        ("event.delay.days14", "dates"),
        ("father.birthplace.country", "places"),
        ("father.given.exact", "parents"),
        ("spouse_father.given.exact", "spouse"),
        ("family.two_members", "family"),
        ("self.sex.match", "the rest"),
    ],
)
def test_a_clause_speaks_of_what_its_name_says(clause: str, comparison: str) -> None:
    assert rule_of(clause).comparison == comparison


def test_every_clause_of_the_catalog_falls_under_a_rule() -> None:
    clauses = {row.clause for rows in load_catalog().values() for row in rows}

    assert all(rule_of(clause).comparison for clause in clauses)


def test_an_outcome_is_how_many_bits_fire_together_where_it_is_asked() -> None:
    pairs = CandidatePairs(
        clauses=("self.given.exact", "self.given.variant", "birth.year.exact"),
        bits=np.array([[1, 1, 0], [0, 1, 1], [0, 0, 0]], bool),
        owners=np.array([0, 0, 1]),
        random_bits=np.array([[0, 0, 0], [0, 0, 1]], bool),
        random_owners=np.array([0, 0]),
        queried=np.array([[1, 1, 1], [1, 1, 0]], bool),
    )

    given, dates = compare_pairs(pairs, np.array([1.0, 2.0, 3.0]))

    assert given.prior_bits[given.outcomes].tolist() == [3.0, 2.0, 0.0]
    assert given.random_counts is None
    assert dates.outcomes[2] == -1
    assert dates.prior_bits[dates.outcomes[:2]].tolist() == [0.0, 3.0]
    assert dates.random_counts is not None
    assert dates.random_counts.tolist() == [1.0, 1.0]


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

    fit = fit_clauses(bits, chances, prior=TRUE * 0, signs=SIGNS, prior_shift=0.0)

    np.testing.assert_allclose(fit.weights, TRUE, atol=0.1)
    assert fit.shift == pytest.approx(SHIFT, abs=0.1)


def test_a_clause_that_never_fires_keeps_its_weight() -> None:
    bits, chances = plant(1000, seed=2)
    bits = np.column_stack([bits, np.zeros(1000, bool)])

    fit = fit_clauses(
        bits, chances, prior=np.append(TRUE, 5.0), signs=np.append(SIGNS, 1), prior_shift=SHIFT
    )

    assert fit.weights[-1] == pytest.approx(5.0)


def test_a_few_pairs_hardly_move_what_is_known() -> None:
    bits, _ = plant(3, seed=3)

    fit = fit_clauses(bits, np.ones(3), prior=TRUE, signs=SIGNS, prior_shift=SHIFT)

    assert np.abs(fit.weights - TRUE).max() < 2 * DOUBT_BITS


def test_a_closer_level_is_never_worth_less_than_a_looser_one() -> None:
    random = np.random.default_rng(4)
    bits, _ = plant(5000, seed=4)
    backwards = np.where(bits[:, 0], 0.01, np.where(bits[:, 2], 0.5, 0.1))

    fit = fit_clauses(bits, backwards, prior=random.random(4) * SIGNS, signs=SIGNS, prior_shift=0.0)

    assert (fit.weights * SIGNS >= 0).all()
    assert (np.diff(LEVELS @ fit.weights[:3]) >= 0).all()

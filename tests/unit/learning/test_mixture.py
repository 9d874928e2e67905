"""Tests for `forebear.learning.mixture`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.kernels.ndcg import Floats
from forebear.learning.mixture import Comparison, fit_mixture

MATCH = np.array([0.05, 0.15, 0.8])  # of three outcomes, the last the best
OTHER = np.array([0.7, 0.25, 0.05])
QUERIES, CROWD = 3000, 10


def plant(
    *, comparisons: int, prior_bits: Floats, seed: int, is_gated: bool = False
) -> tuple[list[Comparison], np.ndarray, np.ndarray]:
    """Return comparisons of pairs one in twenty of which is a match, and which those are."""
    random = np.random.default_rng(seed)
    is_match = random.random(QUERIES * CROWD) < 0.05
    drawn = [
        np.where(
            is_match,
            random.choice(3, size=is_match.size, p=MATCH),
            random.choice(3, size=is_match.size, p=OTHER),
        )
        for _ in range(comparisons)
    ]
    simulated = [
        Comparison(
            name=f"c{number}",
            outcomes=outcomes,
            prior_bits=prior_bits,
            random_counts=None if is_gated else OTHER * 50_000,
        )
        for number, outcomes in enumerate(drawn)
    ]
    return simulated, np.repeat(np.arange(QUERIES), CROWD), is_match


def first_chances(comparisons: list[Comparison]) -> Floats:
    bits = sum(comparison.prior_bits[comparison.outcomes] for comparison in comparisons) - 6
    return np.asarray(1 / (1 + np.exp2(-bits)), np.float64)


@pytest.mark.parametrize("is_gated", [False, True])
def test_planted_rates_are_found_from_a_poor_guess(is_gated: bool) -> None:
    comparisons, owners, _ = plant(
        comparisons=5, prior_bits=np.array([-2.0, 0.0, 2.0]), seed=1, is_gated=is_gated
    )

    mixture = fit_mixture(comparisons, owners, first=first_chances(comparisons), rounds=20)

    for rates in mixture.rates.values():
        np.testing.assert_allclose(rates.match, MATCH, atol=0.05)
        np.testing.assert_allclose(rates.other, OTHER, atol=0.02)


def test_the_expected_matches_are_about_as_many_as_were_planted() -> None:
    comparisons, owners, is_match = plant(
        comparisons=5, prior_bits=np.array([-3.8, -0.7, 4.0]), seed=2
    )

    mixture = fit_mixture(comparisons, owners, first=first_chances(comparisons))

    assert mixture.matches == pytest.approx(is_match.sum(), rel=0.1)
    assert mixture.chances[is_match].mean() > 0.8 > 0.1 > mixture.chances[~is_match].mean()


def test_a_handful_of_pairs_does_not_overturn_what_is_known() -> None:
    prior = np.array([-3.0, 0.0, 3.0])
    opposite = Comparison(
        name="c", outcomes=np.array([0, 0, 0, 2, 2]), prior_bits=prior, random_counts=OTHER * 1000
    )

    mixture = fit_mixture([opposite], np.arange(5), first=np.array([1.0, 1.0, 1.0, 0.0, 0.0]))

    assert (np.diff(mixture.rates["c"].bits[:3]) > 1).all()


def test_a_comparison_that_is_not_asked_says_nothing() -> None:
    comparisons, owners, _ = plant(comparisons=2, prior_bits=np.array([-3.0, 0.0, 3.0]), seed=4)
    first = first_chances(comparisons)
    silent = Comparison(
        name="silent", outcomes=np.full(owners.size, -1), prior_bits=np.array([0.0, 5.0])
    )

    with_it = fit_mixture([*comparisons, silent], owners, first=first)

    without = fit_mixture(comparisons, owners, first=first)
    np.testing.assert_allclose(with_it.chances, without.chances)


def test_no_pairs_are_no_matches() -> None:
    nothing = np.zeros(0, np.int64)
    silent = Comparison(name="silent", outcomes=nothing, prior_bits=np.array([0.0]))

    assert fit_mixture([silent], nothing, first=np.zeros(0)).matches == 0


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2)), min_size=1, max_size=40),
    st.floats(0, 1),
)
def test_chances_are_chances_and_rates_add_up_to_one(
    pairs: list[tuple[int, int]], first: float
) -> None:
    owners = np.array([owner for owner, _ in pairs])
    outcomes = np.array([outcome for _, outcome in pairs])
    comparison = Comparison(name="c", outcomes=outcomes, prior_bits=np.array([-8.0, 0.0, 8.0]))

    mixture = fit_mixture([comparison], owners, first=np.full(len(pairs), first))

    assert ((mixture.chances >= 0) & (mixture.chances <= 1)).all()
    assert mixture.rates["c"].match.sum() == pytest.approx(1)
    assert mixture.rates["c"].other.sum() == pytest.approx(1)

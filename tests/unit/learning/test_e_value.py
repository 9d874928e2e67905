"""Tests for `forebear.learning.e_value`: formula, and error rates by simulation."""

from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import halfnorm, norm

from forebear.learning.e_value import (
    GAIN_SD,
    THRESHOLD,
    USUAL_SD,
    USUAL_SEARCHES,
    Evidence,
    gather_evidence,
)
from forebear.learning.measures import PairedDifferences

Floats = NDArray[np.float64]

SD = 0.057  # of the differences of NDCG of the experiments of decision 31, of which a third is zero


def evidence(values: Floats) -> Evidence:
    return gather_evidence(PairedDifferences(sums=values, sizes=np.ones(len(values))))


def differences(gain: float, count: int, seed: int) -> Floats:
    """Return differences of this mean and of SD, a third of them zero."""
    random = np.random.default_rng(seed)
    is_zero = random.random(count) < 1 / 3
    others = random.normal(gain * 1.5, sqrt(1.5 * SD**2 - 0.75 * gain**2), count)
    return np.where(is_zero, 0.0, others)


def promoted(gain: float, searches: int, *, trials: int, looks: int = 20) -> float:
    """Return how often a model of this true gain is promoted, looked at from 20 searches on."""
    ends = np.unique(np.linspace(20, searches, looks).astype(int))
    return float(
        np.mean(
            [
                any(evidence(values[:end]).is_enough for end in ends)
                for values in (differences(gain, searches, seed) for seed in range(trials))
            ]
        )
    )


@pytest.mark.parametrize(("searches", "total"), [(20, 0.4), (100, 2.0), (300, -1.0), (50, 0.0)])
def test_the_value_is_the_mean_likelihood_ratio_over_half_normal_gains(
    searches: int, total: float
) -> None:
    variance = 0.003
    at = Evidence(searches=searches, total=total, variance=variance)

    def ratio(gain: float) -> float:
        likelihoods = [norm.pdf(total, searches * m, sqrt(searches * variance)) for m in (gain, 0)]
        return float(halfnorm.pdf(gain, scale=GAIN_SD) * likelihoods[0] / likelihoods[1])

    assert at.value == pytest.approx(quad(ratio, 0, 0.3, points=[0.01, 0.02, 0.05])[0], rel=1e-6)


def test_no_search_is_no_evidence() -> None:
    assert evidence(np.zeros(0)).value == pytest.approx(1)


def test_the_variance_has_ten_usual_searches_more() -> None:
    usual = USUAL_SEARCHES * USUAL_SD**2

    assert evidence(np.zeros(0)).variance == pytest.approx(USUAL_SD**2)
    assert evidence(np.full(30, 0.1)).variance == pytest.approx((30 * 0.01 + usual) / 40)


def test_searches_that_always_agree_are_one_search() -> None:
    alone = evidence(np.full(40, 0.05))
    sizes = np.full(10, 4.0)

    families = gather_evidence(PairedDifferences(sums=np.full(10, 0.2), sizes=sizes))

    assert families.searches == alone.searches
    assert families.total == pytest.approx(alone.total)
    assert families.variance > 3 * alone.variance
    assert families.value < alone.value


def test_independent_searches_of_families_are_as_many_as_they_are() -> None:
    values = differences(0.0, 400, seed=5)

    families = gather_evidence(
        PairedDifferences(sums=values.reshape(100, 4).sum(axis=1), sizes=np.full(100, 4.0))
    )

    assert families.variance == pytest.approx(evidence(values).variance, rel=0.35)


def test_the_searches_needed_reach_the_threshold() -> None:
    now = evidence(differences(0.02, 60, seed=3))
    needed = now.searches_needed()
    assert needed is not None

    mean = now.total / now.searches
    values = [
        Evidence(searches=count, total=mean * count, variance=now.variance).value
        for count in (needed - 1, needed)
    ]

    assert values[0] < THRESHOLD <= values[1]


@pytest.mark.parametrize("total", [0.0, -0.5, 1e-6])
def test_what_shows_no_gain_needs_no_number_of_searches(total: float) -> None:
    assert Evidence(searches=50, total=total, variance=0.003).searches_needed() is None


def test_a_value_beyond_all_numbers_is_large() -> None:
    assert Evidence(searches=10_000, total=9_000.0, variance=0.0001).value > 1e200


@pytest.mark.parametrize(
    ("gain", "searches", "low", "high"),
    [  # decision 31: 0 0 1 6 24 85 % at 100 searches, 49 % and 99 % of .02 at 50 and 200
        (-0.01, 100, 0.0, 0.01),
        (-0.005, 100, 0.0, 0.015),
        (0.0, 100, 0.0, 0.03),
        (0.01, 100, 0.14, 0.36),
        (0.02, 50, 0.36, 0.62),
        (0.02, 100, 0.76, 0.95),
        (0.02, 200, 0.96, 1.0),
    ],
)
def test_promotions_in_twenty_looks_are_as_often_as_in_the_experiments(
    gain: float, searches: int, low: float, high: float
) -> None:
    assert low <= promoted(gain, searches, trials=300) <= high


def test_a_model_that_is_no_better_is_rarely_promoted_in_2000_searches() -> None:
    assert promoted(0.0, 2_000, trials=500) <= 0.06

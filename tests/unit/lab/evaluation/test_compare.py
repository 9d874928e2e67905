"""Tests for `forebear.learning.measures`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.measures import compare

QUERIES = [f"q{number}" for number in range(200)]


def named(values: list[float]) -> dict[str, float]:
    return dict(zip(QUERIES, values, strict=False))


def noise(seed: int, center: float) -> list[float]:
    draws = np.random.default_rng(seed).standard_normal(len(QUERIES))
    return [center + 0.1 * float(draw) for draw in draws]


def test_the_difference_is_the_mean_over_queries_of_after_minus_before() -> None:
    comparison = compare(named([0.1, 0.5]), named([0.4, 0.6]), seed=1)

    assert comparison.difference == pytest.approx(0.2)
    assert comparison.query_count == 2


def test_the_interval_of_the_mean_is_that_of_the_normal_approximation() -> None:
    after = noise(3, 0.05)
    error = np.std(after) / np.sqrt(len(after))

    comparison = compare(named([0.0] * 200), named(after), seed=1)

    assert comparison.low == pytest.approx(np.mean(after) - 1.96 * error, abs=0.1 * error)
    assert comparison.high == pytest.approx(np.mean(after) + 1.96 * error, abs=0.1 * error)


def test_a_clear_difference_is_decided_and_mere_noise_is_not() -> None:
    nothing = named([0.0] * 200)

    assert compare(nothing, named(noise(3, 0.05)), seed=1).decided
    assert not compare(nothing, named(noise(4, 0.0)), seed=1).decided


def test_the_same_seed_gives_the_same_interval_whatever_the_order_of_queries() -> None:
    before, after = named(noise(1, 0.5)), named(noise(2, 0.5))
    backwards = dict(reversed(after.items()))

    assert compare(before, after, seed=7) == compare(before, backwards, seed=7)


def test_many_queries_are_resampled_in_parts_that_make_one_answer() -> None:
    values = {f"q{number}": float(number % 2) for number in range(10_000)}
    nothing = dict.fromkeys(values, 0.0)

    comparison = compare(nothing, values, seed=1, resamples=1000)

    assert comparison.low == pytest.approx(0.5 - 1.96 * 0.005, abs=0.001)


def test_rankings_measured_on_different_queries_are_refused() -> None:
    with pytest.raises(InputError, match="only one of the two rankings was measured on query 'q1'"):
        compare({"q0": 1.0}, {"q0": 1.0, "q1": 0.5}, seed=1)


def test_no_queries_are_refused() -> None:
    with pytest.raises(InputError, match="no query to compare on"):
        compare({}, {}, seed=1)


@pytest.mark.parametrize(("resamples", "confidence"), [(0, 0.95), (10, 0.0), (10, 1.0)])
def test_settings_that_give_no_interval_are_refused(resamples: int, confidence: float) -> None:
    with pytest.raises(InputError, match="give no interval"):
        compare({"q": 1.0}, {"q": 1.0}, seed=1, resamples=resamples, confidence=confidence)

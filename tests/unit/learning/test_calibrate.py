"""Tests for `forebear.learning.calibrate`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning import calibrate as calibrate_module
from forebear.learning.calibrate import (
    LogisticCalibration,
    calibrate_logistic,
    fit_slope,
)


def test_a_planted_line_in_bits_is_found_again() -> None:
    random = np.random.default_rng(1)
    scores = random.normal(3, 2, 40_000)
    odds = 2.0 ** (1.5 * scores - 6)
    labels = (random.random(scores.size) < odds / (1 + odds)).astype(np.int64)

    line = fit_slope(scores, labels)

    assert line.slope == pytest.approx(1.5, abs=0.05)
    assert line.intercept == pytest.approx(-6, abs=0.2)


def test_the_estimated_probabilities_sum_to_the_relevant_records() -> None:
    random = np.random.default_rng(2)
    labels = (random.random(5000) < 0.02).astype(np.int64)
    scores = labels + random.normal(size=5000)

    line = fit_slope(scores, labels)

    estimated = 1 / (1 + 2.0 ** -(line.slope * scores + line.intercept))
    assert estimated.sum() == pytest.approx(labels.sum(), rel=0.02)


def test_the_slope_scales_with_the_scores() -> None:
    random = np.random.default_rng(3)
    scores, labels = random.normal(size=500), random.integers(0, 2, 500)

    once, tenfold = fit_slope(scores, labels), fit_slope(10 * scores, labels)

    assert tenfold.slope == pytest.approx(once.slope / 10, rel=1e-3)
    assert tenfold.intercept == pytest.approx(once.intercept, abs=1e-3)


def test_scores_that_separate_the_labels_still_give_a_finite_slope() -> None:
    line = fit_slope(np.array([0.0, 0.1, 0.9, 1.0]), np.array([0, 0, 1, 1]))

    assert 0 < line.slope < 30


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1]])
def test_records_of_one_kind_give_no_slope_and_a_finite_level(labels: list[int]) -> None:
    line = fit_slope(np.array([1.0, 2.0, 3.0]), np.array(labels))

    assert line.slope == pytest.approx(0, abs=1e-3)
    assert line.intercept == pytest.approx(2 if labels[0] else -2, abs=0.5)


def test_equal_scores_say_nothing() -> None:
    line = fit_slope(np.ones(10), np.array([1, 0] * 5))

    assert line.slope == pytest.approx(0, abs=1e-6)
    assert line.intercept == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("scores", "labels"), [([], []), ([1.0], [1, 0]), ([np.inf, 1.0], [1, 0])])
def test_what_gives_no_slope_is_refused(scores: list[float], labels: list[int]) -> None:
    with pytest.raises(InputError):
        fit_slope(np.array(scores), np.array(labels))


SLOPES, LEVELS = np.array([1.0, 2.0]), np.array([-4.0, -6.0])


def test_planted_slopes_levels_and_facts_are_found_again(planted_lines) -> None:
    lists, facts = planted_lines(1)

    calibration = calibrate_logistic(lists, facts)

    for name, slope, level in zip("ab", SLOPES, LEVELS, strict=True):
        assert calibration[name].slope == pytest.approx(slope, abs=0.15)
        assert calibration[name].level == pytest.approx(level, abs=0.4)
    assert calibration["a"].conditions["spouse"] == pytest.approx(2.0, abs=0.4)
    assert calibration["b"].conditions["spouse"] == pytest.approx(0.0, abs=0.4)


def test_a_sample_of_the_irrelevant_records_gives_about_the_same(
    monkeypatch: pytest.MonkeyPatch, planted_lines
) -> None:
    lists, _ = planted_lines(2)
    whole = calibrate_logistic(lists)
    monkeypatch.setattr(calibrate_module, "RECORDS_PER_LIST", 3000)

    sample = calibrate_logistic(lists)

    for name in "ab":
        assert sample[name].slope == pytest.approx(whole[name].slope, rel=0.1)
        assert sample[name].level == pytest.approx(whole[name].level, abs=0.3)


def test_a_logistic_line_is_what_it_says() -> None:
    line = LogisticCalibration(slope=2.0, level=-1.0)

    assert line.bits(np.array([0.0, 1.5])).tolist() == [-1.0, 2.0]

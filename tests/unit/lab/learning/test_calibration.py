"""Tests for `forebear.learning.calibrate` and `forebear_lab.learning.isotonic`."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.calibrate import (
    Calibration,
    calibrate_logistic,
    calibrated,
)
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear_lab.learning.isotonic import IsotonicCalibration, calibrate_isotonic

MakesFusion = Callable[..., FusionDataset]


@pytest.mark.parametrize("calibrate", [calibrate_logistic, calibrate_isotonic])
def test_calibrated_scores_add_up_to_the_relevant_records(
    calibrate: Callable[[FusionDataset], Mapping[str, Calibration]], planted_lines
) -> None:
    lists, _ = planted_lines(3)

    bits = calibrated(lists, calibrate(lists)).scores

    estimated = (1 / (1 + np.exp2(-bits.astype(float)))).sum()
    assert estimated == pytest.approx(lists.labels.sum(), rel=0.05)


@pytest.mark.parametrize("calibrate", [calibrate_logistic, calibrate_isotonic])
def test_calibration_fuses_lists_of_unlike_slopes_on_unseen_queries(
    planted_lists: MakesFusion, calibrate: Callable[[FusionDataset], Mapping[str, Calibration]]
) -> None:
    found = calibrate(planted_lists(1, slope=3.0))

    test = planted_lists(2, slope=3.0)
    value = FusedScores(calibrated(test, found)).value(np.zeros(3))
    assert value > FusedScores(test).value(np.zeros(3)) + 0.1


@pytest.mark.parametrize("calibrate", [calibrate_logistic, calibrate_isotonic])
def test_no_list_changes_its_order(
    calibrate: Callable[[FusionDataset], Mapping[str, Calibration]], planted_lines
) -> None:
    lists, _ = planted_lines(4, queries=30)
    scores = np.linspace(-50, 50, 400)

    for line in calibrate(lists).values():
        assert (np.diff(line.bits(scores)) > 0).all()


@pytest.mark.parametrize("calibrate", [calibrate_logistic, calibrate_isotonic])
def test_scores_that_mislead_keep_their_order_and_hardly_count(
    calibrate: Callable[[FusionDataset], Mapping[str, Calibration]],
) -> None:
    lists = FusionDataset.from_lists(
        ["a"], [(f"q{n}", {"a": ([3.0, 2.0, 1.0], [0, 0, 1])}) for n in range(30)]
    )

    bits = calibrate(lists)["a"].bits(np.array([1.0, 3.0]))

    assert 0 < bits[1] - bits[0] < 0.1


@pytest.mark.parametrize("calibrate", [calibrate_logistic, calibrate_isotonic])
@pytest.mark.parametrize("labels", [[1, 0], [1, 1], [0, 0]])
def test_few_records_give_finite_bits(
    calibrate: Callable[[FusionDataset], Mapping[str, Calibration]], labels: list[int]
) -> None:
    lists = FusionDataset.from_lists(["a", "b"], [("q", {"a": ([2.0, 1.0], labels)})])

    found = calibrate(lists)

    assert all(np.isfinite(line.bits(np.array([-9.0, 0.0, 9.0]))).all() for line in found.values())


def test_isotonic_bits_follow_a_bend_that_a_line_cannot() -> None:
    random = np.random.default_rng(5)
    scores = random.uniform(0, 10, 20_000)
    chance = np.where(scores < 8, 0.01, 0.5)
    labels = (random.random(scores.size) < chance).astype(int)
    lists = FusionDataset.from_lists(["a"], [("q", {"a": (scores, labels)})])

    found = calibrate_isotonic(lists)["a"].bits(np.array([3.0, 5.0, 9.0]))

    np.testing.assert_allclose(found, np.log2([0.01 / 0.99, 0.01 / 0.99, 1.0]), atol=0.6)


@pytest.mark.parametrize(
    ("scores", "levels", "message"),
    [((), (), "no line"), ((1.0, 1.0), (0.0, 1.0), "must rise"), ((1.0, 2.0), (1.0, 0.0), "rise")],
)
def test_points_that_make_no_line_are_refused(
    scores: tuple[float, ...], levels: tuple[float, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        IsotonicCalibration(scores=scores, levels=levels)

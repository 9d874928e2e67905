"""Tests for `forebear.learning.calibration` and `forebear_lab.learning.isotonic`."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning import calibration as calibration_module
from forebear.learning.calibration import (
    Calibration,
    LogisticCalibration,
    calibrate_logistic,
    calibrated,
)
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear.learning.query_facts import QueryFacts
from forebear_lab.learning.isotonic import IsotonicCalibration, calibrate_isotonic

MakesFusion = Callable[..., FusionDataset]
SLOPES, LEVELS = np.array([1.0, 2.0]), np.array([-4.0, -6.0])


def planted(seed: int, queries: int = 400) -> tuple[FusionDataset, QueryFacts]:
    """Make lists whose labels follow known slopes, levels and a fact worth 2 bits to list a."""
    random = np.random.default_rng(seed)
    facts = random.random((queries, 1)) < 0.5
    rows = []
    for number in range(queries):
        lists = {}
        for name, slope, level in zip("ab", SLOPES, LEVELS, strict=True):
            scores = random.normal(0, 2, 40)
            bits = slope * scores + level + (2.0 if name == "a" and facts[number, 0] else 0.0)
            lists[name] = (scores, (random.random(40) < 1 / (1 + 2.0**-bits)).astype(int))
        rows.append((f"q{number}", lists))
    return FusionDataset.from_lists("ab", rows), QueryFacts(names=("spouse",), values=facts)


def test_planted_slopes_levels_and_facts_are_found_again() -> None:
    lists, facts = planted(1)

    found = calibrate_logistic(lists, facts)

    for name, slope, level in zip("ab", SLOPES, LEVELS, strict=True):
        assert found[name].slope == pytest.approx(slope, abs=0.15)
        assert found[name].level == pytest.approx(level, abs=0.4)
    assert found["a"].conditions["spouse"] == pytest.approx(2.0, abs=0.4)
    assert found["b"].conditions["spouse"] == pytest.approx(0.0, abs=0.4)


def test_looking_at_some_irrelevant_records_gives_about_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lists, _ = planted(2)
    every = calibrate_logistic(lists)
    monkeypatch.setattr(calibration_module, "RECORDS_OF_A_LIST", 3000)

    some = calibrate_logistic(lists)

    for name in "ab":
        assert some[name].slope == pytest.approx(every[name].slope, rel=0.1)
        assert some[name].level == pytest.approx(every[name].level, abs=0.3)


@pytest.mark.parametrize("calibrate", [calibrate_logistic, calibrate_isotonic])
def test_calibrated_scores_add_up_to_the_relevant_records(
    calibrate: Callable[[FusionDataset], Mapping[str, Calibration]],
) -> None:
    lists, _ = planted(3)

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
    calibrate: Callable[[FusionDataset], Mapping[str, Calibration]],
) -> None:
    lists, _ = planted(4, queries=30)
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


def test_a_logistic_line_is_what_it_says() -> None:
    line = LogisticCalibration(slope=2.0, level=-1.0)

    assert line.bits(np.array([0.0, 1.5])).tolist() == [-1.0, 2.0]

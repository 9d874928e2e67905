"""Tests for `forebear_lab.learning.calibration`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.calibrate import (
    Calibration,
    FactTable,
    calibrate_logistic,
    calibrated,
    read_facts,
)
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores, FusionWeights
from forebear_lab.learning.calibration import (
    ConditionedFusion,
    ConditionedWeights,
    IsotonicCalibration,
    Norm,
    calibrate_isotonic,
    normalize_list,
    normalize_lists,
    to_bits,
)

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
    calibration = calibrate(planted_lists(1, slope=3.0))

    test = planted_lists(2, slope=3.0)
    value = FusedScores(calibrated(test, calibration)).value(np.zeros(3))
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

    calibration = calibrate(lists)

    assert all(
        np.isfinite(line.bits(np.array([-9.0, 0.0, 9.0]))).all() for line in calibration.values()
    )


def test_isotonic_bits_follow_a_bend_that_a_line_cannot() -> None:
    random = np.random.default_rng(5)
    scores = random.uniform(0, 10, 20_000)
    chance = np.where(scores < 8, 0.01, 0.5)
    labels = (random.random(scores.size) < chance).astype(int)
    lists = FusionDataset.from_lists(["a"], [("q", {"a": (scores, labels)})])

    bits = calibrate_isotonic(lists)["a"].bits(np.array([3.0, 5.0, 9.0]))

    np.testing.assert_allclose(bits, np.log2([0.01 / 0.99, 0.01 / 0.99, 1.0]), atol=0.6)


@pytest.mark.parametrize(
    ("scores", "levels", "message"),
    [((), (), "no line"), ((1.0, 1.0), (0.0, 1.0), "must rise"), ((1.0, 2.0), (1.0, 0.0), "rise")],
)
def test_points_that_make_no_line_are_refused(
    scores: tuple[float, ...], levels: tuple[float, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        IsotonicCalibration(scores=scores, levels=levels)


NONE = ConditionedWeights(shifts=FusionWeights(shifts={"marriage": 0.0, "census": 0.0}))
NAMES = ("marriage", "census")


def planted(seed: int, queries: int = 200) -> tuple[FusionDataset, FactTable]:
    """Make lists of which marriage is right with a spouse in the query, and census without."""
    random = np.random.default_rng(seed)
    facts = np.column_stack([random.random(queries) < 0.5, random.random(queries) < 0.5])
    rows = []
    for number in range(queries):
        right = "marriage" if facts[number, 0] else "census"
        lists = {}
        for name in NAMES:
            labels = (random.random(10) < (0.2 if name == right else 0.02)).astype(int)
            lists[name] = (labels + random.normal(size=10), labels)
        rows.append((f"q{number}", lists))
    names = ("spouse", "noise")
    return FusionDataset.from_lists(NAMES, rows), FactTable(names=names, values=facts)


def test_a_fact_moves_the_lists_for_which_it_speaks() -> None:
    lists, facts = planted(1)

    fitted, history = ConditionedFusion(seed=1).fit(lists, facts, start=NONE)

    moved = {name: fitted.conditions[name]["spouse"] for name in NAMES}
    assert moved["marriage"] - moved["census"] > 1.0
    assert abs(fitted.conditions["marriage"]["noise"]) < 0.5
    assert history.last.train > history.steps[0].train + 0.05


def test_conditions_help_on_unseen_queries_and_the_history_tells_the_value() -> None:
    lists, facts = planted(2)
    fitted, history = ConditionedFusion(seed=1).fit(lists, facts, start=NONE)

    trained = FusedScores(lists).value(fitted.rows(lists.list_names, facts))
    test, test_facts = planted(3)
    scores = FusedScores(test)
    assert trained == pytest.approx(history.last.train, abs=1e-9)
    assert scores.value(fitted.rows(test.list_names, test_facts)) > scores.value(np.zeros(2)) + 0.05


def test_conditions_continue_from_a_given_start() -> None:
    lists, facts = planted(6)
    start = ConditionedWeights(shifts=NONE.shifts, conditions={"marriage": {"spouse": 1.5}})

    _, history = ConditionedFusion(seed=1).fit(lists, facts, start=start)

    begun = FusedScores(lists).value(start.rows(lists.list_names, facts))
    assert history.steps[0].train == pytest.approx(begun, abs=1e-12)


def test_a_strong_pull_leaves_no_conditions() -> None:
    lists, facts = planted(4)

    fitted, _ = ConditionedFusion(seed=1, pull=100.0).fit(lists, facts, start=NONE)

    assert all(abs(bits) < 0.1 for moved in fitted.conditions.values() for bits in moved.values())


def test_facts_of_other_queries_are_refused() -> None:
    lists, facts = planted(5, queries=4)

    with pytest.raises(InputError, match="facts of 2 queries, but 4 queries"):
        ConditionedFusion(seed=1).fit(lists, facts.take([0, 1]), start=NONE)


def test_facts_are_read_by_query(tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_text("q1 spouse birth.year\nq2\n\n")

    by_query = read_facts(path)
    facts = FactTable.of(["q2", "q1", "q9"], by_query)

    assert by_query == {"q1": {"spouse", "birth.year"}, "q2": frozenset()}
    assert facts.names == ("birth.year", "spouse")
    assert facts.values.tolist() == [[False, False], [True, True], [False, False]]


def test_a_query_with_facts_on_two_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_text("q1 spouse\nq1 birth\n")

    with pytest.raises(InputError, match="line 2: expected each query once; found 'q1'"):
        read_facts(path)


def test_facts_that_do_not_fit_their_names_are_refused() -> None:
    with pytest.raises(InputError, match="for 1 names"):
        FactTable(names=("a",), values=np.zeros((2, 2), np.bool_))


def test_min_max_spreads_scores_and_the_least_is_not_nothing() -> None:
    assert normalize_list(np.array([4.0, 3.0, 2.0]), "min_max").tolist() == [1.0, 0.5, 0.001]


def test_min_max_never_changes_the_order() -> None:
    assert normalize_list(np.array([1e6, 1.0, 0.5]), "min_max").tolist() == [1.0, 0.001, 0.001]


@pytest.mark.parametrize("scores", [[7.0], [2.0, 2.0]])
def test_min_max_of_equal_scores_is_one(scores: list[float]) -> None:
    assert normalize_list(np.array(scores), "min_max").tolist() == [1.0] * len(scores)


def test_l2_makes_the_squares_sum_to_one() -> None:
    np.testing.assert_allclose(normalize_list(np.array([3.0, 4.0]), "l2"), [0.6, 0.8])
    assert normalize_list(np.zeros(2), "l2").tolist() == [0.0, 0.0]


@pytest.mark.parametrize("norm", get_args(Norm))
def test_a_dataset_is_normalized_list_by_list(planted_lists: MakesFusion, norm: Norm) -> None:
    lists = planted_lists(1, queries=4)
    lists = replace(lists, scores=lists.scores + 20)

    normalized = normalize_lists(lists, norm)

    for first, last in zip(lists.offsets[:-1], lists.offsets[1:], strict=True):
        expected = normalize_list(lists.scores[first:last], norm)
        np.testing.assert_allclose(normalized.scores[first:last], expected)


def test_a_list_that_a_query_lacks_stays_empty() -> None:
    lists = FusionDataset.from_lists(["a", "b"], [("q", {"b": ([2.0, 1.0], [0, 1])})])

    assert normalize_lists(lists, "l2").offsets.tolist() == [0, 0, 2]
    assert normalize_list(np.zeros(0), "min_max").size == 0


def test_positive_scores_become_bits() -> None:
    lists = FusionDataset.from_lists(["a"], [("q", {"a": ([8.0, 0.5], [0, 1])})])

    assert to_bits(lists).scores.tolist() == [3.0, -1.0]


def test_scores_that_are_not_positive_are_no_powers_of_two() -> None:
    lists = FusionDataset.from_lists(["a"], [("q", {"a": ([1.0, 0.0], [0, 1])})])

    with pytest.raises(InputError, match=r"a score is 0.0, and weights multiply only scores above"):
        to_bits(lists)

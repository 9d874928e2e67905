"""Tests for `forebear.learning.calibrate`."""

import json

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.learning import calibrate as calibrate_module
from forebear.learning.calibrate import (
    MIN_ATTACHED,
    LogisticCalibration,
    calibrate_logistic,
    calibrate_model,
    fit_slope,
)
from forebear.learning.trial import judge_model
from forebear.search.fusion.conditioned import list_move
from forebear.search.model import UNITS_PER_BIT, Model

CLAUSES = tuple(f"clause {bit}" for bit in range(4))
MODEL = Model(
    name="m",
    weights={name: dict.fromkeys(CLAUSES, UNITS_PER_BIT) for name in ("marriage", "census")},
    shifts={"marriage": 0, "census": 0},
)
RECORDS = 10


def world(count: int, seed: int = 5) -> list[JudgedSearch]:
    """Return searches in which marriages are right only if the spouse is known.

    A bit of a census score is worth twice as much as a bit of a marriage score.
    """
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        has_spouse = bool(random.integers(2))
        query: dict[str, object] = {"surname": "Brown"}
        if has_spouse:
            query["relatives"] = [{"kind": "spouse", "given": "Ann"}]
        lists, attached = [], set()
        for name, slope, level in (
            ("marriage", 1.0, -1.0 if has_spouse else -6.0),
            ("census", 2.0, -5.0),
        ):
            bits = random.random((RECORDS, len(CLAUSES))) < 0.5
            records = tuple(f"{name}:{number}-{n}" for n in range(RECORDS))
            odds = np.exp2(slope * bits.sum(axis=1) + level)
            right = random.random(RECORDS) < odds / (1 + odds)
            attached |= {
                record for record, is_right in zip(records, right, strict=True) if is_right
            }
            lists.append(
                LoggedList(
                    name=name,
                    record_type=name,
                    state="complete",
                    clauses=CLAUSES,
                    records=records,
                    scores=tuple((bits.sum(axis=1) * UNITS_PER_BIT).tolist()),
                    bits=bits,
                )
            )
        search = LoggedSearch(
            id=f"s{number}",
            at="",
            query=json.dumps(query),
            model="m",
            viewer="owner",
            shown=(),
            lists=tuple(lists),
        )
        found.append(
            JudgedSearch(search=search, attached=frozenset(attached), rejected=frozenset())
        )
    return found


@pytest.fixture(scope="module")
def calibrated() -> Model:
    return calibrate_model(world(1500), MODEL, seed=1)


def test_slopes_shifts_and_conditions_are_those_of_the_world(calibrated: Model) -> None:
    known = list_move(calibrated, "marriage", "marriage", {"surname", "spouse"})
    unknown = list_move(calibrated, "marriage", "marriage", {"surname"})
    census = list_move(calibrated, "census", "census", {"surname", "spouse"})

    assert known.moved(0) / UNITS_PER_BIT == pytest.approx(-1, abs=0.5)
    assert unknown.moved(0) / UNITS_PER_BIT == pytest.approx(-6, abs=1.2)
    assert census.moved(0) / UNITS_PER_BIT == pytest.approx(-5, abs=0.7)
    assert known.slope / UNITS_PER_BIT == pytest.approx(1, abs=0.15)
    assert census.slope / UNITS_PER_BIT == pytest.approx(2, abs=0.25)


def test_a_calibrated_model_ranks_other_searches_better(calibrated: Model) -> None:
    held_out = world(300, seed=77)

    before, after = (
        judge_model(m, held_out, cutoff=10).means()["ndcg@10"] for m in (MODEL, calibrated)
    )

    assert after > before + 0.02


def test_the_weights_of_the_clauses_stand(calibrated: Model) -> None:
    assert calibrated.weights == MODEL.weights


def test_few_attachments_change_nothing() -> None:
    few = world(2)

    assert sum(len(search.attached) for search in few) < 2 * MIN_ATTACHED
    assert calibrate_model(few, MODEL, seed=1) == MODEL


def test_a_fact_that_all_searches_have_makes_no_condition(calibrated: Model) -> None:
    assert set(calibrated.conditions["marriage"]) == {"spouse"}


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

    found = calibrate_logistic(lists, facts)

    for name, slope, level in zip("ab", SLOPES, LEVELS, strict=True):
        assert found[name].slope == pytest.approx(slope, abs=0.15)
        assert found[name].level == pytest.approx(level, abs=0.4)
    assert found["a"].conditions["spouse"] == pytest.approx(2.0, abs=0.4)
    assert found["b"].conditions["spouse"] == pytest.approx(0.0, abs=0.4)


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

"""Tests for `forebear.learning.calibrate_model`: what was planted is found."""

import json

import numpy as np
import pytest

from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.learning.calibrate_model import LEAST_ATTACHED, calibrate_model
from forebear.learning.judge_model import judge_model
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

    assert sum(len(search.attached) for search in few) < 2 * LEAST_ATTACHED
    assert calibrate_model(few, MODEL, seed=1) == MODEL


def test_a_fact_that_all_searches_have_makes_no_condition(calibrated: Model) -> None:
    assert set(calibrated.conditions["marriage"]) == {"spouse"}

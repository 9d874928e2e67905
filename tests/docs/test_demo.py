"""The demo says in words what learning came to, whatever that is."""

import runpy
from pathlib import Path
from typing import Any

import pytest

LOOP = runpy.run_path(str(Path(__file__).resolve().parents[2] / "demo" / "loop.py"))
FIGURES = {"default": {"ndcg@100": 0.85}, "v1": {"ndcg@100": 0.88}}


def training(*, promoted: bool, refusals: list[str], missing: int | None) -> dict[str, Any]:
    return {
        "searches": 300,
        "promoted": promoted,
        "refusals": refusals,
        "comparison": {"searches_missing": missing},
    }


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (training(promoted=True, refusals=[], missing=0), "The rule promoted the new model"),
        (training(promoted=False, refusals=["it is bad"], missing=0), "refused the new model: it"),
        (training(promoted=False, refusals=[], missing=40), "about 40 more searches are missing"),
        (training(promoted=False, refusals=[], missing=None), "the links show no gain"),
    ],
)
def test_the_last_line_says_whether_the_model_is_used(
    outcome: dict[str, Any], sentence: str
) -> None:
    conclusion = LOOP["conclusion"](outcome, FIGURES)

    assert sentence in conclusion.splitlines()[-1]
    assert "300 searches improved" in conclusion
    assert "0.850 to 0.880" in conclusion


def test_a_loss_is_not_called_a_gain() -> None:
    worse = {"default": {"ndcg@100": 0.85}, "v1": {"ndcg@100": 0.84}}

    conclusion = LOOP["conclusion"](training(promoted=False, refusals=[], missing=None), worse)

    assert "did not improve" in conclusion


def test_families_are_divided_in_the_stated_share() -> None:
    held = [LOOP["_is_held_out"](f"f{number}") for number in range(2000)]

    assert sum(held) / len(held) == pytest.approx(LOOP["HELD_OUT"], abs=0.04)

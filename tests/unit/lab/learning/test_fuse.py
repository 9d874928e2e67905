"""Tests for `forebear_lab.learning.fuse`."""

import pytest

from forebear.errors import InputError
from forebear.trec import Run
from forebear_lab.learning.fuse import fuse_runs
from forebear_lab.learning.fusion_model import FusionModel, ListFusion

RUNS = {
    "census": Run(scores={"q1": {"c1": 4.0, "c2": 3.0, "c3": 2.9}, "q2": {"c4": 1.0}}),
    "burial": Run(scores={"q1": {"b1": 1.0, "b2": 0.5}}),
}
MODEL = FusionModel(
    scale="weights",
    lists={
        "census": ListFusion(shift=0.0),
        "burial": ListFusion(shift=2.0, conditions={"death": 1.0}),
    },
)


def test_lists_are_fused_by_their_weights() -> None:
    fused = fuse_runs(RUNS, MODEL)

    expected = {"c1": 4.0, "b1": 4.0, "c2": 3.0, "c3": 2.9, "b2": 2.0}
    assert dict(fused.scores["q1"]) == pytest.approx(expected)
    assert dict(fused.scores["q2"]) == {"c4": 1.0}


def test_facts_of_a_query_move_its_lists() -> None:
    fused = fuse_runs(RUNS, MODEL, facts={"q1": frozenset({"death"})})

    assert fused.ranked("q1")[0] == "b1"
    assert fused.scores["q1"]["b1"] == 8.0


def test_only_the_best_are_kept() -> None:
    assert fuse_runs(RUNS, MODEL, top=2).ranked("q1") == ["c1", "b1"]


@pytest.mark.parametrize("scale", ["weights", "bits"])
def test_a_decay_makes_lists_alternate(scale: str) -> None:
    lists = {name: ListFusion(shift=0.0) for name in RUNS}
    model = FusionModel(scale=scale, lists=lists)  # type: ignore[arg-type]

    ranked = fuse_runs(RUNS, model, decay=3.0).ranked("q1")

    assert ranked == ["c1", "b1", "c2", "b2", "c3"] if scale == "weights" else ["c1", "b1", "c2"]


def test_a_document_in_two_lists_is_refused() -> None:
    twice = {"census": RUNS["census"], "burial": Run(scores={"q1": {"c2": 1.0}})}

    with pytest.raises(InputError, match="document 'c2' of query 'q1' is in two lists"):
        fuse_runs(twice, MODEL)

"""Tests for `forebear_lab.learning.models`."""

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from forebear.errors import InputError, ModelError
from forebear.learning.calibrate import FactTable, LogisticCalibration
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores
from forebear.trec import Run
from forebear_lab.learning.calibration import IsotonicCalibration
from forebear_lab.learning.models import (
    FusionModel,
    ListFusion,
    fuse_runs,
    fusion_model_from_json,
    fusion_model_to_json,
    normalization_pipeline,
)

MakesFusion = Callable[..., FusionDataset]
LINE = LogisticCalibration(slope=2.0, level=-1.0)
POINTS = IsotonicCalibration(scores=(0.0, 1.0), levels=(-2.0, 3.0))
PLAIN = FusionModel(
    scale="weights", lists={"a": ListFusion(shift=1.0), "b": ListFusion(shift=-1.0)}
)
SHIFTED = replace(PLAIN, scale="bits")
CALIBRATED = FusionModel(
    scale="bits",
    lists={
        "a": ListFusion(shift=0.5, calibration=LINE, conditions={"spouse": 2.0}),
        "b": ListFusion(shift=0.0, calibration=POINTS),
    },
)
NORMED = replace(PLAIN, norm="min_max")


def test_positive_scores_are_multiplied_by_weights() -> None:
    np.testing.assert_allclose(PLAIN.fuse_list("a", np.array([3.0, 1.0])), [6.0, 2.0])
    np.testing.assert_allclose(PLAIN.fuse_list("b", np.array([3.0])), [1.5])


def test_bits_are_shifted() -> None:
    assert SHIFTED.fuse_list("b", np.array([3.0, -4.0])).tolist() == [2.0, -5.0]


def test_calibrated_scores_are_bits_moved_by_facts() -> None:
    assert CALIBRATED.fuse_list("a", np.array([1.0])).tolist() == [1.5]
    assert CALIBRATED.fuse_list("a", np.array([1.0]), {"spouse", "birth"}).tolist() == [3.5]


def test_normalized_scores_are_multiplied() -> None:
    np.testing.assert_allclose(NORMED.fuse_list("a", np.array([9.0, 5.0, 1.0])), [2, 1, 0.002])


@pytest.mark.parametrize("model", [PLAIN, SHIFTED, CALIBRATED, NORMED])
def test_a_model_survives_its_json(model: FusionModel) -> None:
    noted = model.with_notes(method="exact", train=0.5)

    again = fusion_model_from_json(fusion_model_to_json(noted), where="m.json")

    assert again == noted


def test_the_json_of_multiplied_scores_tells_the_weights() -> None:
    assert json.loads(fusion_model_to_json(PLAIN))["lists"]["a"] == {"shift": 1.0, "weight": 2.0}


def test_the_value_is_that_of_the_lists_as_they_are_fused(planted_lists: MakesFusion) -> None:
    lists = planted_lists(1, queries=20)
    names = lists.list_names
    facts = FactTable(names=("spouse",), values=np.arange(20)[:, None] % 2 == 0)
    model = FusionModel(
        scale="bits",
        lists={
            name: ListFusion(shift=n / 2, calibration=LINE, conditions={"spouse": float(n)})
            for n, name in enumerate(names)
        },
    )

    value = model.value(lists, facts)

    fused = np.concatenate(
        [
            model.fuse_list(
                names[cell % 3],
                lists.scores[lists.offsets[cell] : lists.offsets[cell + 1]],
                ["spouse"] if (cell // 3) % 2 == 0 else [],
            )
            for cell in range(60)
        ]
    )
    expected = FusedScores(replace(lists, scores=fused)).value(np.zeros(3))
    assert value == pytest.approx(expected, abs=1e-6)


def test_an_unknown_list_and_a_score_of_zero_are_refused() -> None:
    with pytest.raises(ModelError, match="knows no list 'c'"):
        PLAIN.fuse_list("c", np.ones(1))
    with pytest.raises(InputError, match="scores above 0"):
        PLAIN.fuse_list("a", np.zeros(1))


def test_lists_are_calibrated_all_or_none() -> None:
    mixed = {"a": ListFusion(shift=0.0, calibration=LINE), "b": ListFusion(shift=0.0)}

    with pytest.raises(ModelError, match="some are not"):
        FusionModel(scale="bits", lists=mixed)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"kind": "weights", "scale": "bits", "norm": "none", "lists": {}}',
        '{"kind": "fusion", "scale": "inches", "norm": "none", "lists": {}}',
        '{"kind": "fusion", "scale": "bits", "norm": "none", "lists": {"a": {}}}',
    ],
)
def test_what_is_no_model_is_refused_by_name(text: str) -> None:
    with pytest.raises(ModelError, match=r"m\.json"):
        fusion_model_from_json(text, where="m.json")


def test_an_opensearch_pipeline_has_the_weights_in_order_and_they_sum_to_one() -> None:
    processor = normalization_pipeline(NORMED)["phase_results_processors"][0]

    normalizer = processor["normalization-processor"]
    assert normalizer["normalization"] == {"technique": "min_max"}
    assert normalizer["combination"]["technique"] == "arithmetic_mean"
    np.testing.assert_allclose(normalizer["combination"]["parameters"]["weights"], [0.8, 0.2])


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (PLAIN, "it takes scores as they are"),
        (SHIFTED, "it shifts scores in bits"),
        (CALIBRATED, "it calibrates scores"),
        (CALIBRATED, "it moves lists by facts"),
        (
            replace(NORMED, lists={str(n): ListFusion(shift=0.0) for n in range(6)}),
            "it fuses 6 lists, and a hybrid query has at most 5 clauses",
        ),
    ],
)
def test_what_opensearch_cannot_express_is_refused_with_the_reason(
    model: FusionModel, reason: str
) -> None:
    with pytest.raises(ModelError, match=reason):
        normalization_pipeline(model)


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

"""Tests for `forebear_lab.learning.combining`."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.trec import Qrels, Run, read_run
from forebear_lab.evaluation.evaluate import evaluate_files
from forebear_lab.evaluation.files import JudgmentFiles
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.learning.combining import (
    NORMS,
    Combination,
    CombinationMethod,
    CombinationNorm,
    comb_mnz,
    comb_sum,
    combination_dataset,
    combination_from_json,
    normalize_scores,
)

scored_lists = st.lists(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 50).map(float)), max_size=4
)


@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        ("none", [8, 4, 2]),
        ("min_max", [1, 1 / 3, 0]),
        ("max", [1, 0.5, 0.25]),
        ("sum", [6 / 8, 2 / 8, 0]),
        ("z", [1.33631, -0.26726, -1.06904]),
        ("rank", [1, 2 / 3, 1 / 3]),
    ],
)
def test_a_norm_follows_its_formula(norm: CombinationNorm, expected: list[float]) -> None:
    values = normalize_scores(np.array([8.0, 4.0, 2.0]), norm)

    np.testing.assert_allclose(values, expected, atol=1e-5)


@pytest.mark.parametrize(
    ("norm", "expected"), [("min_max", 1.0), ("max", 1.0), ("sum", 1 / 3), ("z", 0.0)]
)
def test_equal_scores_have_a_value_that_is_a_number(norm: CombinationNorm, expected: float) -> None:
    np.testing.assert_allclose(normalize_scores(np.full(3, 0.3), norm), expected)


@given(scored_lists)
def test_sums_do_not_depend_on_the_order_of_the_lists(lists: list[dict[str, float]]) -> None:
    assert comb_sum(lists) == pytest.approx(comb_sum(lists[::-1]))
    assert comb_mnz(lists) == pytest.approx(comb_mnz(lists[::-1]))


@given(scored_lists)
def test_on_disjoint_lists_combsum_and_combmnz_are_merging(lists: list[dict[str, float]]) -> None:
    disjoint = [
        {f"{document}{number}": score for document, score in scores.items()}
        for number, scores in enumerate(lists)
    ]
    merged = {document: score for scores in disjoint for document, score in scores.items()}

    assert comb_sum(disjoint) == comb_mnz(disjoint) == merged


def test_a_list_that_lacks_a_query_or_a_document_adds_nothing() -> None:
    runs = {"a": Run(scores={"q1": {"x": 2.0, "y": 1.0}}), "b": Run(scores={"q2": {"x": 5.0}})}

    fused = Combination(method="rrf", weights={"b": 3.0}).fuse(runs, top=1)

    assert fused.scores == {"q1": {"x": 1 / 61}, "q2": {"x": 3 / 61}}


@pytest.mark.parametrize("norm", NORMS)
def test_a_combination_survives_its_file(norm: CombinationNorm) -> None:
    combination = Combination(norm=norm, weights={"a": 0.5}, notes={"train": 0.75})

    assert combination_from_json(combination.to_json(), where="c.json") == combination


def test_the_features_of_a_document_are_its_scores_in_the_lists() -> None:
    runs = {
        "a": Run(scores={"q1": {"x": 4.0, "y": 2.0}}),
        "b": Run(scores={"q1": {"y": 9.0}, "q2": {"z": 1.0}}),
    }
    qrels = Qrels(grades={"q1": {"y": 2, "unfound": 1}, "q2": {"z": 0}})

    dataset = combination_dataset(runs, qrels, "max")

    assert dataset.query_ids == ("q1",)
    assert dataset.feature_names == ("a", "b")
    assert dataset.features.tolist() == [[1.0, 0.0], [0.5, 1.0]]
    assert dataset.labels.tolist() == [0, 2]


def test_a_weight_of_no_list_is_refused() -> None:
    with pytest.raises(InputError, match="'c', but no such list"):
        Combination(weights={"c": 1.0}).fuse({"a": Run(scores={})})


@pytest.mark.shared
@pytest.mark.parametrize("method", ["rrf", "comb_sum", "comb_mnz"])
def test_a_run_combined_with_itself_has_the_values_that_trec_eval_prints(
    method: CombinationMethod, shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "rank" / "trec_eval"
    run = read_run(folder / "results.test")
    printed = {
        words[0]: words[2]
        for words in map(str.split, (folder / "out.test.a").read_text().splitlines())
    }

    fused = Combination(method=method).fuse({"one": run, "two": run}, top=1000)

    lines = [
        f"{query} Q0 {document} 0 {score!r} x"
        for query, scores in fused.scores.items()
        for document, score in scores.items()
    ]
    (tmp_path / "fused.run").write_text("\n".join(lines) + "\n")
    judged = JudgmentFiles(qrels=folder / "qrels.test")
    measures = {"map": parse_measure("ap"), "ndcg_cut_10": parse_measure("ndcg@10")}
    values = evaluate_files(tmp_path / "fused.run", judged, list(measures.values()))
    assert {name: f"{values.mean(m):.4f}" for name, m in measures.items()} == {
        name: printed[name] for name in measures
    }

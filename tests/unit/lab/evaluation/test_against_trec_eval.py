"""NIST's own test run, judgments and expected output: our values must be theirs."""

from functools import cache
from pathlib import Path

import pytest

from forebear_lab.evaluation.evaluate import TREC_EVAL, Evaluation, evaluate_files
from forebear_lab.evaluation.files import JudgmentFiles
from forebear_lab.evaluation.large_measures import evaluate_large
from forebear_lab.evaluation.measures.measure import Measure, parse_measure

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
NAMES = {"ndcg_cut": "ndcg", "P": "precision", "recall": "recall", "map_cut": "ap"}
EXPECTED = {
    "ndcg": parse_measure("ndcg"),
    "map": parse_measure("ap"),
    "recip_rank": parse_measure("mrr"),
    **{f"success_{k}": parse_measure(f"success@{k}") for k in (1, 5, 10)},
    **{
        f"{theirs}_{k}": parse_measure(f"{ours}@{k}")
        for theirs, ours in NAMES.items()
        for k in CUTOFFS
    },
}

pytestmark = pytest.mark.shared


@cache
def evaluate_by(way: str, folder: Path) -> Evaluation:
    run, judged = folder / "results.test", JudgmentFiles(qrels=folder / "qrels.test")
    measures = list(EXPECTED.values())
    if way == "by line":
        return evaluate_files(run, judged, measures)
    scores = evaluate_large(
        run, judged, measures, TREC_EVAL, need_types=False, announce=lambda _: None
    )
    assert scores is not None
    return scores


@pytest.fixture
def folder(shared_data: Path) -> Path:
    return shared_data / "rank" / "trec_eval"


@pytest.fixture(params=["by line", "by columns"])
def evaluation(request: pytest.FixtureRequest, folder: Path) -> Evaluation:
    return evaluate_by(request.param, folder)


def expected_values(folder: Path) -> dict[tuple[str, str], str]:
    lines = (folder / "out.test.aq").read_text().splitlines()
    return {(name, query): value for name, query, value in map(str.split, lines)}


@pytest.mark.parametrize(("name", "measure"), EXPECTED.items())
def test_every_query_and_the_mean_agree_to_the_last_printed_digit(
    evaluation: Evaluation, folder: Path, name: str, measure: Measure
) -> None:
    ours = {**evaluation.per_query(measure), "all": evaluation.mean(measure)}
    printed = expected_values(folder)

    assert {q: f"{value:.4f}" for q, value in ours.items()} == {q: printed[name, q] for q in ours}

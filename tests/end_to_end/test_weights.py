"""Weights estimated from the demo's own records, from the command line to the search."""

import json
import sys
from pathlib import Path

import pytest

from forebear.archive import create_archive, open_archive
from forebear.cli.app import run as run_program
from forebear.search.model import hand_set_model, model_from_json
from forebear.search.query.person_query import parse_query
from forebear.search.search_result import SearchOptions
from forebear.trec import Run, read_qrels
from forebear_lab.evaluation.evaluate import evaluate
from forebear_lab.evaluation.measures.measure import parse_measure

PERSONAS = 48


@pytest.fixture(scope="module")
def archive(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "archive.forebear"
    create_archive(path).close()
    with open_archive(path) as opened:
        for name in ("baptisms", "marriages", "burials", "census"):
            folder = repository / "demo" / "records" / name
            opened.import_file(Path(f"{folder}.csv"), mapping=f"{folder}.toml")
    return path


def estimate(archive: Path, capsys: pytest.CaptureFixture[str], *words: object) -> dict:
    line = ["weights", "estimate", "--archive", archive, "--personas", PERSONAS, *words, "--json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["forebear", *map(str, line)])
        with pytest.raises(SystemExit) as ended:
            run_program()
    assert not ended.value.code
    answer: dict = json.loads(capsys.readouterr().out)
    return answer


def ndcg(archive: Path, version: str, demo: Path) -> float:
    lines = (demo / "queries_held_out.jsonl").read_text("utf-8").splitlines()
    scores = {}
    with open_archive(archive) as opened:
        for query in map(parse_query, lines):
            result = opened.search(query, options=SearchOptions(model=version), log=False)
            scores[query.id] = {hit.record: hit.score for hit in result}
    measure = parse_measure("ndcg@100")
    qrels = read_qrels(demo / "attachments_held_out.qrels")
    return evaluate(Run(scores=scores), qrels, [measure]).mean(measure)


def test_estimated_weights_have_reasons_and_rank_as_well_as_those_set_by_hand(
    archive: Path, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = estimate(archive, capsys)

    exact = next(
        row
        for row in answer["clauses"]
        if (row["record_type"], row["clause"]) == ("census", "self.given.exact")
    )
    assert exact["m"] > exact["u"] > 0
    assert "of likely matches" in exact["reason"]
    assert all(abs(row["bits"]) <= 16 and row["reason"] for row in answer["clauses"])
    by_hand = ndcg(archive, "default", repository / "demo")
    assert ndcg(archive, answer["version"], repository / "demo") > by_hand - 0.02


def test_the_same_seed_estimates_the_same_model(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.json", "b.json"):
        estimate(archive, capsys, "--seed", 3, "--out", tmp_path / name)

    model = model_from_json((tmp_path / "a.json").read_text("utf-8"))
    assert model == model_from_json((tmp_path / "b.json").read_text("utf-8"))
    assert model.seed == 3
    assert model.weights != hand_set_model().weights


def test_estimated_weights_are_used_when_promoted(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_archive(archive) as opened:
        assert opened.current_model() == "default"

    version = estimate(archive, capsys, "--promote")["version"]

    with open_archive(archive) as opened:
        assert opened.current_model() == version
        assert opened.roll_back() == "default"

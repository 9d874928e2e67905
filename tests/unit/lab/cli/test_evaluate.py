"""Tests for `forebear evaluate`."""

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forebear.cli.app import app
from forebear.errors import InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "a.run": "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 b 1 2 t\nq2 Q0 a 2 1 t\n",
        "qrels.txt": "q1 0 a 1\nq2 0 a 1\nq3 0 a 0\n",
        "types.txt": "a census\nb will\n",
        "subtopics.txt": "q1 1 a 1\nq1 2 b 1\n",
        "by_type/census.trec": "q1 Q0 a 1 2 t\nq2 Q0 a 2 1 t\n",
        "by_type/will.trec": "q1 Q0 b 2 1 t\nq2 Q0 b 1 2 t\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def evaluate(folder: Path, *words: str, qrels: str = "qrels.txt") -> Result:
    line = ["evaluate", str(folder / "a.run"), str(folder / qrels), *words]
    return CliRunner().invoke(app, line, catch_exceptions=True)


def test_the_mean_of_each_measure_is_a_column(folder: Path) -> None:
    found = evaluate(folder, "-m", "mrr", "-m", "P@1")

    assert found.exit_code == 0
    assert found.stdout.splitlines() == ["query     mrr  precision@1", "all    0.5000       0.3333"]


def test_without_measures_it_is_ndcg_at_100(folder: Path) -> None:
    assert list(json.loads(evaluate(folder, "--json").stdout)["mean"]) == ["ndcg@100"]


def test_json_holds_means_queries_and_conventions(folder: Path) -> None:
    found = evaluate(folder, "-m", "RR", "--per-query", "--json", "--without-relevant", "skip")

    assert json.loads(found.stdout) == {
        "mean": {"mrr": 0.75},
        "query_counts": {"mrr": 2},
        "conventions": {"ties": "docno", "without_relevant": "skip"},
        "queries": {"mrr": {"q1": 1.0, "q2": 0.5}},
    }


def test_csv_leaves_the_cell_of_a_skipped_query_empty(folder: Path) -> None:
    words = ("-m", "mrr", "-m", "nce", "--types", str(folder / "types.txt"), "--per-query")

    found = evaluate(folder, *words, "--without-relevant", "skip", "--format", "csv")

    assert list(csv.reader(io.StringIO(found.stdout))) == [
        ["query", "mrr", "nce"],
        ["q1", "1.0", "1.0"],
        ["q2", "0.5", "1.0"],
        ["q3", "", "0.0"],
        ["all", "0.75", str(2 / 3)],
    ]


def test_types_may_come_from_runs_one_a_type(folder: Path) -> None:
    words = ("-m", "nce@10(ideal=supply)", "--type-runs", str(folder / "by_type"), "--json")

    assert json.loads(evaluate(folder, *words).stdout)["mean"] == {
        "nce@10(ideal=supply)": pytest.approx(2 / 3)
    }


def test_judgments_may_be_by_subtopic(folder: Path) -> None:
    found = evaluate(folder, "-m", "StRecall@1", "--json", qrels="subtopics.txt")

    assert json.loads(found.stdout)["mean"] == {"srecall@1": 0.5}


def test_equal_scores_are_ordered_as_told(folder: Path) -> None:
    (folder / "a.run").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n")
    (folder / "qrels.txt").write_text("q1 0 a 1\n")

    values = {
        ties: json.loads(evaluate(folder, "-m", "mrr", "--ties", ties, "--json").stdout)["mean"]
        for ties in ("docno", "average", "given", "pessimistic")
    }

    assert {ties: value["mrr"] for ties, value in values.items()} == {
        "docno": 0.5,
        "average": 0.75,
        "given": 1.0,
        "pessimistic": 0.5,
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-m", "ndgc"), "no measure is called 'ndgc'"),
        (("-m", "nce"), "needs the type of every document"),
        (("-m", "nce", "--types", "nowhere"), "nowhere cannot be read"),
    ],
)
def test_what_is_wrong_is_an_input_error_without_an_answer(
    folder: Path, words: tuple[str, ...], message: str
) -> None:
    found = evaluate(folder, *words)

    assert isinstance(found.exception, InputError)
    assert message in found.exception.message
    assert found.stdout == ""

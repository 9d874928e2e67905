"""Tests for `forebear evaluate` and `forebear compare`."""

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
    result = evaluate(folder, "-m", "mrr", "-m", "P@1")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "query     mrr  precision@1",
        "all    0.5000       0.3333",
    ]


def test_without_measures_it_is_ndcg_at_100(folder: Path) -> None:
    assert list(json.loads(evaluate(folder, "--json").stdout)["mean"]) == ["ndcg@100"]


def test_json_holds_means_queries_and_conventions(folder: Path) -> None:
    result = evaluate(folder, "-m", "RR", "--per-query", "--json", "--without-relevant", "skip")

    assert json.loads(result.stdout) == {
        "mean": {"mrr": 0.75},
        "query_counts": {"mrr": 2},
        "conventions": {"ties": "docno", "without_relevant": "skip"},
        "queries": {"mrr": {"q1": 1.0, "q2": 0.5}},
    }


def test_csv_leaves_the_cell_of_a_skipped_query_empty(folder: Path) -> None:
    words = ("-m", "mrr", "-m", "nce", "--types", str(folder / "types.txt"), "--per-query")

    result = evaluate(folder, *words, "--without-relevant", "skip", "--format", "csv")

    assert list(csv.reader(io.StringIO(result.stdout))) == [
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
    result = evaluate(folder, "-m", "StRecall@1", "--json", qrels="subtopics.txt")

    assert json.loads(result.stdout)["mean"] == {"srecall@1": 0.5}


def test_equal_scores_are_ordered_as_requested(folder: Path) -> None:
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
def test_a_mistake_is_an_input_error_without_output(
    folder: Path, words: tuple[str, ...], message: str
) -> None:
    result = evaluate(folder, *words)

    assert isinstance(result.exception, InputError)
    assert message in result.exception.message
    assert result.stdout == ""


QUERIES = [f"q{number}" for number in range(12)]


@pytest.fixture
def runs_folder(tmp_path: Path) -> Path:
    (tmp_path / "other").mkdir()
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 a 1\n" for query in QUERIES))
    (tmp_path / "groups.txt").write_text("".join(f"{q} g{q[-1]}\n" for q in QUERIES))
    for path, first in (("good.run", "ab"), ("bad.run", "ba"), ("other/good.run", "ab")):
        lines = [
            f"{query} Q0 {name} {rank} {9 - rank} t\n"
            for query in QUERIES
            for rank, name in enumerate(first, start=1)
        ]
        (tmp_path / path).write_text("".join(lines))
    return tmp_path


def compare(
    runs_folder: Path, *words: str, runs: tuple[str, ...] = ("bad.run", "good.run")
) -> Result:
    paths = [str(runs_folder / run) for run in runs]
    line = [
        "compare",
        *paths,
        "--qrels",
        str(runs_folder / "qrels.txt"),
        "--resamples",
        "5000",
        *words,
    ]
    return CliRunner().invoke(app, line, catch_exceptions=True)


def test_the_difference_its_interval_and_its_p_value_are_shown(runs_folder: Path) -> None:
    result = json.loads(compare(runs_folder, "-m", "mrr", "--json").stdout)

    assert result["comparisons"] == [
        {
            "measure": "mrr",
            "before": "bad.run",
            "after": "good.run",
            "mean_before": 0.5,
            "mean_after": 1.0,
            "difference": 0.5,
            "low": 0.5,
            "high": 0.5,
            "confidence": 0.95,
            "p_value": 2 / 2**12,
            "holm_p_value": 2 / 2**12,
            "decided": True,
            "queries": 12,
            "groups": None,
        }
    ]


def test_groups_of_queries_count_as_one(runs_folder: Path) -> None:
    words = ("-m", "mrr", "--groups", str(runs_folder / "groups.txt"), "--json")

    (result,) = json.loads(compare(runs_folder, *words).stdout)["comparisons"]

    assert (result["queries"], result["groups"], result["p_value"]) == (12, 10, 2 / 2**10)


def test_the_table_has_a_row_for_each_run_and_measure(runs_folder: Path) -> None:
    runs = ("bad.run", "good.run", "other/good.run")

    result = compare(runs_folder, "-m", "mrr", "-m", "P@1", "--format", "csv", runs=runs)

    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [(row["measure"], row["after"].split("/")[-2]) for row in rows] == [
        ("mrr", runs_folder.name),
        ("mrr", "other"),
        ("precision@1", runs_folder.name),
        ("precision@1", "other"),
    ]
    assert {row["holm_p_value"] for row in rows} == {str(4 * 2 / 2**12)}


def test_all_pairs_are_compared_if_requested(runs_folder: Path) -> None:
    runs = ("bad.run", "good.run", "other/good.run")

    result = compare(runs_folder, "-m", "mrr", "--pairs", "all", runs=runs)

    assert len(result.stdout.splitlines()) == 4
    assert [line.split()[-1] for line in result.stdout.splitlines()[1:]] == ["yes", "yes", "no"]


@pytest.mark.parametrize(
    ("runs", "words", "message"),
    [
        (("good.run",), (), "1 runs cannot be compared"),
        (("good.run", "good.run"), (), "is given twice"),
        (("good.run", "bad.run"), ("--confidence", "2"), "give no interval"),
        (("good.run", "none.run"), (), "none.run cannot be read"),
    ],
)
def test_what_cannot_be_compared_is_an_input_error(
    runs_folder: Path, runs: tuple[str, ...], words: tuple[str, ...], message: str
) -> None:
    result = compare(runs_folder, *words, runs=runs)

    assert isinstance(result.exception, InputError)
    assert message in result.exception.message

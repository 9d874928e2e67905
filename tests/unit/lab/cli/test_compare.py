"""Tests for `forebear compare`."""

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forebear.cli.app import app
from forebear.errors import InputError

QUERIES = [f"q{number}" for number in range(12)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
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


def compare(folder: Path, *words: str, runs: tuple[str, ...] = ("bad.run", "good.run")) -> Result:
    paths = [str(folder / run) for run in runs]
    line = ["compare", *paths, "--qrels", str(folder / "qrels.txt"), "--resamples", "5000", *words]
    return CliRunner().invoke(app, line, catch_exceptions=True)


def test_the_difference_its_interval_and_its_chance_are_told(folder: Path) -> None:
    found = json.loads(compare(folder, "-m", "mrr", "--json").stdout)

    assert found["comparisons"] == [
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


def test_groups_of_queries_count_as_one(folder: Path) -> None:
    words = ("-m", "mrr", "--groups", str(folder / "groups.txt"), "--json")

    (found,) = json.loads(compare(folder, *words).stdout)["comparisons"]

    assert (found["queries"], found["groups"], found["p_value"]) == (12, 10, 2 / 2**10)


def test_the_table_has_a_row_for_each_run_and_measure(folder: Path) -> None:
    runs = ("bad.run", "good.run", "other/good.run")

    found = compare(folder, "-m", "mrr", "-m", "P@1", "--format", "csv", runs=runs)

    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert [(row["measure"], row["after"].split("/")[-2]) for row in rows] == [
        ("mrr", folder.name),
        ("mrr", "other"),
        ("precision@1", folder.name),
        ("precision@1", "other"),
    ]
    assert {row["holm_p_value"] for row in rows} == {str(4 * 2 / 2**12)}


def test_all_pairs_are_compared_if_told(folder: Path) -> None:
    runs = ("bad.run", "good.run", "other/good.run")

    found = compare(folder, "-m", "mrr", "--pairs", "all", runs=runs)

    assert len(found.stdout.splitlines()) == 4
    assert [line.split()[-1] for line in found.stdout.splitlines()[1:]] == ["yes", "yes", "no"]


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
    folder: Path, runs: tuple[str, ...], words: tuple[str, ...], message: str
) -> None:
    found = compare(folder, *words, runs=runs)

    assert isinstance(found.exception, InputError)
    assert message in found.exception.message

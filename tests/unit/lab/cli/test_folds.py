"""Tests for `forebear learn folds`."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from forebear.cli.app import app
from forebear.errors import InputError
from forebear.trec import read_qrels, read_run
from forebear_lab.learning.apply import read_model


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    write_vectors(tmp_path / "data.txt", range(24))
    return tmp_path


def write_vectors(path: Path, queries: range) -> None:
    random = np.random.default_rng(queries.start)
    lines = []
    for query in queries:
        right = int(random.integers(5))
        for number in range(5):
            hint = int(random.random() < (0.9 if number == right else 0.2))
            features = f"1:{hint} 2:{int(random.integers(2))}"
            lines.append(f"{int(number == right)} qid:{query} {features} # d{number}")
    path.write_text("\n".join(lines) + "\n")


def write_runs(folder: Path) -> None:
    random = np.random.default_rng(3)
    lines: dict[str, list[str]] = {"a.run": [], "b.run": [], "shared.run": [], "qrels.txt": []}
    for query in range(20):
        for name, scale in (("a", 1.0), ("b", 9.0)):
            for number in range(4):
                right = name == "a" and number == 0
                score = scale * (1 + 3 * right + random.random())
                document = f"{name}{number}"
                lines[f"{name}.run"].append(f"q{query} Q0 {document} 1 {score} x")
                lines["shared.run"].append(f"q{query} Q0 {document} 1 {random.random()} x")
                lines["qrels.txt"].append(f"q{query} 0 {document} {int(right)}")
    for file, text in lines.items():
        (folder / file).write_text("\n".join(text) + "\n")


def folds(folder: Path, *words: object) -> Result:
    line = [str(folder / word) if "." in str(word) else str(word) for word in words]
    return CliRunner().invoke(
        app, ["learn", "folds", *line, "--out", str(folder / "out")], catch_exceptions=True
    )


def test_each_query_of_a_file_is_ranked_by_a_model_that_has_not_seen_it(vectors: Path) -> None:
    result = folds(vectors, "data.txt", "--folds", 3, "--json")

    value = json.loads(result.stdout)
    assert [(fold["learned"], fold["tested"]) for fold in value["folds"]] == [(16, 8)] * 3
    assert value["test"] > 0.7
    run, qrels = read_run(vectors / "out" / "test.run"), read_qrels(vectors / "out" / "qrels.txt")
    assert run.scores.keys() == qrels.grades.keys() == {str(query) for query in range(24)}
    assert set(run.ranked("5")) == {f"d{number}" for number in range(5)}
    assert read_model(vectors / "out" / "Fold3.json").notes["test"] == value["folds"][2]["test"]


def test_the_folds_of_a_folder_are_used_as_they_are(vectors: Path) -> None:
    for number in (1, 2):
        fold = vectors / "letor" / f"Fold{number}"
        fold.mkdir(parents=True)
        write_vectors(fold / "train.txt", range(100, 120))
        write_vectors(fold / "vali.txt", range(200, 205))
        write_vectors(fold / "test.txt", range(number * 10, number * 10 + 6))

    result = folds(vectors, vectors / "letor")

    assert [line.split()[:3] for line in result.stdout.splitlines()[1:3]] == [
        ["Fold1", "20", "6"],
        ["Fold2", "20", "6"],
    ]
    assert len(read_run(vectors / "out" / "test.run").scores) == 12


def test_a_folder_without_folds_or_files_and_a_query_tested_twice_are_refused(
    vectors: Path,
) -> None:
    assert "has no folds" in str(folds(vectors, vectors).exception)
    for number in (1, 2):
        (vectors / f"Fold{number}").mkdir()
        write_vectors(vectors / f"Fold{number}" / "train.txt", range(5))
    assert "has no test.txt" in str(folds(vectors, vectors).exception)
    for number in (1, 2):
        write_vectors(vectors / f"Fold{number}" / "test.txt", range(5, 8))
    assert "query '5' is tested in Fold1 and in Fold2" in str(folds(vectors, vectors).exception)


@pytest.mark.parametrize(
    ("words", "learned"),
    [
        (("a.run", "b.run"), {"a", "b"}),
        (("a.run", "shared.run", "--method", "combination"), {"a", "shared"}),
    ],
)
def test_lists_are_fused_by_folds(vectors: Path, words: tuple[str, ...], learned: set[str]) -> None:
    write_runs(vectors)

    result = folds(vectors, *words, "--qrels", "qrels.txt", "--folds", 2)

    model = read_model(vectors / "out" / "Fold1.json")
    names = getattr(model, "lists", None) or getattr(model, "weights", {})
    assert result.exit_code == 0
    assert set(names) == learned
    assert read_run(vectors / "out" / "test.run").ranked("q3")[0] == "a0"
    assert not (vectors / "out" / "qrels.txt").exists()


def test_arrays_of_lists_have_folds_too(vectors: Path) -> None:
    random = np.random.default_rng(1)
    scores = -np.sort(-np.exp(random.normal(size=(60, 5))), axis=1)
    labels = random.random((60, 5)) < 0.3
    path = vectors / "lists.npz"
    np.savez(path, s=scores.ravel(), y=labels.ravel(), ptr=np.arange(0, 301, 5), lists=2)

    result = folds(vectors, "lists.npz", "--folds", 3, "--json")

    assert [fold["tested"] for fold in json.loads(result.stdout)["folds"]] == [10, 10, 10]
    assert len(read_run(vectors / "out" / "test.run").scores) == 30
    assert "expected the arrays X" in str(folds(vectors, write_empty(vectors)).exception)


def write_empty(folder: Path) -> str:
    np.savez(folder / "empty.npz", z=[1])
    return "empty.npz"


def test_groups_stay_in_one_fold(vectors: Path) -> None:
    (vectors / "groups.txt").write_text("".join(f"{n} family{n % 2}\n" for n in range(24)))

    result = folds(vectors, "data.txt", "--folds", 2, "--groups", "groups.txt", "--json")

    assert [fold["tested"] for fold in json.loads(result.stdout)["folds"]] == [12, 12]
    assert isinstance(
        folds(vectors, "data.txt", "--folds", 3, "--groups", "groups.txt").exception, InputError
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("data.txt", "--method", "ss"), "does not learn from vectors"),
        (("data.txt", "other.txt"), "2 files and no judgments"),
        (("a.run", "--qrels", "qrels.txt", "--method", "ranklib"), "does not learn from lists"),
    ],
)
def test_what_does_not_fit_is_refused(vectors: Path, words: tuple[str, ...], message: str) -> None:
    result = folds(vectors, *words)

    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


@pytest.mark.shared
def test_the_data_of_lightgbm_is_learned_by_folds(tmp_path: Path, shared_data: Path) -> None:
    data = shared_data / "rank" / "lightgbm_lambdarank" / "rank.train"

    result = folds(tmp_path, data, "--folds", 2, "--cutoff", 10, "--json")

    value = json.loads(result.stdout)
    model = read_model(tmp_path / "out" / "Fold1.json")
    assert sum(fold["tested"] for fold in value["folds"]) == 201
    assert value["test"] > 0.75  # random orders have about .6
    # Sparse real features: a weight must not grow until others are lost in rounding.
    assert max(map(abs, model.weights.values())) < 1000

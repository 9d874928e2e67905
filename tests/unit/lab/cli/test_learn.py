"""Tests for `forebear learn`."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from forebear.cli.app import app
from forebear.errors import InputError, ModelError
from forebear_lab.evaluation.letor import read_ranklib_model
from forebear_lab.learning.combining import combination_from_json
from forebear_lab.learning.models import fusion_model_from_json, linear_model_from_json

HIDDEN = np.array([2.0, 1.0, -1.5, 0.0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make judged vectors and judged lists that have something to teach."""
    for seed, name in enumerate(("train", "test")):
        write_vectors(tmp_path / name, seed)
    write_lists(tmp_path)
    return tmp_path


def write_vectors(path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    features = random.random((300, 4)) < 0.5
    strength = (features @ HIDDEN + random.gumbel(size=300)).reshape(30, 10)
    labels = (strength == strength.max(axis=1, keepdims=True)).astype(int).ravel()
    queries = np.repeat(np.arange(30), 10)
    np.savez(path.with_suffix(".npz"), X=features.astype(np.uint8), y=labels, q=queries)
    lines = [
        f"{label} qid:{query} " + " ".join(f"{n + 1}:{int(v)}" for n, v in enumerate(row))
        for label, query, row in zip(labels, queries, features, strict=True)
    ]
    path.with_suffix(".letor").write_text("\n".join(lines) + "\n")


def write_lists(folder: Path) -> None:
    random = np.random.default_rng(5)
    runs: dict[str, list[str]] = {"census": [], "burial": []}
    qrels, facts = [], []
    for query in range(40):
        facts.append(f"q{query} {'death' if query % 2 else ''}")
        for name, scale in (("census", 1.0), ("burial", 8.0)):
            labels = random.random(8) < 0.15
            labels[0] |= name == "census"  # every query has something to find
            scores = scale * np.exp2(2 * labels + random.normal(size=8))
            for number, (label, score) in enumerate(zip(labels, scores, strict=True)):
                document = f"{name}:{query}:{number}"
                runs[name].append(f"q{query} Q0 {document} 1 {score} x")
                qrels.append(f"q{query} 0 {document} {int(label)}")
    for name, lines in runs.items():
        (folder / f"{name}.trec").write_text("\n".join(lines) + "\n")
    (folder / "qrels.txt").write_text("\n".join(qrels) + "\n")
    (folder / "facts.txt").write_text("\n".join(facts) + "\n")


def learn(*words: object) -> Result:
    return CliRunner().invoke(app, ["learn", *map(str, words)], catch_exceptions=True)


def lists(folder: Path) -> list[object]:
    runs = [folder / "census.trec", folder / "burial.trec"]
    return ["fusion", *runs, "--qrels", folder / "qrels.txt", "--out", folder / "f.json"]


def test_weights_are_learned_tested_and_written(folder: Path) -> None:
    out = folder / "m.json"

    result = learn("weights", folder / "train.npz", "--test", folder / "test.npz", "--out", out)

    notes = dict(line.split("\t") for line in result.stdout.splitlines())
    model = linear_model_from_json(out.read_text(), where="m.json")
    assert result.exit_code == 0
    assert list(notes) == ["train", "test", "evaluations", "seconds", "grid_cost"]
    assert float(notes["test"]) == pytest.approx(model.notes["test"], abs=1e-5)
    assert model.weights["3"] < 0 < model.weights["1"]


@pytest.mark.parametrize("method", ["exact", "ranklib"])
@pytest.mark.parametrize(
    "start", ["uniform", "random", "customized", "log_odds", "ridge", "softmax"]
)
def test_every_method_learns_from_every_start(folder: Path, method: str, start: str) -> None:
    words = ("--method", method, "--start", start, "--test", folder / "test.npz", "--json")

    result = learn("weights", folder / "train.npz", *words, "--out", folder / "m.json")

    notes = json.loads(result.stdout)
    assert notes["method"] == method
    assert notes["start"] == start
    assert notes["test"] > 0.5


def test_letor_text_teaches_the_same_as_arrays(folder: Path) -> None:
    answers = [
        json.loads(learn("weights", path, "--json", "--out", folder / "m.json").stdout)["train"]
        for path in (folder / "train.npz", folder / "train.letor")
    ]

    assert answers[0] == answers[1]


def test_a_ranklib_model_is_written_too(folder: Path) -> None:
    out, other = folder / "m.json", folder / "m.ranklib"

    learn("weights", folder / "train.letor", "--out", out, "--ranklib", other)

    weights = linear_model_from_json(out.read_text(), where="m.json").weights
    assert dict(read_ranklib_model(other).weights) == {int(n): w for n, w in weights.items()}


def test_several_seeds_a_share_held_out_and_validation(folder: Path) -> None:
    words = ("--restarts", 2, "--seed", 7, "--hold-out", 0.3, "--validation", folder / "test.npz")

    result = learn("weights", folder / "train.npz", *words, "--json", "--out", folder / "m.json")

    notes = json.loads(result.stdout)
    assert notes["seeds"] == [7, 8]
    assert notes["test"] is not None
    assert any(step["validation"] is not None for step in notes["history"])


def test_real_features_refuse_the_customized_start(folder: Path) -> None:
    path = folder / "real.letor"
    path.write_text("1 qid:1 1:0.5\n0 qid:1 1:0.25\n")

    result = learn("weights", path, "--start", "customized", "--out", folder / "m.json")

    assert isinstance(result.exception, InputError)
    assert "these are real numbers" in str(result.exception)
    assert not (folder / "m.json").exists()


@pytest.mark.parametrize("text", ["", "0 qid:1 1:1\n0 qid:1 1:0\n"])
def test_a_file_in_which_nothing_is_relevant_teaches_nothing(folder: Path, text: str) -> None:
    path = folder / "none.letor"
    path.write_text(text)

    result = learn("weights", path, "--out", folder / "m.json")

    assert isinstance(result.exception, InputError)
    assert "nothing to learn from" in str(result.exception)


def test_a_test_file_and_a_share_are_too_much(folder: Path) -> None:
    words = ("--test", folder / "test.npz", "--hold-out", 0.3, "--out", folder / "m.json")

    assert isinstance(learn("weights", folder / "train.npz", *words).exception, InputError)


@pytest.mark.parametrize("method", ["ss", "exact", "annealing", "calibrated"])
def test_fusion_is_learned_from_runs_and_tested_on_a_share(folder: Path, method: str) -> None:
    result = learn(*lists(folder), "--method", method, "--hold-out", 0.4, "--json")

    notes = json.loads(result.stdout)
    model = fusion_model_from_json((folder / "f.json").read_text(), where="f.json")
    assert set(model.lists) == {"census", "burial"}
    assert notes["train"] > 0.6
    assert notes["test"] > 0.5
    assert notes["evaluations"] >= 1
    assert notes["seconds"] > 0


def test_groups_are_held_out_as_a_whole(folder: Path) -> None:
    groups = folder / "groups.txt"
    groups.write_text("".join(f"q{n} family{n % 4}\n" for n in range(40)))

    result = learn(*lists(folder), "--hold-out", 0.25, "--groups", groups)

    assert result.exit_code == 0
    assert "learning from 30 queries" in result.stderr


def test_arrays_have_their_test_queries_in_them(folder: Path) -> None:
    path = folder / "fusion.npz"
    random = np.random.default_rng(1)
    scores = -np.sort(-np.exp(random.normal(size=(60, 5))), axis=1)
    labels = random.random((60, 5)) < 0.3
    np.savez(path, s=scores.ravel(), y=labels.ravel(), ptr=np.arange(0, 301, 5), lists=2)

    result = learn("fusion", path, "--out", folder / "f.json", "--json")
    too_much = learn("fusion", path, "--qrels", folder / "qrels.txt", "--out", folder / "g.json")

    assert json.loads(result.stdout)["test"] > 0
    assert isinstance(too_much.exception, InputError)


def test_facts_teach_conditions(folder: Path) -> None:
    learn(*lists(folder), "--facts", folder / "facts.txt")

    model = fusion_model_from_json((folder / "f.json").read_text(), where="f.json")
    assert set(model.lists["census"].conditions) == {"death"}


def test_a_pipeline_for_opensearch_is_written_where_it_can_be(folder: Path) -> None:
    pipeline = folder / "pipeline.json"
    words = ("--opensearch", pipeline, "--no-slopes")

    good = learn(*lists(folder), *words, "--normalize", "min_max")
    weights = json.loads(pipeline.read_text())
    (folder / "f.json").unlink()
    bad = learn(*lists(folder), *words)

    assert good.exit_code == 0
    assert "normalization-processor" in weights["phase_results_processors"][0]
    assert isinstance(bad.exception, ModelError)
    assert not (folder / "f.json").exists()


def test_runs_without_judgments_teach_nothing(folder: Path) -> None:
    result = learn("fusion", folder / "census.trec", "--out", folder / "f.json")

    assert isinstance(result.exception, InputError)
    assert "without judgments" in str(result.exception)


def test_weights_of_lists_that_share_documents_are_learned(folder: Path) -> None:
    lines = (folder / "census.trec").read_text().splitlines()
    noise = [line.replace(line.split()[4], str(n % 7)) for n, line in enumerate(lines)]
    (folder / "noise.trec").write_text("\n".join(noise) + "\n")
    words = ("--qrels", folder / "qrels.txt", "--out", folder / "c.json")

    result = learn("combination", folder / "census.trec", folder / "noise.trec", *words, "--json")
    refused = learn("fusion", folder / "census.trec", folder / "noise.trec", *words)

    model = combination_from_json((folder / "c.json").read_text(), where="c.json")
    assert json.loads(result.stdout)["train"] > 0.6
    assert model.weights["census"] > abs(model.weights["noise"])
    assert "learn combination" in str(refused.exception)

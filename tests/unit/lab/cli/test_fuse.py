"""Tests for `forebear fuse`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forebear.cli.app import app
from forebear.errors import InputError, ModelError
from forebear.trec import read_run

MODEL = {
    "kind": "fusion",
    "scale": "weights",
    "norm": "none",
    "lists": {"census": {"shift": 0.0}, "burial": {"shift": 1.0, "conditions": {"death": 2.0}}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "census.trec").write_text("q1 Q0 c1 1 4 x\nq1 Q0 c2 2 3 x\nq2 Q0 c3 1 1 x\n")
    (tmp_path / "burial.trec").write_text("q1 Q0 b1 1 1.75 x\n")
    (tmp_path / "facts.txt").write_text("q1 death\n")
    (tmp_path / "m.json").write_text(json.dumps(MODEL))
    return tmp_path


def fuse(folder: Path, *words: object) -> Result:
    runs = [folder / "census.trec", folder / "burial.trec"]
    line = ["fuse", *runs, "--model", folder / "m.json", "--run", folder / "out.trec", *words]
    return CliRunner().invoke(app, [str(word) for word in line], catch_exceptions=True)


def test_runs_are_fused_into_one(folder: Path) -> None:
    found = fuse(folder, "--json")

    run = read_run(folder / "out.trec")
    assert found.exit_code == 0
    assert json.loads(found.stdout)["documents"] == 4
    assert run.ranked("q1") == ["c1", "b1", "c2"]
    assert run.scores["q1"]["b1"] == 3.5
    assert run.ranked("q2") == ["c3"]


def test_facts_the_top_and_a_decay_are_heeded(folder: Path) -> None:
    fuse(folder, "--facts", folder / "facts.txt", "--top", 2)
    moved = read_run(folder / "out.trec").ranked("q1")
    fuse(folder, "--decay", 1)
    lowered = read_run(folder / "out.trec").scores["q1"]

    assert moved == ["b1", "c1"]
    assert lowered == pytest.approx({"c1": 4.0, "b1": 3.5, "c2": 1.5})


def test_a_list_that_the_model_does_not_know_is_refused(folder: Path) -> None:
    (folder / "burial.trec").rename(folder / "will.trec")
    line = ["fuse", "will.trec", "--model", "m.json", "--run", "out.trec"]

    found = CliRunner().invoke(app, [str(folder / w) if "." in w else w for w in line])

    assert isinstance(found.exception, ModelError)
    assert not (folder / "out.trec").exists()


def test_two_lists_of_one_name_and_no_model_are_refused(folder: Path) -> None:
    assert isinstance(fuse(folder, folder / "census.trec").exception, InputError)
    (folder / "m.json").unlink()
    assert isinstance(fuse(folder).exception, InputError)


def test_a_model_of_another_kind_is_refused(folder: Path) -> None:
    (folder / "m.json").write_text('{"kind": "weights", "weights": {"1": 0.5}}')

    assert isinstance(fuse(folder).exception, ModelError)

"""Tests for `forebear fuse` and `forebear rank`."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from forebear.cli.app import app
from forebear.errors import InputError, ModelError
from forebear.trec import read_qrels, read_run

MODEL = {
    "kind": "fusion",
    "scale": "weights",
    "norm": "none",
    "lists": {"census": {"shift": 0.0}, "burial": {"shift": 1.0, "conditions": {"death": 2.0}}},
}


@pytest.fixture
def fuse_folder(tmp_path: Path) -> Path:
    (tmp_path / "census.trec").write_text("q1 Q0 c1 1 4 x\nq1 Q0 c2 2 3 x\nq2 Q0 c3 1 1 x\n")
    (tmp_path / "burial.trec").write_text("q1 Q0 b1 1 1.75 x\n")
    (tmp_path / "facts.txt").write_text("q1 death\n")
    (tmp_path / "m.json").write_text(json.dumps(MODEL))
    return tmp_path


def fuse(fuse_folder: Path, *words: object) -> Result:
    runs = [fuse_folder / "census.trec", fuse_folder / "burial.trec"]
    line = [
        "fuse",
        *runs,
        "--model",
        fuse_folder / "m.json",
        "--run",
        fuse_folder / "out.trec",
        *words,
    ]
    return CliRunner().invoke(app, [str(word) for word in line], catch_exceptions=True)


def test_runs_are_fused_into_one(fuse_folder: Path) -> None:
    result = fuse(fuse_folder, "--json")

    run = read_run(fuse_folder / "out.trec")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["documents"] == 4
    assert run.ranked("q1") == ["c1", "b1", "c2"]
    assert run.scores["q1"]["b1"] == 3.5
    assert run.ranked("q2") == ["c3"]


def test_facts_the_top_and_a_decay_are_applied(fuse_folder: Path) -> None:
    fuse(fuse_folder, "--facts", fuse_folder / "facts.txt", "--top", 2)
    moved = read_run(fuse_folder / "out.trec").ranked("q1")
    fuse(fuse_folder, "--decay", 1)
    lowered = read_run(fuse_folder / "out.trec").scores["q1"]

    assert moved == ["b1", "c1"]
    assert lowered == pytest.approx({"c1": 4.0, "b1": 3.5, "c2": 1.5})


def test_a_list_that_the_model_does_not_know_is_refused(fuse_folder: Path) -> None:
    (fuse_folder / "burial.trec").rename(fuse_folder / "will.trec")
    line = ["fuse", "will.trec", "--model", "m.json", "--run", "out.trec"]

    result = CliRunner().invoke(app, [str(fuse_folder / w) if "." in w else w for w in line])

    assert isinstance(result.exception, ModelError)
    assert not (fuse_folder / "out.trec").exists()


def test_two_lists_of_one_name_and_no_model_are_refused(fuse_folder: Path) -> None:
    assert isinstance(fuse(fuse_folder, fuse_folder / "census.trec").exception, InputError)
    (fuse_folder / "m.json").unlink()
    assert isinstance(fuse(fuse_folder).exception, InputError)


def test_a_model_of_another_kind_is_refused(fuse_folder: Path) -> None:
    (fuse_folder / "m.json").write_text('{"kind": "weights", "weights": {"1": 0.5}}')

    assert isinstance(fuse(fuse_folder).exception, ModelError)


def run(folder: Path, *words: object) -> Result:
    """Run a command; words with a dot are files of the folder."""
    line = [str(folder / word) if "." in str(word) else str(word) for word in words]
    return CliRunner().invoke(app, line, catch_exceptions=True)


@pytest.fixture
def shared_lists(tmp_path: Path) -> Path:
    (tmp_path / "first.run").write_text("q Q0 a 1 9 x\nq Q0 b 2 6 x\nq Q0 c 3 3 x\n")
    (tmp_path / "second.run").write_text("q Q0 b 1 0.5 x\nq Q0 d 2 0.25 x\n")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("rrf",), {"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "d": 1 / 62}),
        (("rrf", "--k", 0), {"a": 1, "b": 1 / 2 + 1, "c": 1 / 3, "d": 1 / 2}),
        (("comb_sum",), {"a": 1, "b": 1.5, "c": 0, "d": 0}),
        (("comb_mnz",), {"a": 1, "b": 3, "c": 0, "d": 0}),
        (("comb_sum", "--normalize", "none"), {"a": 9, "b": 6.5, "c": 3, "d": 0.25}),
        (("comb_sum", "--weight", "first=2"), {"a": 2, "b": 2, "c": 0, "d": 0}),
    ],
)
def test_lists_that_share_documents_are_fused_by_a_method(
    shared_lists: Path, options: tuple[object, ...], expected: dict[str, float]
) -> None:
    words = ("first.run", "second.run", "--run", "out.run", "--method", *options)

    result = run(shared_lists, "fuse", *words)

    assert result.exit_code == 0
    assert dict(read_run(shared_lists / "out.run").scores["q"]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "one of them"),
        (("--method", "rrf", "--model", "m.json"), "one of them"),
        (("--model", "m.json", "--weight", "first=1"), "go with --method"),
        (("--method", "rrf", "--normalize", "max"), "nothing to normalize"),
        (("--method", "comb_sum", "--k", 1), "no constant k"),
        (("--method", "rrf", "--weight", "census=1"), "no such list"),
        (("--method", "rrf", "--weight", "first"), "is not LIST=NUMBER"),
        (("--method", "rrf", "--weight", "first=nan"), "is not LIST=NUMBER"),
        (("--method", "rrf", "--decay", 1), "go with --model"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    shared_lists: Path, words: tuple[object, ...], message: str
) -> None:
    (shared_lists / "m.json").write_text(json.dumps(MODEL))

    result = run(shared_lists, "fuse", "first.run", "second.run", "--run", "out.run", *words)

    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert not (shared_lists / "out.run").exists()


def test_a_learned_fusion_refuses_a_document_in_two_lists_and_names_the_remedy(
    shared_lists: Path,
) -> None:
    lists = {"first": {"shift": 0.0}, "second": {"shift": 1.0}}
    (shared_lists / "m.json").write_text(json.dumps({**MODEL, "lists": lists}))

    result = run(shared_lists, "rank", "m.json", "first.run", "second.run", "--run", "out.run")

    assert isinstance(result.exception, InputError)
    assert "'b' of query 'q'" in str(result.exception)
    assert "--method rrf" in str(result.exception)


def test_a_model_ranks_vectors_and_their_labels_become_judgments(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"kind": "weights", "weights": {"1": 1.0, "3": -2.0}}')
    lines = ["1 qid:7 1:1 3:1 9:5 #docid = D1 inc = 1", "0 qid:7 2:4 # D2", "2 qid:8 1:3"]
    (tmp_path / "data.txt").write_text("\n".join(lines) + "\n")

    result = run(tmp_path, "rank", "m.json", "data.txt", "--run", "o.run", "--qrels", "q.txt")

    ranked = read_run(tmp_path / "o.run")
    assert ranked.scores == {"7": {"D2": 0.0, "D1": -1.0}, "8": {"8.1": 3.0}}
    assert read_qrels(tmp_path / "q.txt").grades == {"7": {"D1": 1, "D2": 0}, "8": {"8.1": 2}}
    assert "7 features of the data are not in the model" in result.stderr


def test_a_ranklib_model_ranks_too(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text("## Linear Regression\n0:0.5 2:2.0\n")
    (tmp_path / "data.txt").write_text("0 qid:1 2:1\n1 qid:1 1:8\n")

    run(tmp_path, "rank", "m.txt", "data.txt", "--run", "o.run")

    assert read_run(tmp_path / "o.run").scores["1"] == {"1.1": 2.5, "1.2": 0.5}


def test_arrays_of_lists_are_ranked_by_a_fusion(tmp_path: Path) -> None:
    np.savez(tmp_path / "f.npz", s=[4.0, 3.0, 2.0], y=[0, 1, 1], ptr=[0, 2, 3], lists=2)
    lists = {"list00": {"shift": 0.0}, "list01": {"shift": 1.0}}
    (tmp_path / "m.json").write_text(json.dumps({**MODEL, "lists": lists}))

    run(tmp_path, "rank", "m.json", "f.npz", "--run", "o.run", "--qrels", "q.txt")

    ranked = read_run(tmp_path / "o.run").scores["q0"]
    expected = {"q0.list01.1": 4.0, "q0.list00.1": 4.0, "q0.list00.2": 3.0}
    assert dict(ranked) == pytest.approx(expected)
    assert read_qrels(tmp_path / "q.txt").gain("q0", "q0.list00.2") == 1


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        ('{"kind": "weights", "weights": {"1": 1.0}}', ("a.run",), "a.run, line 1: expected a"),
        ('{"kind": "weights", "weights": {"self.name": 1.0}}', ("v.txt",), "number theirs from 1"),
        ('{"kind": "weights", "weights": {"1": 1.0}}', ("v.txt", "a.run"), "one file of vectors"),
        ('{"kind": "weights"}', ("v.txt",), "not a model of weights"),
        ('{"kind": "combination", "combine": "x", "norm": "max"}', ("a.run",), "combines by 'x'"),
        ("{}", ("v.txt",), "is not a model"),
        ("q Q0 a 1 1 x", ("v.txt",), "is not a model"),
    ],
)
def test_models_and_data_that_do_not_fit_are_refused(
    tmp_path: Path, model: str, data: tuple[str, ...], message: str
) -> None:
    (tmp_path / "m.json").write_text(model)
    (tmp_path / "v.txt").write_text("1 qid:1 1:1\n")
    (tmp_path / "a.run").write_text("q Q0 a 1 1 x\n")

    result = run(tmp_path, "rank", "m.json", *data, "--run", "o.run")

    assert isinstance(result.exception, InputError | ModelError)
    assert message in str(result.exception)


def test_runs_have_no_labels_to_write(shared_lists: Path) -> None:
    model = {"kind": "combination", "combine": "rrf", "norm": "none", "k": 60, "weights": {}}
    (shared_lists / "m.json").write_text(json.dumps(model))

    result = run(shared_lists, "rank", "m.json", "first.run", "--run", "o.run", "--qrels", "q.txt")

    assert isinstance(result.exception, InputError)
    assert not (shared_lists / "o.run").exists()

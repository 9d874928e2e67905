"""Tests for `forebear experiment`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forebear.cli.app import app
from forebear.errors import InputError


def run(*words: object) -> str:
    result = CliRunner().invoke(app, ["experiment", *map(str, words)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_toy_tables_are_shown_and_written(tmp_path: Path) -> None:
    shown = run("toy", "--out", tmp_path)

    assert "0.6033   1.0000  0.7253  0.025" in shown
    assert "300 = 100 * log2(8)" in shown
    assert (tmp_path / "toy.html").is_file()
    assert json.loads((tmp_path / "toy.json").read_text())["experiment"] == "toy"


def test_a_simulated_archive_is_written_and_described(tmp_path: Path) -> None:
    words = ("--personas", 1500, "--seed", 2, "--queries", 5, "--out", tmp_path / "world")

    value = json.loads(run("world", *words, "--json"))

    assert value["simulated"] is True
    assert all(Path(table).is_file() for table in value["tables"])
    assert sum(value["records_by_type"].values()) > 500
    with pytest.raises(InputError, match="not an empty folder"):
        run("world", *words)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name, scale in (("births", 1.0), ("census", 10.0)):
        lines = [
            f"q{query} Q0 {name}{query}.{place} {place} {scale * (9 - place + query % 3)} x"
            for query in range(12)
            for place in range(1, 5)
        ]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    relevant = [f"q{query} 0 births{query}.1 1" for query in range(12)]
    (tmp_path / "qrels.txt").write_text("\n".join(relevant) + "\n")
    return tmp_path


def test_trec_runs_are_fused_by_the_methods_named(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shown = run("fusion", "--data", runs, "--methods", "exact,rrf", "--out", out, "--json")

    value = json.loads(shown)
    by_name = {method["name"]: method for method in value["methods"]}
    assert not value["simulated"]
    assert by_name["exact"]["ndcg"]["mean"] == pytest.approx(1.0)
    assert by_name["baseline"]["ndcg"]["mean"] < 0.5
    assert (out / "fusion.html").is_file()


def test_letor_files_are_learned_from(tmp_path: Path) -> None:
    lines = [
        f"{int(place == 0)} qid:{query} 1:{int(place == 0)} 2:{(query + place) % 2}"
        for query in range(6)
        for place in range(4)
    ]
    files = tmp_path / "train.txt", tmp_path / "test.txt"
    for file in files:
        file.write_text("\n".join(lines) + "\n")

    options = [word for file in files for word in ("--data", file)]
    shown = run(
        "records", *options, "--methods", "ca_uniform,exact_softmax", "--out", tmp_path / "o"
    )

    assert "1.0000 ± 0.0000" in shown


def test_without_out_tables_are_shown_and_nothing_is_written(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "current"
    folder.mkdir()
    monkeypatch.chdir(folder)

    shown = run("toy"), run("fusion", "--data", runs, "--methods", "exact")

    assert "300 = 100 * log2(8)" in shown[0]
    assert "exact" in shown[1]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("words", [[], ["--simulate", "--data", "x"]])
def test_data_is_given_or_simulated_and_not_both(words: list[str]) -> None:
    with pytest.raises(InputError, match=r"which data|both"):
        run("fusion", *words)


def test_one_seed_decides_simulated_lists_folds_and_learners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOREBEAR_SHARED", str(tmp_path / "absent"))
    words = ["fusion", "--simulate", "--queries", 30, "--lists", 8, "--methods", "ss", "--json"]

    values = [json.loads(run(*words, "--seed", seed)) for seed in (2, 2, 3)]

    means = [[method["ndcg"]["mean"] for method in value["methods"]] for value in values]
    assert means[0] == means[1] != means[2]
    assert values[0]["data"] == "simulated: 30 queries, 8 lists, seed 2, model seed 2"
    finer = json.loads(run(*words, "--seed", 2, "--model-seed", 7))
    assert finer["data"] == "simulated: 30 queries, 8 lists, seed 2, model seed 7"


def test_simulated_records_are_learned_from_and_labeled() -> None:
    value = json.loads(
        run(
            *("records", "--simulate", "--shapes", "marriage", "--queries", 20, "--seed", 4),
            *("--data-seed", 9, "--methods", "ca_customized", "--json"),
        )
    )

    assert value["shapes"][0]["simulated"]
    assert value["shapes"][0]["data"] == "simulated: marriage shape, seed 9, model seed 4"


def test_a_method_that_is_not_known_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nonsense"):
        run("fusion", "--simulate", "--methods", "nonsense", "--out", tmp_path / "out")

    assert not (tmp_path / "out").exists()

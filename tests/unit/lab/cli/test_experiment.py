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


def test_a_published_page_names_its_command_without_places(tmp_path: Path) -> None:
    page = tmp_path / "fusion.md"
    words = ("--simulate", "--queries", 12, "--lists", 3, "--methods", "rrf", "--folds", 2)

    run("fusion", *words, "--out", tmp_path / "out", "--publish", page, "--json")

    command = "forebear experiment fusion --simulate --queries 12 --lists 3 --folds 2 --methods rrf"
    text = page.read_text("utf-8")
    assert f"| command | `{command}` |" in text
    assert "# Fusion of record types, a preview of 12 queries" in text
    assert "(fusion.md)" in (tmp_path / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("fusion", "--simulate", "--folds", 1),
        ("fusion", "--simulate", "--lists", 0),
        ("fusion", "--simulate", "--sample", 1),
        ("diversity", "--simulate", "--queries", 0),
        ("records", "--simulate", "--seed", -1),
        ("records", "--simulate", "--queries", -1),
        ("world", "--out", "unwritten", "--seed", -1),
    ],
)
def test_numbers_that_cannot_be_meant_are_refused_at_once(words: tuple[object, ...]) -> None:
    result = CliRunner().invoke(app, ["experiment", *map(str, words)])

    assert result.exit_code == 2
    assert str(words[-2]) in result.output


def test_seeds_of_training_are_not_negative() -> None:
    with pytest.raises(InputError, match="seeds are whole numbers"):
        run("records", "--simulate", "--seeds", "1,-2")


def test_the_name_of_a_published_page_is_checked_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be a published page"):
        run("fusion", "--simulate", "--queries", 10**9, "--publish", tmp_path / "page.html")


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


def test_a_simulated_archive_is_searched_and_its_lists_are_fused(
    world_folder: Path, tmp_path: Path
) -> None:
    words = ["--world", world_folder, "--methods", "exact,rrf", "--out", tmp_path, "--json"]
    value = json.loads(run("fusion", *words))

    assert value["simulated"]
    assert value["queries"] == 24
    assert value["data"].startswith("simulated: archive")
    assert [method["name"] for method in value["methods"]] == ["baseline", "rrf", "exact", "engine"]
    page = (tmp_path / "fusion.html").read_text("utf-8")
    assert "This data is simulated." in page
    assert "of the engine&#x27;s own lists: archive" in page


def test_types_are_learned_before_their_lists_are_fused(searched: Path, tmp_path: Path) -> None:
    words = ("--archive", searched, "--methods", "ss", "--learn-types", "--json")

    value = json.loads(run("fusion", *words, "--out", tmp_path))

    assert "learned from 12 of them" in value["data"]
    assert "the weights that were learned for their type" in (tmp_path / "fusion.html").read_text()
    assert [one["name"] for one in value["methods"]] == ["baseline", "ss", "engine"]


def test_weights_are_learned_from_the_clauses_of_a_log(searched: Path, tmp_path: Path) -> None:
    words = ["--archive", searched, "--types", "census", "--methods", "ca_uniform,ca_customized"]
    shown = run("records", *words, "--out", tmp_path)

    assert "log of log.forebear: 24 searches with attachments, model default" in shown
    assert "CA, customized start" in shown
    assert (tmp_path / "records.html").is_file()


def test_two_divisions_are_compared_for_fusion(world_folder: Path, tmp_path: Path) -> None:
    words = ["--world", world_folder, "--split", "census=year", "--methods", "exact"]
    words += ["--divide", "type", "--divide", "collection", "--out", tmp_path, "--json"]
    value = json.loads(run("fusion", *words))

    assert value["divisions"] == ["type", "collection"]
    assert value["simulated"]
    by_method = {(row["method"], row["measure"]): row for row in value["rows"]}
    assert ("exact weights", "ndcg") in by_method
    assert (tmp_path / "type" / "fusion.html").is_file()
    assert (tmp_path / "collection" / "fusion.html").is_file()
    assert "by collection" in (tmp_path / "divisions.html").read_text("utf-8")


def test_two_divisions_are_compared_for_weights(world_folder: Path) -> None:
    words = ["--world", world_folder, "--split", "census=year", "--types", "census"]
    words += ["--divide", "type", "--divide", "collection", "--methods", "ca_customized"]
    value = json.loads(run("records", *words, "--json"))

    assert [row["list"] for row in value["rows"]] == ["census-1841", "census-1851"]
    assert all(0.5 < row["first"] <= 1 and 0.5 < row["second"] <= 1 for row in value["rows"])


def test_diversity_is_measured_by_method_by_decay_and_by_third(
    searched: Path, tmp_path: Path
) -> None:
    shown = run("diversity", "--archive", searched, "--methods", "exact,rrf", "--out", tmp_path)

    assert "S-recall@20" in shown
    assert "engine: NDCG" in shown
    assert "24 searches with at least two records on page 1. Too few" in shown
    value = json.loads((tmp_path / "diversity.json").read_text("utf-8"))
    measures = value["methods"][0]["measures"]
    assert set(measures) == {
        *("ndcg", "nce", "srecall@20", "alpha_ndcg@20", "ndcg_ia@100", "mrr_ia@100", "map_ia@100")
    }
    by_decay = [one["nce"] for one in value["engine_decays"]]
    assert by_decay == sorted(by_decay)
    assert value["engagement"] | {"caveat": ""} == {"searches": 24, "terciles": [], "caveat": ""}
    page = (tmp_path / "diversity.html").read_text("utf-8")
    assert page.count("<svg") == 2
    assert "This data is simulated." in page


def test_an_archive_is_simulated_searched_and_used_by_simulated_users(tmp_path: Path) -> None:
    words = ["--world", "1000:4", "--searches", "45", "--methods", "exact", "--out", tmp_path]
    shown = run("diversity", *words)

    assert "simulated: archive 1000:4" in shown
    assert "simulated users attach by rank and relevance alone" in shown
    assert "Not an experiment" in shown
    value = json.loads((tmp_path / "diversity.json").read_text("utf-8"))
    thirds = value["engagement"]["terciles"]
    assert 30 <= sum(third["searches"] for third in thirds) <= 45
    assert sum(third["attachments"] for third in thirds) > 0
    assert (tmp_path / "data" / "world-1000-4-45" / "truth" / "qrels.txt").is_file()


def test_diversity_without_users_says_so(runs: Path) -> None:
    shown = run("diversity", "--data", runs, "--methods", "exact")

    assert "not measured, because this data has no users" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--world", "x", "--archive", "y"], "both --world and --archive"),
        (["--world", "x", "--simulate"], "both --simulate and --world"),
        (["--archive", "x", "--data", "y"], "both --data and --archive"),
        (["--world", "nowhere"], "neither a folder nor N:SEED"),
        (["--simulate", "--divide", "type"], "--divide is about"),
        (["--archive", "x", "--split", "census=year"], "--split is about"),
        (["--world", "x", *["--divide", "type"] * 3], "3 divisions"),
    ],
)
def test_sources_that_do_not_fit_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        run("fusion", *words, "--methods", "exact")


def test_only_lists_of_an_archive_are_learned_by_type() -> None:
    with pytest.raises(InputError, match="--learn-types is about"):
        run("fusion", "--simulate", "--learn-types")


def test_a_split_names_a_table_and_a_column(world_folder: Path) -> None:
    with pytest.raises(InputError, match="expected TABLE=COLUMN"):
        run("fusion", "--world", world_folder, "--split", "census", "--methods", "exact")


def test_the_same_division_twice_is_no_comparison(world_folder: Path) -> None:
    words = ["--divide", "type", "--divide", "type", "--methods", "exact"]

    with pytest.raises(InputError, match="two different"):
        run("fusion", "--world", world_folder, *words)


def test_the_loop_learns_from_a_world_and_writes_its_figures(
    world_folder: Path, tmp_path: Path
) -> None:
    words = ("loop", "--world", world_folder, "--searches", "5,10", "--draws", 2, "--seed", 3)

    value = json.loads(run(*words, "--out", tmp_path / "out", "--json"))

    assert value["simulated"] is True
    assert [row["searches"] for row in value["curves"] if row["feedback"] == "links"] == [5, 10]
    assert set(value["curves"][0]["fitted"]) >= {"ndcg@100", "nce@100", "success@1"}
    assert json.loads((tmp_path / "out" / "loop.json").read_text()) == value


def test_more_searches_than_a_world_has_are_refused(world_folder: Path) -> None:
    with pytest.raises(InputError, match=r"\d+ searches to learn from, but 500 are wanted"):
        run("loop", "--world", world_folder, "--searches", "500,1000")
    with pytest.raises(InputError, match="0 searches teach nothing"):
        run("loop", "--world", world_folder, "--searches", "0,5")


def test_a_peculiar_archive_says_what_is_odd_about_it(tmp_path: Path) -> None:
    words = ("--personas", 1500, "--queries", 5, "--out", tmp_path / "world", "--peculiar")

    value = json.loads(run("world", *words, "--json"))

    manifest = json.loads((tmp_path / "world" / "manifest.json").read_text())
    assert len(value["peculiarities"]) == 4
    assert manifest["peculiarities"] == value["peculiarities"]

"""The program from end to end: commands as typed, on the demo's files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forebear

Run = Callable[..., Any]


def search(run: Run, *words: object) -> dict:
    ran = run("search", "--given", "Thomas", "--surname", "Thurlow", *words, "--json")
    return json.loads(ran.out)


def test_a_person_is_found_explained_attached_and_logged(run: Run, archive: Path) -> None:
    result = search(run, "--birth", "1812", "--spouse", "Maria Aldous")

    first = result["results"][0]
    assert first["record"] == "marriages:MAR-0032"
    assert {list_["name"] for list_ in result["lists"]} == {
        "baptism",
        "marriage",
        "burial",
        "census",
    }
    assert {list_["state"] for list_ in result["lists"]} == {"complete"}
    why = json.loads(run("explain", result["search"], 1, "--json").out)
    assert why["record"] == first["record"]
    assert sum(row["bits"] for row in why["rows"]) == why["log_odds"]
    assert sum(step["bits"] for step in why["steps"]) == first["score"]
    assert why["probability"] == pytest.approx(first["probability"])
    assert "the record says" in run("explain", result["search"], first["record"]).out
    assert run("attach", result["search"], 1).status == 0
    assert run("reject", result["search"], 2, "--reason", "no").status == 0
    assert "groom" in run("show", first["record"]).out


def test_every_judgment_has_a_source(run: Run, archive: Path, tmp_path: Path) -> None:
    used, linked, chosen = (search(run)["search"] for _ in range(3))
    first = search(run)["results"][0]["record"]
    qrels = tmp_path / "links.qrels"
    for searched, words in ((linked, []), (chosen, ["--from-use"])):
        qrels.write_text(f"{searched} 0 {first} 1\n")
        assert run("attach", "--batch", qrels, *words).status == 0
    assert run("attach", used, 1, "--complete").status == 0

    with forebear.open(archive) as opened:
        sources = {judged.search.id: judged.sources for judged in opened.judged_searches()}
    assert sources == {used: {"complete"}, linked: {"link"}, chosen: {"use"}}
    assert "no longer complete" in run("undo", used, 1, "--complete").err
    assert "there is nothing to undo" in run("undo", used, 1).err
    assert run("attach", "--batch", qrels, "--complete").status == 2
    assert run("attach", used, "--from-use").status == 2
    with forebear.open(archive) as opened:
        assert {judged.search.id for judged in opened.judged_searches()} == {linked, chosen}


def test_a_training_says_what_came_of_it(
    run: Run, archive: Path, repository: Path, tmp_path: Path
) -> None:
    demo = repository / "demo"
    run("search", "--batch", demo / "queries_training.jsonl", "--run", tmp_path / "t.trec")
    run("attach", "--batch", demo / "attachments_training.qrels")

    first = run("train").out.splitlines()
    forced = run("train", "--method", "paper", "--promote").out.splitlines()
    newer = json.loads(run("train", "--json").out)
    around = run("train", "--around", "v2")

    assert first[0].startswith("A gain over default is not shown yet: that takes about ")
    assert first[0].endswith(" more searches like these 52; learned from 52 searches.")
    assert first[-1] == "not promoted; default stays in use"
    assert forced[0] == "v2 is in use, as you decided with --promote; learned from 52 searches."
    assert "promoted by the owner although no gain was shown" in run("models").out
    # v2 has seen all of these searches, so none of them can compare it with another model.
    assert newer["comparison"] is None
    assert newer["since"]
    assert newer["summary"].startswith("No judged search is newer than those that v2 was learned")
    assert around.status == 2
    assert "v2 was learned from attachments, so training near it would count them" in around.err


def test_a_trial_is_started_shown_and_ended_or_refused(
    run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[str] = []
    monkeypatch.setattr(
        "forebear.server.listen.run_server",
        lambda *_, options, **__: served.append(options.challenger),
    )
    with forebear.open(archive) as opened:
        opened.import_model(opened.export_model("hand-set"))

    assert "is the one in use" in run("serve", "--trial", "default").err
    assert "there is no model 'v7'" in run("serve", "--trial", "v7").err
    assert served == []
    started = run("serve", "--trial", "v1", "--trial-share", "0.25")
    assert "v1 against default: after 0 searches" in started.err
    assert "25% of the searches are interleaved" in started.err
    assert served == ["v1"]
    shown = run("models", "--trials")
    assert "v1 got 0 attachments, default 0; evidence 1 of 20 needed" in shown.out
    run("models", "--promote", "hand-set")
    assert "It waits, because searches use hand-set" in run("models", "--trials").out
    run("models", "--roll-back")
    (value,) = json.loads(run("models", "--end-trial", "--json").out)
    assert (value["state"], value["needed"]) == ("ended", 20)
    assert run("models", "--end-trial").status == 2


def test_the_log_is_exported_imported_and_run_again(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    result = search(run, "--birth", "1812")
    run("attach", result["search"], 1)

    assert (
        "1 searches and 1 actions" in run("log", "export", "--format", "ubi", "--out", tmp_path).out
    )
    assert "1 searches were there already" in run("log", "import", tmp_path).out
    same = run("log", "replay")
    assert "in 0 an attached record moved" in same.out
    other = json.loads(run("log", "replay", "--model", "hand-set", "--json").out)
    assert other["model"] == "hand-set"
    assert [moved["before"] for moved in other["searches"][0]["records"]] == [1]


def test_the_trace_has_a_line_for_each_stage_and_list(run: Run, archive: Path) -> None:
    result = search(run, "--trace")

    stages = [(stage["stage"], stage["list"]) for stage in result["trace"]]
    assert ("expansion", "census") in stages
    assert ("record search", "burial") in stages
    assert stages[-1] == ("fusion", "")
    assert stages[0] == ("facts", "")
    assert len(stages) == 10


def test_the_loop_closes(run: Run, archive: Path, repository: Path, tmp_path: Path) -> None:
    demo = repository / "demo"
    training, held_out = demo / "queries_training.jsonl", demo / "queries_held_out.jsonl"
    run("search", "--batch", training, "--run", tmp_path / "t.trec")
    assert run("attach", "--batch", demo / "attachments_training.qrels").status == 0

    trained = json.loads(run("train", "--seed", 1, "--promote", "--json").out)

    assert trained["version"] == "v1"
    assert set(trained["learned"]) == {"baptism", "marriage", "burial", "census"}
    assert json.loads(run("models", "--json").out)["current"] == "v1"
    measured = {}
    for model in ("default", "v1"):
        out = tmp_path / f"{model}.trec"
        run(
            "search",
            "--batch",
            held_out,
            "--run",
            out,
            "--model",
            model,
            "--no-log",
            "--per-type",
            tmp_path / "lists",
        )
        ran = run(
            "evaluate",
            out,
            demo / "attachments_held_out.qrels",
            "-m",
            "ndcg@100",
            "-m",
            "nce@100",
            "--types",
            demo / "types.txt",
            "--json",
        )
        measured[model] = json.loads(ran.out)["mean"]
    # Bounds that a broken learner misses, not the figures themselves.
    assert measured["default"]["ndcg@100"] > 0.85
    assert measured["v1"]["ndcg@100"] > 0.85
    assert sorted(p.name for p in (tmp_path / "lists").iterdir()) == [
        "baptism.trec",
        "burial.trec",
        "census.trec",
        "marriage.trec",
    ]
    assert run("models", "--roll-back").status == 0
    assert json.loads(run("models", "--json").out)["current"] == "default"
    exported = json.loads(run("models", "--export", "v1").out)
    assert exported["seed"] == 1
    assert exported["measures"]["ndcg@100"] == trained["comparison"]["after"]["ndcg@100"]
    assert (exported["method"], exported["around"]) == ("map", "default")


def test_a_search_that_finds_nothing_answers_no(run: Run, archive: Path) -> None:
    ran = run("search", "--given", "Zebedee", "--surname", "Quixote")

    assert ran.status == 1
    assert "no record found" in ran.out


def test_importing_twice_changes_nothing(run: Run, archive: Path, repository: Path) -> None:
    before = search(run)
    folder = repository / "demo" / "records" / "marriages"

    again = json.loads(run("import", f"{folder}.csv", "--mapping", f"{folder}.toml", "--json").out)

    assert again[0]["kept"] == 85
    assert search(run)["results"] == before["results"]


def test_a_dry_run_writes_nothing(run: Run, tmp_path: Path, repository: Path) -> None:
    path = tmp_path / "empty.forebear"
    run("init", path)
    folder = repository / "demo" / "records" / "marriages"

    ran = run(
        "import", f"{folder}.csv", "--mapping", f"{folder}.toml", "--dry-run", "--archive", path
    )

    assert "85 would be kept" in ran.out
    assert run("show", "marriages:MAR-0001", "--archive", path).status == 2


def test_a_rank_that_is_no_number_is_looked_up_as_a_record(run: Run, archive: Path) -> None:
    search = json.loads(run("search", "--surname", "Brown", "--json").out)["search"]

    ran = run("explain", search, "²")

    assert ran.status == 2
    assert "no record '²'" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["search", "--given", "Ann"], "which archive?"),
        (["search", "--given", "Ann", "--archive", "none.forebear"], "there is no archive"),
        (["show", "x:1", "--archive", __file__], "is not a Forebear archive"),
        (["init", __file__], "is there already"),
        (["init", "/no/such/folder/a"], "does not exist"),
    ],
)
def test_a_wrong_archive_is_told_and_exits_with_2(run: Run, words: list[str], message: str) -> None:
    ran = run(*words)

    assert ran.status == 2
    assert message in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["search"], "says nothing about the person"),
        (["search", "--given", "Ann", "--birth", "sometime"], "expected a date such as"),
        (["search", "--query", '{"surnam": "x"}'], "unknown key 'surnam'"),
        (["search", "--query", "none.json"], "no query file"),
        (["search", "--given", "Ann", "--type", "tax"], "unknown record type 'tax'"),
        (["search", "--given", "Ann", "--exact", "shoe.size"], "no record type has such a fact"),
        (["search", "--given", "Ann", "--model", "v9"], "no model 'v9'"),
        (["search", "--batch", "none.jsonl"], "--batch needs --run"),
        (["explain", "s0", "1"], "no search 's0'"),
        (["attach", "s0", "1"], "no search 's0'"),
        (["attach"], "attach what?"),
        (["show", "baptisms:none"], "no record 'baptisms:none'"),
        (["models", "--roll-back"], "none to roll back"),
        (["train"], "nothing was attached yet"),
        (["import", "none.csv"], "none.csv"),
        (["search", "Ann", "--query", "{}"], "more than one query"),
        (["search", "--batch", "none.jsonl", "--run", "t"], "cannot read the queries"),
        (["backup", "/no/such/folder/a"], "folder '/no/such/folder' does not exist"),
        (["models", "--export", "hand-set", "--out", "/no/such/m"], "cannot write '/no/such/m'"),
        (["normalize", "dates", "none.csv"], "cannot read 'none.csv'"),
        (["takedown", "--restore"], "restore what?"),
    ],
)
def test_bad_input_is_told_and_exits_with_2(
    run: Run, archive: Path, words: list[str], message: str
) -> None:
    ran = run(*words)

    assert ran.status == 2
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_the_public_does_not_see_the_living(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "new.csv"
    table.write_text("entry,date,forename,surname\n1,3 May 1990,Ann,Hall\n2,3 May 1790,Ann,Hall\n")
    mapping = tmp_path / "new.toml"
    mapping.write_text(
        '[collection]\nname = "new"\ntitle = "New"\nrecord_type = "baptism"\n'
        '[record]\nid = "entry"\ndate = "date"\n'
        '[[persona]]\nrole = "child"\nkin = "self"\nprincipal = true\n'
        'given = "forename"\nsurname = "surname"\n'
    )
    path = tmp_path / "archive.forebear"
    run("init", path)
    run("import", table, "--mapping", mapping, "--archive", path)
    words = ["search", "--given", "Ann", "--surname", "Hall", "--archive", path, "--json"]

    owned = json.loads(run(*words).out)
    public = json.loads(run(*words, "--viewer", "public").out)

    assert sorted(result["record"] for result in owned["results"]) == ["new:1", "new:2"]
    assert [result["record"] for result in public["results"]] == ["new:2"]
    assert public["lists"][0]["records"] == 1
    assert run("show", "new:1", "--archive", path, "--viewer", "public").status == 2

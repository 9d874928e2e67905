"""Probabilities of a batch as a table, and an offset of the archive."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("order", [(), ("--decay", 0), ("--decay", 1), ("--order", "types")])
def test_a_batch_writes_the_probability_of_every_hit(
    run: Run, archive: Path, repository: Path, tmp_path: Path, order: tuple[str | int, ...]
) -> None:
    queries, table = repository / "demo" / "queries_held_out.jsonl", tmp_path / "chances.csv"

    ran = run("search", "--batch", queries, "--probabilities", table, "--no-log", *order)

    assert ran.status == 0
    rows = rows_of(table)
    assert table.read_text("utf-8").startswith("query,record,rank,probability\n")
    query = json.loads(queries.read_text("utf-8").splitlines()[0])
    (tmp_path / "query.json").write_text(json.dumps(query), "utf-8")
    page = json.loads(
        run("search", "--query", tmp_path / "query.json", "--size", 9999, "--json", *order).out
    )
    first = [row for row in rows if row["query"] == query["id"]]
    assert len(first) == page["total"]
    assert [int(row["rank"]) for row in first] == list(range(1, len(first) + 1))
    chances = {row["record"]: float(row["probability"]) for row in first}
    for hit in page["results"]:
        assert chances[hit["record"]] == pytest.approx(hit["probability"], abs=1e-12)
    falling = [float(row["probability"]) for row in first]
    assert falling == sorted(falling, reverse=True)


def test_a_batch_needs_somewhere_to_write(run: Run, archive: Path, repository: Path) -> None:
    ran = run("search", "--batch", repository / "demo" / "queries_held_out.jsonl")

    assert ran.status == 2
    assert "--probabilities" in ran.err


def test_an_offset_needs_searches_and_then_moves_every_probability(
    run: Run, archive: Path, repository: Path, tmp_path: Path
) -> None:
    few = run("probabilities", "calibrate")
    assert few.status == 2
    assert "at least 100" in few.err
    lines = (repository / "demo" / "queries_training.jsonl").read_text("utf-8").splitlines()
    queries = [json.loads(line) for line in lines]
    copies = [{**query, "id": f"{query['id']}-{copy}"} for copy in range(2) for query in queries]
    batch = tmp_path / "queries.jsonl"
    batch.write_text("".join(f"{json.dumps(query)}\n" for query in copies), "utf-8")
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    assert run("search", "--batch", batch, "--probabilities", before).status == 0

    offsets = json.loads(run("probabilities", "calibrate", "--json").out)

    assert [(one["viewer"], one["model"]) for one in offsets] == [
        ("owner", "default"),
        ("public", "default"),
    ]
    run("search", "--batch", batch, "--probabilities", after, "--no-log")
    first, second = (float(rows_of(path)[0]["probability"]) for path in (before, after))
    assert (second > first) == (offsets[0]["bits"] > 0)
    assert run("probabilities", "reset").status == 0
    assert "those of the model" in run("probabilities", "list").out


def test_a_trained_model_has_probabilities_of_its_own(
    run: Run, archive: Path, repository: Path, tmp_path: Path
) -> None:
    demo = repository / "demo"
    run("search", "--batch", demo / "queries_training.jsonl", "--run", tmp_path / "t.trec")
    run("attach", "--batch", demo / "attachments_training.qrels")

    run("train", "--seed", 1, "--promote")

    shipped, learned = (
        json.loads(run("models", "--export", name).out)["probability"] for name in ("default", "v1")
    )
    assert learned["levels"].keys() == shipped["levels"].keys()
    assert learned["levels"]["baptism"] != shipped["levels"]["baptism"]
    assert learned["scale"] != shipped["scale"]

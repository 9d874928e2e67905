"""One address judges everything the wrong way round; the ranking does not follow."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forebear
from forebear.server.app import make_app
from forebear.server.limits import Limits
from forebear.server.options import ServerOptions
from poisoning import ACTIONS, Poisoning, form_queries, poison

with warnings.catch_warnings():
    # The test client would rather have httpx2, which our lock does not know yet.
    warnings.filterwarnings("ignore", message="Using `httpx`")
    from fastapi.testclient import TestClient

Run = Callable[..., Any]


def train(run: Run) -> dict[str, Any]:
    trained = run("train", "--seed", 1, "--json")
    assert trained.status == 0, trained.err
    value: dict[str, Any] = json.loads(trained.out)
    return value


def exported(run: Run, version: str) -> dict[str, Any]:
    """Return what a model learned: its weights and shifts, and the hash of its data."""
    value = json.loads(run("models", "--export", version).out)
    return {key: value[key] for key in ("weights", "shifts", "data")}


def attacked(archive: Path, repository: Path, *, actions: int) -> Poisoning:
    """Return what the attack did to an archive whose visitors may vote."""
    files = [repository / "demo" / f"queries_{name}.jsonl" for name in ("training", "held_out")]
    queries = [query for file in files for query in form_queries(file)]
    with forebear.open(archive) as opened:
        many = Limits(requests=10 * ACTIONS)
        app = make_app(opened, options=ServerOptions(allow_votes=True, limits=many))
        with TestClient(app, follow_redirects=False) as client:
            return poison(client, queries, actions=actions)


def test_held_back_votes_teach_nothing_and_released_ones_no_more_than_a_twentieth(
    run: Run, archive: Path, repository: Path, tmp_path: Path
) -> None:
    demo = repository / "demo"
    run("search", "--batch", demo / "queries_training.jsonl", "--run", tmp_path / "run")
    run("attach", "--batch", demo / "attachments_training.qrels")
    before = train(run)

    attack = attacked(archive, repository, actions=ACTIONS)
    held_back = train(run)

    assert attack.accepted == ACTIONS
    votes = json.loads(run("votes", "list", "--json").out)
    assert votes["searchers"] == 1
    assert 100 < votes["votes"] <= ACTIONS
    assert held_back["searches"] == before["searches"]
    assert held_back["searchers"] == 0
    assert exported(run, held_back["version"]) == exported(run, before["version"])

    assert json.loads(run("votes", "release", "--all", "--json").out)["released"] == votes["votes"]
    released = train(run)

    assert released["searches"] > before["searches"]
    assert released["searchers"] == 1
    assert 0 < released["largest_share"] <= 0.05 + 1e-9
    ndcg = [model["comparison"]["after"]["ndcg@100"] for model in (before, released)]
    assert ndcg[1] > ndcg[0] - 0.002
    # The votes teach, but they do not compare.
    assert released["comparison"]["searches"] == before["comparison"]["searches"]


def test_a_model_is_not_learned_from_one_searcher_alone(
    run: Run, archive: Path, repository: Path
) -> None:
    attacked(archive, repository, actions=ACTIONS)
    run("votes", "release", "--all")

    refused = run("train")

    assert refused.status == 2
    assert "more than 5%" in refused.err
    assert json.loads(run("models", "--json").out)["models"] == []


@pytest.mark.parametrize("command", ["release", "discard"])
def test_votes_are_released_and_discarded_by_searcher_record_or_date(
    command: str, run: Run, archive: Path, repository: Path
) -> None:
    attacked(archive, repository, actions=10)
    (vote, *_) = json.loads(run("votes", "list", "--json").out)["each"]
    text = run("votes", "list").out

    undecided = run("votes", command)
    contradicted = run("votes", command, "--all", "--searcher", vote["searcher"])
    nobody = run("votes", command, "--searcher", "u0")
    one = run("votes", command, "--record", vote["record_key"])
    rest = run("votes", command, "--date", vote["at"][:10], "--searcher", vote["searcher"])

    assert text.startswith("10 votes on 10 records by 1 searchers\n")
    assert vote["searcher"] in text
    assert (undecided.status, contradicted.status) == (2, 2)
    assert nobody.out == f"{command}d 0 votes\n".replace("discardd", "discarded")
    assert " 1 votes" in one.out
    assert " 9 votes" in rest.out
    assert "no votes are held back" in run("votes", "list").err

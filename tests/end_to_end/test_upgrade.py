"""An archive of another version: it opens, keeps what people did and says what to run."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.sqlite.checksums import register

Run = Callable[..., Any]
THOMAS = ("search", "--given", "Thomas", "--surname", "Thurlow")


def execute(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection, connection:
        register(connection)
        return connection.execute(sql).fetchall()


@pytest.fixture
def previous(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an archive that the previous release made, with an attachment and its own model."""
    stored = repository / "tests" / "golden" / "archives" / "format_2.archive"
    path = Path(shutil.copy(stored, tmp_path / "archive.forebear"))
    monkeypatch.setenv("FOREBEAR_ARCHIVE", str(path))
    return path


def test_an_archive_of_the_previous_release_goes_on_and_is_reindexed(
    run: Run, previous: Path
) -> None:
    searched = run(*THOMAS, "--json")
    checked = run("check")
    notices = json.loads(run("models", "--json").out)["notices"]

    assert (searched.status, checked.status) == (0, 0)
    assert any("forebear reindex" in notice for notice in notices) == (TERM_RULES_VERSION > 1)
    assert all(notice in checked.err and notice in searched.err for notice in notices)
    reindexed = run("reindex")
    assert (reindexed.status, "the index is up to date" in reindexed.err) == (0, True)
    assert "forebear reindex" not in run("check").err
    assert execute(previous, "SELECT search, record FROM actions") == [("kept", "residence:1")]
    assert json.loads(run("models", "--json").out)["current"] == "v1"
    assert run("explain", "kept", "residence:1").status == 0
    assert json.loads(run(*THOMAS, "--json").out)["results"]


def test_older_terms_are_reported_and_rewritten(run: Run, archive: Path) -> None:
    execute(archive, "UPDATE metadata SET value = '0' WHERE name = 'terms'")

    checked = run("check", "--json")
    searched = run("search", "--surname", "Thurlow", "--json")

    assert checked.status == 0
    (notice,) = json.loads(checked.out)["notices"]
    assert "run `forebear reindex`" in notice
    assert searched.err.count(notice) == 1
    assert json.loads(searched.out)["results"]
    assert run("reindex").status == 0
    assert json.loads(run("check", "--json").out)["notices"] == []
    assert run("search", "--surname", "Thurlow").err == ""


def test_older_rules_of_privacy_show_the_public_nothing_until_reindex(
    run: Run, archive: Path
) -> None:
    search = ("search", "--surname", "Thurlow", "--viewer", "public", "--json")
    before = json.loads(run(*search).out)["results"]
    execute(archive, "UPDATE metadata SET value = '1' WHERE name = 'privacy'")

    hidden = run(*search)
    (notice,) = json.loads(run("check", "--json").out)["notices"]

    assert before
    assert json.loads(hidden.out)["results"] == []
    assert "run `forebear reindex`" in notice
    assert run("reindex").status == 0
    assert json.loads(run(*search).out)["results"] == before


def test_a_model_of_another_catalog_is_used_as_far_as_it_goes(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    run("weights", "estimate", "--promote", "--personas", 50)
    own = json.loads(run("models", "--export", "v1").out)
    own["clauses"]["census"]["self.given.exact"] = "0" * 12
    execute(archive, f"UPDATE models SET value = json('{json.dumps(own)}')")

    searched = run("search", "--surname", "Thurlow", "--json")
    listed = run("models")

    assert searched.status == 0
    for ran in (searched, listed):
        assert ran.err.count("1 of 3,196 weights are the shipped ones") == 1
    assert run("search", "--surname", "Thurlow", "--model", "hand-set").err == ""


def test_a_displayed_word_does_not_matter_to_a_model(run: Run, archive: Path) -> None:
    run("weights", "estimate", "--promote", "--personas", 50)
    model = json.loads(run("models", "--export", "v1").out)

    assert set(model["clauses"]) == set(model["weights"])
    assert model["lists"]["census"] == ["census"]
    assert run("search", "--surname", "Thurlow").err == ""


def test_searches_logged_with_other_clauses_are_repeated_before_training(
    run: Run, archive: Path, repository: Path, tmp_path: Path
) -> None:
    demo = repository / "demo"
    run("search", "--batch", demo / "queries_training.jsonl", "--run", tmp_path / "t.trec")
    run("attach", "--batch", demo / "attachments_training.qrels")
    as_logged = json.loads(run("train", "--json").out)
    execute(archive, "UPDATE search_lists SET hashes = zeroblob(length(hashes))")
    execute(
        archive,
        "UPDATE searches SET query = '{\"surnam\": 1}' WHERE id = (SELECT search FROM actions)",
    )

    again = json.loads(run("train", "--json").out)
    text = run("train").out

    assert (as_logged["repeated"], as_logged["skipped"]) == (0, 0)
    assert again["skipped"] == 1
    assert again["repeated"] == as_logged["searches"] - 1
    assert f"{again['repeated']:,} searches of other clauses or lists repeated, 1 skipped" in text

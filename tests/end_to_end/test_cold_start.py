"""A search typed in a terminal loads what it needs, and nothing that only others need."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forebear.cli.app import COMMANDS, app

SEARCH = """
import os, sys
sys.argv = ["forebear", "search", "--surname", "Green", "--no-log", "--json"]
from forebear.cli.app import main
try:
    main()
finally:
    print({told}, file=sys.stderr)
"""
MODULES = SEARCH.format(told='" ".join(sys.modules)')
HEAVY = (
    *("scipy", "numba", "fastapi", "uvicorn", "jinja2", "opensearchpy", "pydantic", "rich"),
    *("forebear_lab.evaluation", "forebear_lab.experiments", "forebear.kernels", "forebear.server"),
    *("forebear.ingest.run", "forebear.ingest.mapping", "forebear.ingest.readers"),
    *("forebear.ingest.store", "forebear.normalize.dates.parser", "concurrent.futures"),
    *("forebear.search.results.missing", "forebear.storage.sqlite.upkeep"),
    *("forebear.trees", "forebear.learning.train", "forebear.storage.opensearch"),
    "forebear.normalize.gazetteer",  # a search without places needs none
)


def test_a_search_loads_nothing_that_only_other_commands_need(archive: Path) -> None:
    assert archive.exists()

    ran = subprocess.run(
        [sys.executable, "-c", MODULES], capture_output=True, text=True, check=True
    )

    loaded = set(ran.stderr.split())
    assert '"results"' in ran.stdout
    assert "forebear.search.searcher" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_a_search_starts_no_threads_that_wait_for_matrices(
    archive: Path, counted_threads: Path
) -> None:
    assert archive.exists()
    code = SEARCH.format(told=f"len(os.listdir({str(counted_threads)!r}))")

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stderr.split() == ["1"]


def test_the_program_seen_from_outside_has_every_command() -> None:
    named = {command.name for command in app.registered_commands + app.registered_groups}

    assert named == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_can_be_typed(name: str, run: Callable[..., Any]) -> None:
    ran = run(name, "--help")

    assert ran.status == 0
    assert f"forebear {name} " in ran.out.splitlines()[0]

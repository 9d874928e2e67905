"""A search answers at once while another program writes, and says that it was not logged."""

import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

FOREBEAR = "import sys; from forebear.cli.app import main; main()"


def search(archive: Path, *words: str) -> tuple[subprocess.CompletedProcess[str], float]:
    started = time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-c", FOREBEAR, "search", "--surname", "Cornell", *words],
        env={**os.environ, "FOREBEAR_ARCHIVE": str(archive)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return ran, time.monotonic() - started


def test_a_search_prints_first_and_logs_within_two_seconds(
    archive: Path, run: Callable[..., Any]
) -> None:
    with closing(sqlite3.connect(archive, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        ran, seconds = search(archive)
        unlogged, _ = search(archive, "--no-log")
        writer.execute("ROLLBACK")
    free, _ = search(archive)

    assert ran.returncode == 0
    assert seconds < 15  # of which two are waiting, and not thirty
    search_id = re.findall(r"^search (s\w+),", ran.stdout, flags=re.MULTILINE)[0]
    assert "Cornell" in ran.stdout
    assert f"search {search_id} was not logged: its id cannot be used" in ran.stderr
    assert "is locked by another program" in ran.stderr
    assert run("explain", search_id, 1).status == 2
    assert unlogged.returncode == 0
    assert unlogged.stderr == free.stderr == ""
    logged_id = re.findall(r"^search (s\w+),", free.stdout, flags=re.MULTILINE)[0]
    assert run("explain", logged_id, 1).status == 0


def test_a_takedown_of_no_record_fails(archive: Path, run: Callable[..., Any]) -> None:
    assert archive.exists()

    ran = run("takedown", "census:none", "--reason", "asked")

    assert ran.status == 2
    assert "there is no record 'census:none'" in ran.err
    assert run("takedown").out.strip() == ""

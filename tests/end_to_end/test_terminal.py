"""What is printed is what is stored, whatever the record, the file and the terminal are like."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

FOREBEAR = "from forebear.cli.app import main; main()"
TABLE = "entry,date,forename,surname\n[x4],3 May 1790,José,[b]Hall[/b]\n"
MAPPING = """
[collection]
name = "new"
title = "New"
record_type = "baptism"
[record]
id = "entry"
date = "date"
[[persona]]
role = "child"
kin = "self"
principal = true
given = "forename"
surname = "surname"
"""


@pytest.fixture
def small(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an archive of one record whose id looks like markup."""
    path = tmp_path / "small.forebear"
    (tmp_path / "new.csv").write_text(TABLE, "utf-8")
    (tmp_path / "new.toml").write_text(MAPPING, "utf-8")
    monkeypatch.setenv("FOREBEAR_ARCHIVE", str(path))
    run("init", path)
    assert run("import", tmp_path / "new.csv", "--mapping", tmp_path / "new.toml").status == 0
    return path


def type_in(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", FOREBEAR, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.usefixtures("small")
def test_brackets_in_the_id_of_a_record_are_printed(run: Run) -> None:
    search = json.loads(run("search", "José Hall", "--json").out)["search"]

    assert run("attach", search, 1).err == "attached new:[x4]\n"
    assert "new:[x4]" in run("search", "José Hall").out


@pytest.mark.usefixtures("small")
def test_a_terminal_without_a_character_shows_its_code() -> None:
    ran = type_in("show", "new:[x4]", PYTHONIOENCODING="ascii")

    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Jos\\xe9" in ran.stdout


@pytest.mark.usefixtures("small")
def test_json_is_json_in_any_terminal() -> None:
    ran = type_in("show", "new:[x4]", "--json", PYTHONIOENCODING="ascii")

    assert json.loads(ran.stdout)["personas"][0]["names"][0]["given"] == "José"


@pytest.mark.usefixtures("small")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_no_fault_of_the_program() -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-c", FOREBEAR, "show", "new:[x4]"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert ran.returncode == 3
    assert ran.stderr.splitlines()[0] == "error: No space left on device"
    assert "Traceback" not in ran.stderr


@pytest.mark.usefixtures("small")
def test_a_folder_that_cannot_be_written_is_named(run: Run, tmp_path: Path) -> None:
    queries, occupied = tmp_path / "q.jsonl", tmp_path / "occupied"
    queries.write_text('{"id": "a", "surname": "Hall"}\n')
    occupied.touch()

    ran = run(
        *("search", "--batch", queries, "--run", tmp_path / "t", "--per-type", occupied / "lists")
    )

    assert ran.status == 3
    assert str(occupied) in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.usefixtures("small")
def test_a_file_whose_name_is_not_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"new\xff.csv")
    try:
        file.write_text(TABLE, "utf-8")
    except OSError:
        pytest.skip("this system has only UTF-8 names")

    ran = run("import", os.fspath(file), "--mapping", tmp_path / "new.toml")

    assert ran.status == 2
    assert "is not valid UTF-8" in ran.err
    assert "rename a file" in ran.err


@pytest.mark.usefixtures("small")
def test_a_page_after_the_last_says_how_many_there_are(run: Run) -> None:
    searched = run("search", "José Hall", "--page", 9, "--no-log")
    browsed = run("browse", "new", "--page", 9)

    assert (searched.status, browsed.status) == (1, 1)
    assert "no record found on page 9: there are 1 in all" in searched.out
    assert browsed.err == "there is no page 9\n"


def test_an_empty_archive_leads_to_an_import(run: Run, tmp_path: Path) -> None:
    run("init", tmp_path / "empty.forebear")

    ran = run("collections", "--archive", tmp_path / "empty.forebear")

    assert (ran.out, "forebear import" in ran.err) == ("", True)

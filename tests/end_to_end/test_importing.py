"""What `forebear import` says when a file cannot be taken in as it is, and of two at once."""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.migrate import open_file

Run = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def empty(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "archive.forebear"
    run("init", path)
    monkeypatch.setenv("FOREBEAR_ARCHIVE", str(path))
    return path


def test_a_folder_is_called_a_folder(run: Run, empty: Path, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()

    status, _, err = run("import", tmp_path / "records")

    assert status == 2
    assert "this is a folder, not a file" in err
    assert f"forebear import {tmp_path / 'records'}/*" in err.replace("\n", "")


def test_a_table_that_no_mapping_fits_leads_to_forebear_map(
    run: Run, empty: Path, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text("one,two\n1,2\n3,4\n")

    status, _, err = run("import", tmp_path / "t.csv")

    assert status == 2
    assert "`forebear map " in err


def test_a_reimport_through_a_broken_mapping_changes_nothing(
    run: Run, empty: Path, repository: Path, tmp_path: Path
) -> None:
    folder = repository / "demo" / "records" / "baptisms"
    mapping = tmp_path / "broken.toml"
    run("import", f"{folder}.csv", "--mapping", f"{folder}.toml")
    before = run("check", "--digest", "--json")[1]
    text = Path(f"{folder}.toml").read_text("utf-8")

    for broken in (
        "[collection",
        text.replace("[[persona]]", "[[persons]]"),
        text.replace('given = "forename"', 'given = "forenam"'),
        text.replace('id = "entry"', 'id = "forename"'),
    ):
        mapping.write_text(broken, "utf-8")
        status, _, err = run("import", f"{folder}.csv", "--mapping", mapping)
        assert status == 2
        assert err

    assert run("check", "--digest", "--json")[1] == before
    assert "169 unchanged" in run("import", f"{folder}.csv", "--mapping", f"{folder}.toml")[1]


def test_the_same_file_imported_twice_at_once_is_imported_once(
    empty: Path, repository: Path
) -> None:
    folder = repository / "demo" / "records" / "census"
    start = "from forebear.cli.app import main; main()"
    command = [sys.executable, "-c", start, "import", f"{folder}.csv"]
    command += ["--mapping", f"{folder}.toml", "--json"]

    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    reports = [process.communicate(timeout=120)[0] for process in running]

    assert [process.returncode for process in running] == [0, 0]
    assert sum('"added": 0' in report for report in reports) == 1
    assert all('"refused": 0' in report for report in reports)


def test_an_import_waits_for_another_and_says_so(
    empty: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = open_file(empty), open_file(empty)
    order: list[str] = []

    def take(connection: Connection) -> None:
        with connection.import_lock():
            order.append("second")

    with caplog.at_level(logging.WARNING), first.import_lock():
        waiting = threading.Thread(target=take, args=(second,))
        waiting.start()
        waiting.join(timeout=1.5)
        order.append("first")
    waiting.join(timeout=30)
    first.close()
    second.close()

    assert order == ["first", "second"]
    assert f"waiting for another import into {empty} to end" in caplog.text


def test_the_lock_of_a_killed_import_is_free(empty: Path) -> None:
    hold = (
        "import sys, os, signal; from pathlib import Path;"
        "from forebear.storage.sqlite.connection import open_file\n"
        f"with open_file(Path({str(empty)!r})).import_lock(): os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", hold], check=False, env=dict(os.environ))

    connection = open_file(empty)
    with connection.import_lock():
        pass
    connection.close()

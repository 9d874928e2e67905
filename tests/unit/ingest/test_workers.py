"""Tests for `forebear.ingest.workers`: results in order, and no process that stays behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.errors import ForebearError, InputError
from forebear.ingest.workers import ITEMS_IN_FLIGHT, Workers

# Imports in its first lines, without asking whether it is the main script.
SCRIPT = """
import sys
from forebear.archive import create_archive
from forebear.ingest import pipeline
pipeline.WORTHWHILE_BYTES = 0
with create_archive("a.forebear") as archive:
    report = archive.import_file("burials.csv", mapping="burials.toml")
    print(report.accepted, archive._workers._pool is not None)
    {end}
"""
MAPPING = """
[collection]
name = "burials"
title = "Burials"
record_type = "burial"
[record]
id = "id"
[[persona]]
role = "deceased"
principal = true
name = "name"
"""


@pytest.fixture
def workers() -> Iterator[Workers]:
    started = Workers(2)
    yield started
    started.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a table, a mapping, and a module that must not be imported."""
    (tmp_path / "burials.csv").write_text("id,name\nb1,Ann Green\nb2,Job Hill\n")
    (tmp_path / "burials.toml").write_text(MAPPING)
    (tmp_path / "pickle.py").write_text("raise SystemExit('imported from the current folder')\n")
    return tmp_path


def square_late(number: int) -> int:
    time.sleep(0.05 if number % 3 == 0 else 0)
    return number * number


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(_: int) -> None:
    raise InputError("line 3: no", hint="another")


def pid_of(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("count", [0, 2])
def test_results_come_in_the_order_of_the_items(count: int) -> None:
    workers = Workers(count)

    results = list(workers.map(square_late, range(20)))
    workers.close()

    assert results == [(number, number * number) for number in range(20)]


def test_work_is_done_by_other_processes_that_stay_for_the_next(workers: Workers) -> None:
    first, second = ({pid for _, pid in workers.map(pid_of, range(20))} for _ in range(2))

    assert os.getpid() not in first
    assert second <= {*first, *workers._pool._processes}  # type: ignore[union-attr]


def test_a_bounded_number_of_items_is_under_way(workers: Workers) -> None:
    taken = []
    results = workers.map(square_late, (taken.append(n) or n for n in range(1000)))

    next(results)
    results.close()

    assert len(taken) <= 2 * ITEMS_IN_FLIGHT + 1


def test_a_process_that_dies_is_an_error_with_the_way_on(workers: Workers) -> None:
    with pytest.raises(ForebearError, match="a process that was reading the file ended") as error:
        list(workers.map(die, range(3)))

    assert "run the same import again" in str(error.value.hint)
    assert list(workers.map(square_late, [2])) == [(2, 4)]


def test_an_error_of_another_process_is_raised_here(workers: Workers) -> None:
    with pytest.raises(InputError, match="line 3: no") as error:
        list(workers.map(refuse, range(3)))

    assert error.value.hint == "another"


def test_closing_ends_the_processes(workers: Workers) -> None:
    ((_, pid),) = workers.map(pid_of, [1])

    workers.close()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def run_script(folder: Path, end: str) -> "subprocess.Popen[str]":
    path = folder / "script.py"
    path.write_text(SCRIPT.format(end=end))
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    return subprocess.Popen(
        [sys.executable, path],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def test_a_script_without_a_guard_imports_once(folder: Path) -> None:
    process = run_script(folder, "pass")

    out, error = process.communicate(timeout=120)

    assert (out, error) == ("2 True\n", "")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_the_one_that_imports(folder: Path, number: signal.Signals) -> None:
    process = run_script(folder, "sys.stdout.flush(); import time; time.sleep(100)")
    assert process.stdout
    assert process.stdout.readline() == "2 True\n"

    process.send_signal(number)
    process.wait(timeout=60)

    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.02)
    else:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("a process is left behind")
    process.communicate()

"""Tests for `forebear_lab.baselines.maven`: fetched files, and programs within limits."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from forebear_lab.baselines.maven import (
    OUT_OF_MEMORY,
    Artifact,
    LimitError,
    Limits,
    NotRunError,
    fetch_artifact,
    find_java,
    java_command,
    run_limited,
)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of programs that is searched before all others."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def write_program(path: Path, *lines: str) -> None:
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
    path.chmod(0o755)


def fake_maven(programs: Path, content: str) -> None:
    write_program(
        programs / "mvn",
        'for word in "$@"; do case $word in -DoutputDirectory=*) folder=${word#*=};; esac; done',
        f"printf '{content}' > $folder/tool-1.0.jar",
        "echo progress",
    )


def ends_soon(pid: str) -> bool:
    """Wait for a process to end, which leaves nothing or a zombie."""
    stat = Path(f"/proc/{pid}/stat")
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if stat.read_text().split()[2] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def make_artifact(content: str) -> Artifact:
    digest = hashlib.sha512(content.encode()).hexdigest()
    return Artifact(group="org.example", name="tool", version="1.0", sha512=digest)


def test_a_file_is_fetched_once(
    programs: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fake_maven(programs, "jar")

    path = fetch_artifact(make_artifact("jar"), tmp_path / "home")
    (programs / "mvn").unlink()

    assert path.read_text() == "jar"
    assert fetch_artifact(make_artifact("jar"), tmp_path / "home") == path
    assert capfd.readouterr().out == ""


def test_a_file_with_another_hash_is_refused(programs: Path, tmp_path: Path) -> None:
    fake_maven(programs, "changed")

    with pytest.raises(NotRunError, match="SHA-512"):
        fetch_artifact(make_artifact("jar"), tmp_path / "home")
    assert list((tmp_path / "home").iterdir()) == []


def test_without_maven_the_reason_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NotRunError, match="Maven is needed"):
        fetch_artifact(make_artifact("jar"), tmp_path / "home")


def test_a_java_of_the_versions_wanted_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    write_program(tmp_path / "bin" / "java", "echo 'openjdk version \"997.0.1\"' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    assert find_java(oldest=997, newest=998) == tmp_path
    with pytest.raises(NotRunError, match="Java 998 to 999 is needed"):
        find_java(oldest=998, newest=999)


def test_java_gets_one_processor_and_no_more_than_the_memory() -> None:
    command = java_command(Path("/java"), [Path("a.jar"), Path("b.jar")], Limits(memory_mb=77))

    assert command[0] == "/java/bin/java"
    assert {"-Xmx77m", "-XX:ActiveProcessorCount=1", "-XX:+ExitOnOutOfMemoryError"} < set(command)
    assert command[-1] == "a.jar:b.jar"


def test_a_program_that_ends_in_time_reports_its_cpu_time(tmp_path: Path) -> None:
    line = [sys.executable, "-c", "sum(range(3_000_000)); print('done')"]

    assert run_limited(line, Limits(seconds=60), tmp_path / "log") > 0
    assert (tmp_path / "log").read_text() == "done\n"


def test_a_program_that_takes_too_long_is_killed_with_its_children(tmp_path: Path) -> None:
    child = tmp_path / "pid"
    line = ["sh", "-c", f"sleep 600 & echo $! > {child}; while :; do :; done"]

    with pytest.raises(LimitError, match=r"needs more than 1 s of CPU"):
        run_limited(line, Limits(seconds=1), tmp_path / "log")

    assert ends_soon(child.read_text().strip())


def test_a_program_may_wait_longer_than_its_limit_of_cpu_but_not_forever(tmp_path: Path) -> None:
    waiting = ["sh", "-c", "sleep 1"]

    assert run_limited(waiting, Limits(seconds=0.5), tmp_path / "log") < 0.5
    with pytest.raises(LimitError):
        run_limited(["sleep", "60"], Limits(seconds=0.5, patience=1), tmp_path / "log")


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a process of its parent's end"
)
def test_a_program_ends_when_the_process_that_runs_it_is_killed(tmp_path: Path) -> None:
    child = tmp_path / "pid"
    code = (
        "from pathlib import Path\n"
        "from forebear_lab.baselines.maven import Limits, run_limited\n"
        f"line = ['sh', '-c', 'echo $$ > {child}; exec sleep 600']\n"
        f"run_limited(line, Limits(), Path({str(tmp_path / 'log')!r}))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 30
    while not (child.is_file() and child.read_text().strip()) and time.monotonic() < deadline:
        time.sleep(0.05)

    parent.kill()
    parent.wait()

    assert ends_soon(child.read_text().strip())


def test_a_program_that_runs_out_of_memory_exceeds_its_limit(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="needs more than 5 MB"):
        run_limited(["sh", "-c", f"exit {OUT_OF_MEMORY}"], Limits(memory_mb=5), tmp_path / "log")


def test_a_program_that_fails_is_quoted(tmp_path: Path) -> None:
    line = ["sh", "-c", "echo 'Exception: no such feature'; echo '  at Some.java'; exit 1"]

    with pytest.raises(NotRunError, match="exit code 1: Exception: no such feature"):
        run_limited(line, Limits(), tmp_path / "log")

"""Tests for `scripts/opensearch.py`: what it prints, and that its nodes never outlive a test."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def script(repository: Path) -> Path:
    return repository / "scripts" / "opensearch.py"


@pytest.fixture
def module(script: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    specification = importlib.util.spec_from_file_location("opensearch_script", script)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, "opensearch_script", module)
    specification.loader.exec_module(module)
    return module


def test_what_maven_prints_stays_out_of_standard_output(
    module: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    maven = tmp_path / "bin" / "mvn"
    maven.parent.mkdir()
    maven.write_text(
        "#!/bin/sh\n"
        "printf '\\033[1mProgress (1): 12/90 MB\\033[m\\n'\n"
        f"touch {tmp_path}/opensearch-2.19.6.zip\n"
    )
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", f"{maven.parent}:{os.environ['PATH']}")

    archive = module.fetch("2.19.6", tmp_path)

    captured = capfd.readouterr()
    assert archive.is_file()
    assert captured.out == ""
    assert "Progress" in captured.err


def is_running(pid: int) -> bool:
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")


def test_nodes_stop_when_whoever_started_them_is_killed(script: Path, tmp_path: Path) -> None:
    folder = tmp_path / "clusters" / "2.19.6-1-at-9990" / "n1"
    folder.mkdir(parents=True)
    node = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", str(folder)])
    (folder / "pid").write_text(str(node.pid))
    guard = [sys.executable, str(script), "guard", "--port", "9990", "--home", str(tmp_path)]
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import subprocess, sys, time\n"
            "subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, start_new_session=True)\n"
            "print('ready', flush=True)\n"
            "time.sleep(300)",
            *guard,
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"ready\n"
        time.sleep(0.5)
        assert is_running(node.pid)

        holder.kill()

        node.wait(timeout=30)
        assert node.returncode == -signal.SIGTERM
    finally:
        for process in (holder, node):
            process.kill()
            process.wait()
        if holder.stdout:
            holder.stdout.close()

"""The program as typed, and an archive of the demo's files."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from forebear.cli.app import run as run_program

Run = Callable[..., "Ran"]


class Ran(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def type_in(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["forebear", *map(str, words)])
        capsys.readouterr()
        status = 0
        try:
            run_program()
        except SystemExit as ended:
            status = int(ended.code or 0)
        return Ran(status, *capsys.readouterr())

    return type_in


@pytest.fixture
def archive(run: Run, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "archive.forebear"
    assert run("init", path).status == 0
    monkeypatch.setenv("FOREBEAR_ARCHIVE", str(path))
    for name in ("baptisms", "marriages", "burials", "census"):
        folder = repository / "demo" / "records" / name
        assert run("import", f"{folder}.csv", "--mapping", f"{folder}.toml").status == 0
    return path

"""What tests stand on: the real records beside the repository, a real browser, and honesty.

A test that needs something this machine lacks is skipped with the reason, and the reasons
are listed at the end of the run.  Under CI nothing may be lacking, so there it fails.
"""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
_lacking: dict[str, int] = {}


def _lack(what: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}; under CI it must be there")
    _lacking[what] = _lacking.get(what, 0) + 1
    pytest.skip(what)


@pytest.fixture(scope="session")
def repository() -> Path:
    return ROOT


@pytest.fixture
def shared_data() -> Path:
    folder = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        _lack("no folder of real records (set FOREBEAR_SHARED)")
    return folder


@pytest.fixture
def shared_design() -> Path:
    folder = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "design"
    if not folder.is_dir():
        _lack("no folder of design documents (set FOREBEAR_SHARED)")
    return folder


@pytest.fixture
def chromium_path() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        _lack("no Chromium (install your system's package `chromium`)")
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _lacking:
        terminalreporter.section("not run on this machine")
        for reason, count in _lacking.items():
            terminalreporter.line(f"{count} tests: {reason}")

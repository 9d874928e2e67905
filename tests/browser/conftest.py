"""The demo archive behind a real server, and a real browser in front of it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from forebear.archive import create_archive, open_archive
from processes import start_process

COLLECTIONS = ("baptisms", "marriages", "burials", "census")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def demo_file(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.forebear"
    records = repository / "demo" / "records"
    create_archive(path).close()
    with open_archive(path) as archive:
        for name in COLLECTIONS:
            archive.import_file(records / f"{name}.csv", mapping=str(records / f"{name}.toml"))
    return path


@pytest.fixture(scope="session")
def server_url(demo_file: Path) -> Iterator[str]:
    command = [str(Path(sys.executable).parent / "forebear"), "serve", "--port", "0"]
    with start_process([*command, "--archive", str(demo_file)], stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        try:
            url = server.stderr.readline().strip()
            assert url.startswith("http://127.0.0.1:"), url + server.stderr.read()
            yield url
        finally:
            server.terminate()
            server.wait(timeout=20)


@pytest.fixture
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(FLAGS))
        yield browser
        browser.close()

"""Fixtures for all tests: the real records next to the repository, storages, a browser.

A test that needs something this machine lacks is skipped with the reason, and the reasons are
listed at the end of the run.  Under CI nothing may be missing, so there the test fails.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import settings

from processes import start_process

if TYPE_CHECKING:
    from forebear.storage.memory import MemoryStorage
    from forebear.storage.opensearch.storage import OpenSearchStorage
    from forebear.storage.sqlite.storage import SqliteStorage

ROOT = Path(__file__).resolve().parent.parent

# Tests run in parallel: how long one example takes depends on the other processes.
# Under CI the examples are the same in every run, so that a change fails for its own faults only.
settings.register_profile("forebear", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("forebear")


def skip_without(component: str) -> NoReturn:
    """Skip a test for want of a component; fail under CI, where nothing may be missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{component}; under CI it must be there")
    pytest.skip(component)


@pytest.fixture(scope="session")
def repository() -> Path:
    return ROOT


def _shared(part: str, *, holds: str) -> Path:
    folder = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / part
    if not folder.is_dir():
        skip_without(f"no folder of {holds} (set FOREBEAR_SHARED)")
    return folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    return _shared("data", holds="real records")


@pytest.fixture
def shared_design() -> Path:
    return _shared("design", holds="design documents")


@pytest.fixture(params=["memory", "sqlite"])
def storage(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator["MemoryStorage | SqliteStorage"]:
    """Return an empty storage, of each kind that needs no server."""
    from forebear.storage.memory import MemoryStorage
    from forebear.storage.sqlite.schema import create_file
    from forebear.storage.sqlite.storage import SqliteStorage

    if request.param == "memory":
        yield MemoryStorage()
        return
    connection = create_file(tmp_path / "archive.forebear")
    yield SqliteStorage(connection)
    connection.close()


@pytest.fixture
def chromium_path() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        skip_without("no Chromium (install your system's package `chromium`)")
    return path


def _node_answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return "cluster_name" in json.load(answer)
    except (OSError, ValueError):
        return False


@pytest.fixture(scope="session")
def opensearch_url() -> str:
    url = os.environ.get("FOREBEAR_OPENSEARCH", "http://localhost:9200")
    if not _node_answers(url):
        skip_without("no OpenSearch (start one: `make opensearch`, or set FOREBEAR_OPENSEARCH)")
    return url


@pytest.fixture(scope="session")
def cluster_archive(
    opensearch_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator["OpenSearchStorage"]:
    """Return one archive in the cluster for all tests; each empties it before use."""
    from storages import opensearch_storage

    with opensearch_storage(opensearch_url, tmp_path_factory.mktemp("beside")) as storage:
        yield storage


@pytest.fixture(scope="session")
def java() -> str:
    path = shutil.which("java")
    if path is None:
        skip_without("no Java (install your system's package `openjdk-17-jre-headless`)")
    return path


@pytest.fixture(scope="session")
def curl() -> str:
    path = shutil.which("curl")
    if path is None:
        skip_without("no curl (install your system's package `curl`)")
    return path


@pytest.fixture(scope="session")
def openssl() -> str:
    path = shutil.which("openssl")
    if path is None:
        skip_without("no openssl (install your system's package `openssl`)")
    return path


@pytest.fixture(scope="session")
def counted_threads() -> Path:
    """Return the folder in which the system lists the threads of a process."""
    folder = Path("/proc/self/task")
    if not folder.is_dir():
        skip_without("no /proc/self/task (threads are counted on Linux)")
    return folder


@pytest.fixture(scope="session")
def demo_file(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of the demo's records, for tests that only read it."""
    import forebear

    path = tmp_path_factory.mktemp("demo") / "demo.forebear"
    records = repository / "demo" / "records"
    with forebear.create(path) as archive:
        for name in ("baptisms", "marriages", "burials", "census"):
            archive.import_file(records / f"{name}.csv", mapping=str(records / f"{name}.toml"))
    return path


@pytest.fixture(scope="session")
def server_url(demo_file: Path) -> Iterator[str]:
    """Return where a server of the demo's records answers."""
    command = [str(Path(sys.executable).parent / "forebear"), "serve", "--port", "0"]
    command += ["--archive", str(demo_file), "--max-requests", "10000"]  # of all tests together
    with start_process(command, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        try:
            url = server.stderr.readline().strip()
            assert url.startswith("http://127.0.0.1:"), url + server.stderr.read()
            yield url
        finally:
            server.terminate()
            server.wait(timeout=20)


@pytest.fixture(scope="session")
def sign_in_url(server_url: str, demo_file: Path) -> str:
    """Return the link that signs in to the server of the demo's records."""
    import forebear

    with forebear.open(demo_file) as archive:
        return f"{server_url}/sign-in/{archive.add_link('Mary')}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start tests that mostly wait first, so that others run meanwhile."""
    items.sort(key=lambda item: item.get_closest_marker("waits") is None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
    )
    if reasons:
        terminalreporter.section("not run on this machine")
        for reason, count in reasons.items():
            terminalreporter.line(f"{count} tests: {reason}")

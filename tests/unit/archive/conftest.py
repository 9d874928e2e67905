"""An archive of the demo's files, written once for all tests of a session."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import forebear

TABLES = ("baptisms", "marriages", "burials", "census")


@pytest.fixture(scope="session")
def demo_archive(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.forebear"
    with forebear.create(path) as archive:
        for name in TABLES:
            table = repository / "demo" / "records" / name
            archive.import_file(f"{table}.csv", mapping=f"{table}.toml")
    return path


@pytest.fixture
def archive(demo_archive: Path, tmp_path: Path) -> Iterator[forebear.Archive]:
    path = Path(shutil.copy(demo_archive, tmp_path / "archive.forebear"))
    with forebear.open(path) as archive:
        yield archive

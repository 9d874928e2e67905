"""A small archive behind the page: a family, namesakes, a living person, odd characters."""

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.archive import Archive, create_archive, open_archive
from forebear.server.app import make_app

with warnings.catch_warnings():
    # The test client would rather have httpx2, which our lock does not know yet.
    warnings.filterwarnings("ignore", message="Using `httpx`")
    from fastapi.testclient import TestClient

SMALL = Path(__file__).parent / "small_archive"
NAMESAKES = 45  # enough for three pages


@pytest.fixture(scope="session")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    path = folder / "small.forebear"
    many = folder / "many.csv"
    rows = [f"N-{n},{1800 + n},Raydon,Suffolk,Alice,Tye,F,Amos Tye" for n in range(NAMESAKES)]
    many.write_text("\n".join(["id,date,parish,county,given,surname,sex,father", *rows]))
    create_archive(path).close()
    with open_archive(path) as archive:
        for name in ("baptisms", "census"):
            archive.import_file(SMALL / f"{name}.csv", mapping=str(SMALL / f"{name}.toml"))
        archive.import_file(many, mapping=str(SMALL / "baptisms.toml"), collection="many")
    return path


@pytest.fixture
def archive(small_file: Path, tmp_path: Path) -> Iterator[Archive]:
    path = tmp_path / "copy.forebear"
    shutil.copy(small_file, path)
    with open_archive(path) as opened:
        yield opened


@pytest.fixture
def anonymous(archive: Archive) -> Iterator[TestClient]:
    with TestClient(make_app(archive), follow_redirects=False) as visitor:
        yield visitor


@pytest.fixture
def client(archive: Archive) -> Iterator[TestClient]:
    """A visitor who is signed in."""
    with TestClient(make_app(archive), follow_redirects=False) as visitor:
        assert visitor.get(f"/sign-in/{archive.add_link('Mary')}").status_code == 303
        yield visitor

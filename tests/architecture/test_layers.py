"""The direction of dependency holds, and the check that says so can fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def check_layers(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copied_tree(repository: Path, tmp_path: Path) -> Path:
    shutil.copytree(
        repository / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(repository / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_room_imports_only_rooms_below_it(repository: Path) -> None:
    checked = check_layers(repository)

    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("module", "planted", "contract"),
    [
        ("records/record.py", "import forebear.search.searcher", "A room imports only"),
        ("search/model.py", "import forebear.search.results.page", "A stage of the search"),
        ("search/searcher.py", "import pyroaring", "Bitmaps stay"),
        ("archive/archive.py", "import fastapi", "The web framework stays"),
    ],
)
def test_a_planted_wrong_import_is_found(
    copied_tree: Path, module: str, planted: str, contract: str
) -> None:
    path = copied_tree / "src" / "forebear" / module
    path.write_text(f"{planted}\n{path.read_text('utf-8')}", "utf-8")

    checked = check_layers(copied_tree)

    assert checked.returncode != 0
    assert f"{contract}" in checked.stdout
    assert "BROKEN" in checked.stdout

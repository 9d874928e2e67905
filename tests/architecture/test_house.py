"""The house is in order: the map names every room, and nothing drags in what it need not."""

import re
import subprocess
import sys
from pathlib import Path

HEADING = re.compile(r"^## `([^`]+)`", re.MULTILINE)


def test_every_path_of_the_architecture_page_exists(repository: Path) -> None:
    page = (repository / "ARCHITECTURE.md").read_text("utf-8")

    dead = [path for path in HEADING.findall(page) if not (repository / path).exists()]

    assert HEADING.findall(page)
    assert dead == []


def test_every_room_has_a_heading_on_the_architecture_page(repository: Path) -> None:
    page = (repository / "ARCHITECTURE.md").read_text("utf-8")
    rooms = {
        path.relative_to(repository).as_posix()
        for path in (repository / "src").glob("*/*/")
        if path.name != "__pycache__"
    }

    assert rooms
    assert rooms <= set(HEADING.findall(page))


def sections(page: str) -> dict[str, str]:
    """Return what the architecture page says below each heading that is a path."""
    parts = HEADING.split(page)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def folder_of(room: Path) -> Path:
    return room if room.is_dir() else room.parent


def is_left_behind(folder: Path) -> bool:
    """Say whether a run made the folder: caches, and what the demo works in."""
    return any(part == "__pycache__" or part.startswith(".") for part in folder.parts)


def test_every_folder_is_named_in_its_room(repository: Path) -> None:
    page = (repository / "ARCHITECTURE.md").read_text("utf-8")

    untold = [
        f"{room}: {folder.relative_to(repository / room).as_posix()}/"
        for room, text in sections(page).items()
        for folder in (repository / room).glob("**/" if room.startswith("src/") else "*/")
        if folder != repository / room and not is_left_behind(folder.relative_to(repository))
        if f"`{folder.relative_to(repository / room).as_posix()}/`" not in text
    ]

    assert untold == []


def test_every_file_and_folder_named_in_a_room_is_there(repository: Path) -> None:
    page = (repository / "ARCHITECTURE.md").read_text("utf-8")
    named = [
        (room, name)
        for room, text in sections(page).items()
        for name in re.findall(r"`([\w/*]+(?:/|\.py|\.csv))`", text)
    ]

    gone = [
        f"{room}: {name}"
        for room, name in named
        if not list(folder_of(repository / room).glob(name))
    ]

    assert len(named) > len(sections(page))
    assert gone == []


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import forebear, sys; print([m for m in sys.modules if m.split('.')[0] in "
        "('numpy', 'numba', 'scipy', 'fastapi', 'pyroaring')])"
    )

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    assert loaded.strip() == "[]"


def test_nothing_in_the_tree_names_a_package_index(repository: Path) -> None:
    lock = (repository / "requirements.lock").read_text("utf-8")

    assert "://" not in lock
    assert "--hash=sha256:" in lock

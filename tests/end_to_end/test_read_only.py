"""What only reads works where nothing can be written; what writes fails with a clear message."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import skip_without

FOREBEAR = [sys.executable, "-c", "from forebear.cli.app import main; main()"]
ROOM = 1 << 20  # bytes on the small disk besides the archive
_PR_CAPBSET_DROP = 24  # from <sys/prctl.h>
_CAPABILITIES = (1, 2, 3)  # of root: to ignore the permissions of files


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """Mount a disk in memory."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        skip_without("no right to mount a disk (run as root)")
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        skip_without("no right to mount a disk (run as root)")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that every user may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        (Path(name) / "disk").mkdir()
        yield Path(name)


@pytest.fixture
def read_only_disk(folder: Path, demo_file: Path) -> Iterator[Path]:
    with mounted(folder / "disk", "size=64m"):
        path = Path(shutil.copy(demo_file, folder / "disk" / "archive.forebear"))
        subprocess.run(["mount", "-o", "remount,ro", str(folder / "disk")], check=True)
        yield path


@pytest.fixture
def full_disk(folder: Path, demo_file: Path) -> Iterator[Path]:
    with mounted(folder / "disk", f"size={demo_file.stat().st_size + ROOM}"):
        path = Path(shutil.copy(demo_file, folder / "disk" / "archive.forebear"))
        with (folder / "disk" / "filler").open("wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                pass
        yield path


@pytest.fixture
def unwritable_folder(folder: Path, demo_file: Path) -> Iterator[Path]:
    path = Path(shutil.copy(demo_file, folder / "disk" / "archive.forebear"))
    path.chmod(0o444)
    path.parent.chmod(0o555)
    yield path
    path.parent.chmod(0o755)


@pytest.fixture(params=["read_only_disk", "full_disk", "unwritable_folder"])
def archive(request: pytest.FixtureRequest) -> Path:
    path: Path = request.getfixturevalue(request.param)
    return path


def obey_permissions() -> None:
    """Give up the right to ignore permissions, before a program starts."""
    if sys.platform == "linux" and os.geteuid() == 0:
        for capability in _CAPABILITIES:
            ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability)


def run(archive: Path, *words: object) -> "subprocess.CompletedProcess[str]":
    """Run a command to which the permissions of files apply, also if root starts it."""
    return subprocess.run(
        [*FOREBEAR, *map(str, words), "--archive", str(archive)],
        preexec_fn=obey_permissions,
        cwd=archive.parent.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_what_reads_works(archive: Path) -> None:
    target = archive.parent.parent / "target"
    target.mkdir()
    target.chmod(0o777)
    before = archive.read_bytes()

    ran = {
        words[0]: run(archive, *words)
        for words in (
            ("search", "--surname", "Cornell", "--no-log"),
            ("show", "burials:BUR-0001"),
            ("check",),
            ("collections",),
            ("backup", target / "copy.forebear"),
        )
    }

    assert {name: (done.returncode, done.stderr) for name, done in ran.items()} == {
        **dict.fromkeys(("search", "show", "check", "collections"), (0, "")),
        "backup": (0, f"wrote {target / 'copy.forebear'}\n"),
    }
    assert "Cornell" in ran["search"].stdout
    assert "0 faults" in ran["check"].stdout
    assert "0 faults" in run(target / "copy.forebear", "check").stdout
    assert archive.read_bytes() == before


def test_a_search_that_cannot_be_logged_prints_its_result(archive: Path) -> None:
    ran = run(archive, "search", "--surname", "Cornell")

    assert ran.returncode == 0
    assert "Cornell" in ran.stdout
    assert "was not logged" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_what_writes_fails_with_a_message(archive: Path, repository: Path) -> None:
    table = repository / "demo" / "records" / "burials"
    before = archive.read_bytes()
    changed = archive.parent.parent / "changed.csv"
    changed.write_text(Path(f"{table}.csv").read_text("utf-8").replace("Cornell", "Kornell"))

    for words in (
        ("takedown", "burials:BUR-0001"),
        ("import", changed, "--mapping", f"{table}.toml"),
        ("backup", archive.with_name("copy.forebear")),
        ("restore", repository / "tests" / "golden" / "archives" / "format_3.archive"),
    ):
        ran = run(archive, *words)
        assert ran.returncode in (2, 3), words
        assert ran.stderr.startswith("error: "), ran.stderr
        assert "Traceback" not in ran.stderr
        assert any(
            reason in ran.stderr
            for reason in ("read-only", "Read-only", "full", "No space", "Permission denied")
        ), ran.stderr
    assert archive.read_bytes() == before
    assert not archive.with_name("copy.forebear").exists()

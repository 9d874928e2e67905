"""Tests for `forebear.storage.sqlite.backup`."""

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import forebear
from forebear.errors import ArchiveError, NotFoundError, StorageError
from forebear.storage.sqlite.backup import back_up, restore_backup
from forebear.storage.sqlite.migrate import open_file

FOREBEAR = [sys.executable, "-c", "from forebear.cli.app import main; main()"]


@pytest.fixture
def archive(demo_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "archive.forebear"
    shutil.copy(demo_file, path)
    return path


@pytest.fixture
def backup(repository: Path, tmp_path: Path) -> Path:
    """Return a backup that has fewer records than the archive."""
    path, table = tmp_path / "backup.forebear", repository / "demo" / "records" / "burials"
    with forebear.create(path) as archive:
        archive.import_file(f"{table}.csv", mapping=f"{table}.toml")
    return path


def digest(path: Path) -> str:
    with forebear.open(path) as archive:
        assert archive.check().faults == ()
        return archive.digest()


def counter(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute("SELECT counter FROM changes").fetchone()[0])


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_backup_is_one_file_that_holds_the_same(archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()

    with closing(open_file(archive)) as connection:
        back_up(connection, target / "copy.forebear")

    assert names(target) == {"copy.forebear"}
    assert digest(target / "copy.forebear") == digest(archive)


@pytest.mark.parametrize("name", ["", ".", "..", "/"])
def test_a_backup_is_no_folder(archive: Path, name: str) -> None:
    with (
        closing(open_file(archive)) as connection,
        pytest.raises(ArchiveError, match="is there already"),
    ):
        back_up(connection, Path(name))


def test_a_backup_takes_no_name_that_is_taken(archive: Path, tmp_path: Path) -> None:
    log = tmp_path / "copy.forebear-wal"
    log.write_bytes(b"changes of another file")

    with closing(open_file(archive)) as connection:
        with pytest.raises(ArchiveError, match=r"copy\.forebear-wal' is there already"):
            back_up(connection, tmp_path / "copy.forebear")
        with pytest.raises(ArchiveError, match="nowhere' does not exist"):
            back_up(connection, tmp_path / "nowhere" / "copy.forebear")

    assert not (tmp_path / "copy.forebear").exists()


def test_what_an_interrupted_backup_left_is_removed_by_the_next(
    archive: Path, tmp_path: Path
) -> None:
    left, running = (tmp_path / f".copy.forebear.partial-{name}" for name in "ab")
    for folder in (left, running):
        folder.mkdir()
        (folder / "copy.forebear").write_bytes(b"half")
    lock = os.open(running, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)

    with closing(open_file(archive)) as connection:
        back_up(connection, tmp_path / "copy.forebear")
    os.close(lock)

    assert not left.exists()
    assert running.exists()


def test_a_killed_backup_leaves_nothing_under_its_name(archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    command = [*FOREBEAR, "backup", str(target / "copy.forebear"), "--archive", str(archive)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 30
        while not names(target) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        process.kill()

    assert names(target) == {"copy.forebear"} or not (target / "copy.forebear").exists()
    (target / "copy.forebear").unlink(missing_ok=True)
    with closing(open_file(archive)) as connection:
        back_up(connection, target / "copy.forebear")
    assert names(target) == {"copy.forebear"}
    assert digest(target / "copy.forebear") == digest(archive)


def test_a_backup_replaces_an_archive_that_is_open(archive: Path, backup: Path) -> None:
    before, after = counter(archive), digest(backup)

    with forebear.open(archive) as opened:
        hits = len(opened.search(surname="Cornell", log=False))
        restore_backup(backup, archive)
        fewer = len(opened.search(surname="Cornell", log=False))
        collections = [collection.name for collection in opened.collections()]

    assert digest(archive) == after
    assert counter(archive) > before + 1_000
    assert collections == ["burials"]
    assert 0 < fewer < hits
    assert not [name for name in names(archive.parent) if "partial" in name]


def test_a_snapshot_that_began_before_a_restore_sees_the_old_archive(
    archive: Path, backup: Path
) -> None:
    count = "SELECT count(*) FROM records"
    with closing(open_file(archive)) as connection:
        with connection.snapshot():
            before = connection.rows(count)
            restore_backup(backup, archive)
            assert connection.rows(count) == before
            assert connection.rows("PRAGMA quick_check") == [("ok",)]
        assert connection.rows(count) < before


def test_a_backup_creates_an_archive_where_there_is_none(backup: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()

    assert restore_backup(backup, target / "new.forebear") == ()

    assert names(target) == {"new.forebear"}
    assert digest(target / "new.forebear") == digest(backup)


def test_takedowns_that_the_backup_lacks_are_returned(archive: Path, tmp_path: Path) -> None:
    with forebear.open(archive) as opened:
        opened.takedown("burials:BUR-0001")
        opened.backup(tmp_path / "copy.forebear")
        opened.takedown("burials:BUR-0002")

    assert restore_backup(tmp_path / "copy.forebear", archive) == ("burials:BUR-0002",)


def test_a_backup_of_an_older_format_is_migrated(
    archive: Path, repository: Path, tmp_path: Path
) -> None:
    older = tmp_path / "older.forebear"
    shutil.copy(repository / "tests" / "golden" / "archives" / "format_3.archive", older)
    before = older.read_bytes()

    restore_backup(older, archive)

    with forebear.open(archive) as opened:
        assert opened.check().faults == ()
    assert older.read_bytes() == before


def test_a_damaged_archive_can_be_restored(archive: Path, backup: Path) -> None:
    data = bytearray(archive.read_bytes())
    data[5000:] = bytes(len(data) - 5000)
    archive.write_bytes(data)

    restore_backup(backup, archive)

    assert digest(archive) == digest(backup)


def test_a_damaged_backup_restores_nothing(archive: Path, backup: Path) -> None:
    before = digest(archive)
    with closing(sqlite3.connect(backup)) as database:
        database.execute("UPDATE personas SET terms = x'' WHERE id = 7")
        database.commit()

    with pytest.raises(StorageError, match="is damaged, and nothing was restored"):
        restore_backup(backup, archive)

    assert digest(archive) == before


def test_wrong_paths_are_refused(archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("no archive")

    with pytest.raises(NotFoundError, match="there is no backup at"):
        restore_backup(tmp_path / "nothing", archive)
    with pytest.raises(ArchiveError, match="is not a Forebear archive"):
        restore_backup(other, archive)
    with pytest.raises(ArchiveError, match="is not a Forebear archive"):
        restore_backup(archive, other)
    with pytest.raises(ArchiveError, match="is the archive itself"):
        restore_backup(archive, archive)
    assert other.read_text() == "no archive"

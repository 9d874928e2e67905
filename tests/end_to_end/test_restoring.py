"""`forebear restore` replaces an archive while `forebear serve` answers from it."""

import json
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import forebear
from processes import start_process

FOREBEAR = [sys.executable, "-c", "from forebear.cli.app import main; main()"]
PATIENCE = 60  # seconds, against hangs only
SEARCH = "/api/1/search?surname=Cornell"


@contextmanager
def serving(path: Path, *words: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    command = [*FOREBEAR, "serve", "--port", "0", "--archive", str(path), *words]
    with start_process([*command, "--max-requests", "100000"], stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        try:
            yield process, process.stderr.readline().strip()
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return json.load(response)


def test_a_served_archive_is_replaced(demo_file: Path, repository: Path, tmp_path: Path) -> None:
    path, backup = tmp_path / "archive.forebear", tmp_path / "backup.forebear"
    shutil.copy(demo_file, path)
    table = repository / "demo" / "records" / "burials"
    with forebear.create(backup) as archive:
        archive.import_file(f"{table}.csv", mapping=f"{table}.toml")
        digest = archive.digest()
    totals: list[int] = []
    failures: list[Exception] = []
    is_done = threading.Event()

    def search(url: str) -> None:
        while not is_done.is_set():
            try:
                totals.append(get(url + SEARCH)["total"])
            except (OSError, ValueError, KeyError) as error:
                failures.append(error)

    with serving(path, "--workers", "2") as (server, url):
        before = get(url + SEARCH)["total"]
        searcher = threading.Thread(target=search, args=(url,))
        searcher.start()
        try:
            for source in (demo_file, backup):
                ran = subprocess.run(
                    [*FOREBEAR, "restore", str(source), "--archive", str(path)],
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=PATIENCE,
                )
                assert ran.returncode == 0, ran.stderr
                time.sleep(0.3)
        finally:
            is_done.set()
            searcher.join(timeout=PATIENCE)
        after = get(url + SEARCH)["total"]
        collections = [collection["name"] for collection in get(f"{url}/api/1/collections")]
        assert server.poll() is None

    assert failures == []
    assert 0 < after < before
    assert set(totals) <= {before, after}
    assert collections == ["burials"]
    with closing(forebear.open(path)) as archive:
        assert archive.check().faults == ()
        assert archive.digest() == digest


def test_an_interrupted_restore_leaves_the_old_archive_or_the_new_one(
    demo_file: Path, repository: Path, tmp_path: Path
) -> None:
    path, backup = tmp_path / "archive.forebear", tmp_path / "backup.forebear"
    table = repository / "demo" / "records" / "burials"
    with forebear.create(backup) as archive:
        archive.import_file(f"{table}.csv", mapping=f"{table}.toml")
        after = archive.digest()
    with forebear.open(demo_file) as archive:
        before = archive.digest()
    shutil.copy(demo_file, path)
    size = path.stat().st_size

    def log_size() -> int:
        try:
            return path.with_name(f"{path.name}-wal").stat().st_size
        except FileNotFoundError:  # not yet there, or removed between two looks
            return 0

    command = [*FOREBEAR, "restore", str(backup), "--archive", str(path)]
    for share in (0.0, 0.1, 0.5):  # of the pages in the log of changes
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and log_size() <= share * size:
                time.sleep(0.0005)
            process.kill()
        with forebear.open(path) as archive:
            assert archive.check().faults == ()
            assert archive.digest() in (before, after)


def test_restore_lists_takedowns_that_it_undoes(archive: Path, run: Callable[..., Any]) -> None:
    copy = archive.with_name("copy.forebear")
    assert run("backup", copy).status == 0
    assert run("takedown", "burials:BUR-0001").status == 0

    restored = run("restore", copy)

    assert restored.status == 0
    assert "1 records were taken down since the backup and are visible again" in restored.err
    assert "burials:BUR-0001" in restored.err
    assert run("takedown").out.strip() == ""
    assert run("restore", copy, "--archive", archive.with_name("new.forebear")).status == 0
    assert run("restore", "nothing").status == 2

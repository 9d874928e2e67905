"""An import that is killed leaves a sound archive and goes on to the same end."""

import random
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from benchmarks.quality.kills import MAPPING, kill_imports, make_rows, run_import, write_table

from forebear.archive import create_archive, open_archive
from forebear.storage.port import ClusterAddress

ROWS = 4000
PATIENCE_SECONDS = 120


def test_an_import_and_a_reimport_survive_kills(tmp_path: Path) -> None:
    outcomes = list(kill_imports(tmp_path, kills=2, rows=2100, seed=7))

    assert {outcome.command for outcome in outcomes} == {"import", "re-import"}
    assert [outcome for outcome in outcomes if not outcome.is_right] == []


@pytest.fixture
def make_cluster(opensearch_url: str, tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    made: list[Path] = []

    def make(name: str) -> Path:
        prefix = f"{name}-{secrets.token_hex(4)}"
        address = ClusterAddress(hosts=(opensearch_url,), prefix=prefix, replicas=0)
        made.append(tmp_path / f"{name}.forebear")
        create_archive(made[-1], cluster=address).close()
        return made[-1]

    yield make
    for path in made:
        open_archive(path).delete()


def test_an_import_to_a_cluster_survives_a_kill(
    make_cluster: Callable[[str], Path], tmp_path: Path
) -> None:
    file, mapping = tmp_path / "census.csv", tmp_path / "census.toml"
    mapping.write_text(MAPPING, encoding="utf-8")
    write_table(file, make_rows(random.Random(7), ROWS))
    whole, victim = make_cluster("whole"), make_cluster("victim")
    with open_archive(whole) as archive:
        archive.import_file(file, mapping=str(mapping))
        undisturbed = archive.digest()

    process = run_import(file, mapping, victim)
    wait_for_records(victim)
    was_running = process.poll() is None
    process.kill()
    process.wait()
    there_then = records_of(victim)
    with open_archive(victim) as archive:
        report = archive.import_file(file, mapping=str(mapping))
        checked = archive.check()
        digest = archive.digest()

    assert was_running
    assert 0 < there_then < ROWS
    assert report.resumed
    assert (checked.records, checked.faults) == (ROWS, ())
    assert digest == undisturbed


def records_of(path: Path) -> int:
    """Return how many records an archive has; opened anew, it remembers nothing."""
    with open_archive(path) as archive:
        return sum(archive.counts(viewer=archive.viewer("owner")).values())


def wait_for_records(path: Path) -> None:
    """Return as soon as an archive has some records."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not records_of(path):
        assert time.monotonic() < deadline, f"no record within {PATIENCE_SECONDS} s"
        time.sleep(0.05)

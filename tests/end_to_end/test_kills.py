"""An import to a cluster that is killed leaves a sound archive and ends the same.

Imports to a file, and everything else that can be killed, are in `attack/kills.py`.
"""

import random
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from attack.kills import IN_SMALL_BATCHES
from attack.running import end, left_behind, start_python
from attack.worlds import make_rows, write_census

from forebear.archive import create_archive, open_archive
from forebear.storage.port import ClusterAddress

ROWS = 4000
PATIENCE_SECONDS = 120


@pytest.fixture
def make_cluster(opensearch_url: str, tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    paths: list[Path] = []

    def make(name: str) -> Path:
        prefix = f"{name}-{secrets.token_hex(4)}"
        address = ClusterAddress(hosts=(opensearch_url,), prefix=prefix, replicas=0)
        paths.append(tmp_path / f"{name}.forebear")
        create_archive(paths[-1], cluster=address).close()
        return paths[-1]

    yield make
    for path in paths:
        open_archive(path).delete()


def test_an_import_to_a_cluster_survives_a_kill(
    make_cluster: Callable[[str], Path], opensearch_url: str, tmp_path: Path
) -> None:
    file, mapping = write_census(tmp_path, make_rows(random.Random(7), ROWS))
    whole, victim = make_cluster("whole"), make_cluster("victim")
    with open_archive(whole) as archive:
        archive.import_file(file, mapping=str(mapping))
        undisturbed = archive.digest()

    process = start_python(
        IN_SMALL_BATCHES, "import", file, "--mapping", mapping, "--archive", victim
    )
    try:
        wait_for_records(victim, opensearch_url)
        was_running = process.poll() is None
        process.kill()
        process.communicate()
        is_left = left_behind(process)
    finally:
        end(process)
    there_then = records_of(victim, opensearch_url)
    with open_archive(victim) as archive:
        report = archive.import_file(file, mapping=str(mapping))
        checked = archive.check()
        digest = archive.digest()

    assert was_running
    assert not is_left
    assert 0 < there_then < ROWS
    assert report.resumed
    assert (checked.records, checked.faults) == (ROWS, ())
    assert digest == undisturbed


def records_of(path: Path, url: str) -> int:
    """Return how many records an archive has; opened again, it remembers nothing.

    What an import sent counts before its end, when it makes the records visible to searches.
    """
    urlopen(Request(f"{url}/_refresh", method="POST")).close()
    with open_archive(path) as archive:
        return sum(archive.counts(viewer=archive.viewer("owner")).values())


def wait_for_records(path: Path, url: str) -> None:
    """Return as soon as an archive has some records."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not records_of(path, url):
        assert time.monotonic() < deadline, f"no record within {PATIENCE_SECONDS} s"
        time.sleep(0.05)

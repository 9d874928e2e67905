"""Pages that every visitor opens cost the same however large a collection is.

The cost is counted in steps of SQLite's virtual machine, which do not depend on the machine.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import forebear
from forebear.archive import Archive
from making import make_baptism, make_collection

FEW, MANY = 1_200, 12_000
JOBS: dict[str, Callable[[Archive], object]] = {
    "/ and /health": lambda archive: archive.counts(viewer="public"),
    "/browse": lambda archive: archive.browse("baptisms", viewer="public"),
    "/browse, another page": lambda archive: archive.browse(
        "baptisms", viewer="public", after=archive.browse("baptisms", viewer="public").after
    ),
    "/browse, by the owner": lambda archive: archive.browse("baptisms", viewer="owner"),
    "/beside": lambda archive: archive.neighbors("baptisms:150", around=10, viewer="public"),
}


def steps(archive: Archive, job: Callable[[Archive], object]) -> int:
    """Return how many steps a job takes for the second visitor after a change."""
    job(archive)
    taken = 0

    def count() -> None:
        nonlocal taken
        taken += 1

    # Inside a snapshot a thread reads over one connection.
    with archive._file.snapshot(), archive._file._reader() as sqlite:
        sqlite.set_progress_handler(count, 1)
        try:
            job(archive)
        finally:
            sqlite.set_progress_handler(None, 0)
    return taken


def fill(path: Path, size: int) -> Archive:
    """Return an archive of so many records, nine of ten of them hidden."""
    archive = forebear.create(path)
    archive.storage.put_collection(make_collection())
    archive.storage.write(
        [
            (
                make_baptism(
                    str(n),
                    date="1801" if n % 10 == 0 else str(1990 + n % 3),
                    source=f"book.csv:{n}",
                ),
            )
            for n in range(1, size + 1)
        ]
    )
    return archive


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[Archive]:
    folder = tmp_path_factory.mktemp("sizes")
    return [fill(folder / f"{size}.forebear", size) for size in (FEW, MANY)]


@pytest.mark.parametrize("job", JOBS)
def test_ten_times_as_many_records_take_no_more_steps(job: str, archives: list[Archive]) -> None:
    few, many = (steps(archive, JOBS[job]) for archive in archives)

    assert 0 < many < 1.3 * few + 100, (few, many)

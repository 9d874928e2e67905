"""What do checksums cost?  Searches and an import with verification and without, in turns.

    python -m benchmarks.speed.checksums --personas 50000 --rounds 5

The world is ``make_records.py``'s.  Without verification means that the functions that compare
checksums when rows are read return their rows as they are.  A cold search opens the archive
in this process and has no caches; a warm one repeats a query.  Of each the least CPU time of all
rounds counts: the sum, over the queries, of the least time of each.  An import is measured by the
CPU time of the process that writes; without checksums it calculates none.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.simulated_world import import_world, make_world
from benchmarks.speed.search import read_queries
from forebear.archive import Archive, create_archive, open_archive
from forebear.search.query.person_query import PersonQuery
from forebear.storage.sqlite import (
    columns,
    models,
    postings,
    records,
    schema,
    write,
)

TABLE_READERS = (records, schema, models)
COLD = 6  # queries, each of which opens the archive
MOST = 1.03  # times the search without verification


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--personas", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        world = make_world(
            Path(folder) / "world",
            personas=options.personas,
            seed=options.seed,
            queries=options.queries,
        )
        queries = list(read_queries(world / "queries.jsonl", options.queries))
        path = Path(folder) / "world.forebear"
        with create_archive(path) as archive:
            import_world(archive, world)
        with open_archive(path) as archive:
            warm = compare(lambda: search_all(archive, queries), options.rounds)
        cold = compare(lambda: search_cold(path, queries[:COLD]), options.rounds)
        imports = compare(lambda: import_all(Path(folder), world), max(1, options.rounds // 2))
    met = True
    for name, (verified, plain) in {
        "warm search": warm,
        "cold search": cold,
        "import": imports,
    }.items():
        ratio = verified / plain
        met = met and ratio <= MOST
        print(f"{name:12} {verified:8.3f} s verified, {plain:8.3f} s not: {ratio:.3f} times")
    print(f"at most {MOST} times: {'met' if met else 'missed'}")
    return 0 if met else 1


def compare(job: Callable[[], Sequence[float]], rounds: int) -> tuple[float, float]:
    """Return the least seconds of a job, verified and not; which comes first alternates."""
    times: dict[bool, list[Sequence[float]]] = {True: [], False: []}
    job()
    for number in range(2 * rounds):
        is_verified = number % 4 in (0, 3)
        with ExitStack() as stack:
            if not is_verified:
                stack.enter_context(without_checksums())
            times[is_verified].append(job())
    verified, plain = (float(np.min(times[is_on], axis=0).sum()) for is_on in (True, False))
    return verified, plain


def search_all(archive: Archive, queries: Sequence[PersonQuery]) -> list[float]:
    """Return the CPU seconds of each search."""
    seconds = []
    for query in queries:
        started = time.process_time()
        archive.search(query, log=False)
        seconds.append(time.process_time() - started)
    return seconds


def search_cold(path: Path, queries: Sequence[PersonQuery]) -> list[float]:
    """Return the CPU seconds of each search of an archive that was opened for it."""
    seconds = []
    for query in queries:
        started = time.process_time()
        with open_archive(path) as archive:
            archive.search(query, log=False)
        seconds.append(time.process_time() - started)
    return seconds


def import_all(folder: Path, world: Path) -> list[float]:
    """Return the CPU seconds of an import."""
    path = folder / "import.forebear"
    for left in folder.glob(f"{path.name}*"):
        left.unlink()
    started = time.process_time()
    with create_archive(path) as archive:
        import_world(archive, world)
    return [time.process_time() - started]


@contextmanager
def without_checksums() -> Iterator[None]:
    """Make reading and writing believe every row."""

    def zeros(columns: Sequence[Any], _terms: Any) -> Any:
        return np.zeros(len(columns[0]), np.int64)

    def believe(*_: object) -> None:
        return None

    def zero(*_: object) -> int:
        return 0

    with ExitStack() as stack:
        for module, name, function in (
            (records, "sound_keys", lambda _, rows: {number: key for number, key, _ in rows}),
            (records, "require_sound", believe),
            (write, "require_sound", believe),
            *((module, "require_table", believe) for module in TABLE_READERS),
            (postings, "sound_terms", lambda _, rows: [(n, term) for n, term, _ in rows]),
            (postings, "sound_postings", lambda _, rows: [(t, b, p) for t, b, p, _ in rows]),
            (columns, "damaged_personas", lambda *_: ()),
            (write, "persona_checksums", zeros),
            (write, "record_checksum", zero),
            (postings, "term_checksum", zero),
            (postings, "posting_checksum", zero),
        ):
            stack.enter_context(patch.object(module, name, function))
        yield


if __name__ == "__main__":
    sys.exit(main())

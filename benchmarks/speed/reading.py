"""Do searches get slower or wrong while records are imported?

    python -m benchmarks.speed.reading --personas 50000 --seconds 20

Eight processes search one archive, first undisturbed, then while another imports tables into it,
piece by piece.  Printed: the latency of whole searches with a page explained, with and without
the import, and whether any answer was wrong.

An answer is right if it is, to the last bit, what the same query gives on a state of the archive
between two pieces: the import is done over again on a copy, undisturbed, and after each piece
every query runs.  Simulated data.
"""

import argparse
import hashlib
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

import numpy as np

from benchmarks.simulated_world import PREFIX, TABLES, import_world, make_world
from benchmarks.speed.search import bar, read_queries
from forebear.archive import Archive, create_archive, open_archive
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.page import make_page
from forebear_lab.evaluation.tables import Cell, Table

READERS = 8
QUERIES = 40
PIECE_ROWS = 250  # far fewer than an import writes at once, so a piece is one step
MORE = "more_"  # before the names of the collections that arrive


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a reader got, and how long it waited."""

    query: int
    digest: str  # of the whole answer; of the error, if there was one
    wall_ms: float
    cpu_ms: float
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What all readers got, undisturbed and during an import."""

    alone: list[Answer]
    during: list[Answer]
    pieces: int  # imported while they read
    states: list[list[str]]  # the right answers by query, before and after each piece

    @property
    def wrong(self) -> list[Answer]:
        """Return the answers that no state of the archive gives, and the errors."""
        right = [set(digests) for digests in zip(*self.states, strict=True)]
        first = [{digests[0]} for digests in zip(*self.states, strict=True)]
        return [
            *(answer for answer in self.alone if answer.digest not in first[answer.query]),
            *(answer for answer in self.during if answer.digest not in right[answer.query]),
        ]

    @property
    def changed(self) -> int:
        """Return how many answers differ from those before the import."""
        return sum(answer.digest != self.states[0][answer.query] for answer in self.during)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--personas", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each half")
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reading = read_while_importing(
            Path(folder),
            personas=options.personas,
            seconds=options.seconds,
            readers=options.readers,
            seed=options.seed,
        )
    print(text_of(reading, readers=options.readers))
    return 1 if reading.wrong or not reading.pieces else 0


def read_while_importing(
    room: Path, *, personas: int, seconds: float, readers: int, seed: int
) -> Reading:
    """Search an archive undisturbed and during an import, and compute the right answers."""
    world = make_world(room / "world", personas=personas, seed=seed, queries=QUERIES)
    more = make_world(room / "more", personas=personas, seed=seed + 1, queries=1)
    pieces = list(cut(more, room / "pieces"))
    path, copy = room / "read.archive", room / "again.archive"
    create_archive(path).close()
    with open_archive(path) as archive:
        import_world(archive, world)
        archive.backup(copy)
    queries = world / "queries.jsonl"
    alone, _ = read(path, queries, seconds=seconds, readers=readers, pieces=[])
    during, done = read(path, queries, seconds=seconds, readers=readers, pieces=pieces)
    states = list(right_answers(copy, queries, pieces[:done]))
    return Reading(alone=alone, during=during, pieces=done, states=states)


def cut(world: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the tables of a world in pieces of a few rows, all tables in turn."""
    folder.mkdir()
    rows = {table: (world / f"{table}.csv").read_text("utf-8").splitlines() for table in TABLES}
    for start in range(1, max(map(len, rows.values())), PIECE_ROWS):
        for table, (heading, *_) in rows.items():
            if part := rows[table][start : start + PIECE_ROWS]:
                path = folder / f"{table}-{start}.csv"
                path.write_text("\n".join([heading, *part, ""]), "utf-8")
                yield path, table


def read(
    path: Path,
    queries: Path,
    *,
    seconds: float,
    readers: int,
    pieces: Sequence[tuple[Path, str]],
) -> tuple[list[Answer], int]:
    """Let readers search for a time while pieces are imported; return how many were."""
    context = multiprocessing.get_context("spawn")
    answers: Queue[list[Answer]] = context.Queue()
    ready, stop = context.Barrier(readers + 1), context.Event()
    processes = [
        context.Process(target=search_until, args=(path, queries, number, ready, stop, answers))
        for number in range(readers)
    ]
    for process in processes:
        process.start()
    ready.wait()
    done = 0
    ends = time.monotonic() + seconds
    with open_archive(path) as archive:
        for piece in pieces:
            if time.monotonic() > ends:
                break
            import_piece(archive, piece)
            done += 1
    time.sleep(max(0.0, ends - time.monotonic()))
    stop.set()
    collected = [answer for _ in processes for answer in answers.get()]
    for process in processes:
        process.join()
    return collected, done


def search_until(
    path: Path,
    queries: Path,
    number: int,
    ready: "multiprocessing.synchronize.Barrier",
    stop: Event,
    answers: "Queue[list[Answer]]",
) -> None:
    """Search for one query after the other until ``stop`` is set, beginning at another each."""
    person_queries = list(read_queries(queries, QUERIES))
    collected: list[Answer] = []
    with open_archive(path) as archive:
        answer_digest(archive, person_queries[number % len(person_queries)])
        ready.wait()
        at = number * 5
        while not stop.is_set():
            collected.append(timed_answer(archive, person_queries, at % len(person_queries)))
            at += 1
    answers.put(collected)


def timed_answer(archive: Archive, queries: Sequence[PersonQuery], query: int) -> Answer:
    wall, cpu, failed = time.perf_counter(), time.process_time(), False
    try:
        digest = answer_digest(archive, queries[query])
    except Exception as error:  # whatever it is, it must be counted and reported
        digest, failed = f"{type(error).__name__}: {error}", True
    return Answer(
        query=query,
        digest=digest,
        wall_ms=1000 * (time.perf_counter() - wall),
        cpu_ms=1000 * (time.process_time() - cpu),
        failed=failed,
    )


def answer_digest(archive: Archive, query: PersonQuery) -> str:
    """Search and explain a page; return a digest of all lists and of the page.

    The collections of a list are left out: an import adds one before its first record.
    """
    result = archive.search(query, log=False).search_result
    lists = [
        (list_.name, list_.candidates, list_.records, list_.excluded, list_.state, *list_.hits)
        for list_ in result.lists
    ]
    hits = make_page(result.fused, result.lists).hits
    households = archive.households([hit.record_key for hit in hits])
    page = [result.explain(hit, households[hit.record_key]) for hit in hits]
    return hashlib.sha256(repr((lists, page)).encode()).hexdigest()


def right_answers(
    path: Path, queries: Path, pieces: Sequence[tuple[Path, str]]
) -> Iterator[list[str]]:
    """Yield the answers to all queries before the first piece and after each."""
    person_queries = list(read_queries(queries, QUERIES))
    with open_archive(path) as archive:
        yield [answer_digest(archive, query) for query in person_queries]
        for piece in pieces:
            import_piece(archive, piece)
            yield [answer_digest(archive, query) for query in person_queries]


def import_piece(archive: Archive, piece: tuple[Path, str]) -> None:
    path, table = piece
    archive.import_file(path, mapping=PREFIX + table, collection=MORE + table)


def text_of(reading: Reading, *, readers: int) -> str:
    rows: list[tuple[Cell, ...]] = []
    for name, answers in (("undisturbed", reading.alone), ("during the import", reading.during)):
        times = [
            round(float(np.percentile([getattr(answer, kind) for answer in answers], p)), 1)
            for kind in ("wall_ms", "cpu_ms")
            for p in (50, 95, 99)
        ]
        rows.append((name, len(answers), *times))
    kinds = (f"{kind} p{p}" for kind in ("wall", "cpu") for p in (50, 95, 99))
    failed = [answer for answer in (*reading.alone, *reading.during) if answer.failed]
    right = f"{len(reading.wrong)} wrong answers, {len(failed)} errors among them"
    lines = [
        f"{readers} readers, {reading.pieces} pieces imported while they read; milliseconds",
        Table(headings=("", "searches", *kinds), rows=rows).as_text(),
        f"{reading.changed:,} answers differ from those before the import",
        bar(f"{right}; expected 0", not reading.wrong),
        *sorted({f"  {answer.digest}" for answer in failed}),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

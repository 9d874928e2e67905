"""How fast is a search?  The gate compared with other engines, and whole searches.

    python -m benchmarks.speed.search --personas 1000000 --peers-python PEERS/bin/python

The world is ``make_records.py``'s, imported
before anything is timed (or ``--archive`` names one that was).  Candidates are compared by their
number and the sum of their numbers over all gates that need not be narrowed; times are CPU and
wall milliseconds a query over all its lists, one thread, warm.  ``--compiled`` scores as the
server does; ``--compare`` first searches with the columns, compiled and not, and without them, for
the owner and the public, and compares every list.
"""

import argparse
import gc
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from compileall import compile_dir
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import forebear
from benchmarks.simulated_world import import_world, make_world
from forebear.archive import Archive, create_archive, open_archive
from forebear.cli.app import OBJECTS_BETWEEN_COLLECTIONS
from forebear.search.expansion.catalog import Condition
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.results.page import make_page
from forebear.search.terms.term import COLLECTION, terms
from forebear.storage.sqlite.storage import SqliteStorage
from forebear_lab.evaluation.tables import Cell, Table

HERE = Path(__file__).parent
ENGINES = ("fts5", "postgres", "tantivy")
AHEAD = {"fts5": 2.5, "postgres": 2.5, "tantivy": 1.0}  # times at the median
WHOLE_MS = ((2_000_000, 10.0), (20_000_000, 60.0))  # aims of the median, by personas
COLD_SECONDS = 0.35
COLD_STARTS = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--personas", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--archive", type=Path, help="an archive imported before")
    parser.add_argument("--world", type=Path, help="the folder it was imported from")
    parser.add_argument("--compiled", action="store_true", help="score with compiled loops")
    parser.add_argument("--compare", action="store_true", help="compare with and without columns")
    parser.add_argument("--peers-python", type=Path, help="a Python that has tantivy, psycopg")
    parser.add_argument("--engines", nargs="*", choices=ENGINES, default=ENGINES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        world = options.world or make_world(
            room / "world", personas=options.personas, seed=options.seed, queries=options.queries
        )
        path = options.archive or room / "world.archive"
        if not options.archive:
            create_archive(path).close()
        queries = list(read_queries(world / "queries.jsonl", options.queries))
        with open_archive(path) as archive:
            if not options.archive:
                import_world(archive, world)
            if options.compiled:
                archive.compile_searches()
            lines, met = measure(archive, queries, options, room)
        if options.compare:
            line, is_same = compare_columns(path, queries, room)
            lines, met = [*lines, line], met and is_same
    print("\n".join([*lines, cold_start(path)]))
    return 0 if met else 1


def read_queries(path: Path, most: int) -> Iterator[PersonQuery]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number < most:
                yield parse_query(line, where=f"{path.name}:{number + 1}")


def measure(
    archive: Archive, queries: Sequence[PersonQuery], options: Any, room: Path
) -> tuple[list[str], bool]:
    personas = int(rows_of(archive, "SELECT count(*) FROM personas")[0][0])
    whole, stages, searches = whole_searches(archive, queries)
    open_lists = [without_narrowed(archive, by_name) for by_name in searches]
    with open_archive(archive.path) as fresh:  # has nothing of these gates in its caches
        ours = [own_gates(fresh, lists) for lists in open_lists]
    rows: list[tuple[Cell, ...]] = [("whole search", *spread(whole)), ("our gate", *spread(ours))]
    lines, met = [], True
    if options.peers_python:
        gates = [shared_gates(archive, lists) for lists in open_lists]
        write_gates(archive, gates, room, most=int(max(times["found"] for times in ours)))
        for engine in options.engines:
            peer = run_peer(options.peers_python, engine, room)
            rows.append((f"{engine}, same gates", *spread(peer["queries"])))
            line, is_met = compare(engine, ours, peer["queries"])
            lines += [line, f"          form: {peer['form']}"]
            met = met and is_met
    aim = next((ms for most, ms in WHOLE_MS if personas <= most), None)
    if aim:
        median = float(np.median([times["cpu_ms"] for times in whole]))
        lines.append(bar(f"whole search, median {median:.1f} ms CPU, aim {aim:.0f}", median <= aim))
    headings = ("", *(f"{kind} p{p}" for kind in ("cpu", "wall") for p in (50, 95, 99)))
    return [
        f"{personas:,} personas, {len(queries)} queries, milliseconds",
        Table(headings=headings, rows=rows).as_text(),
        stage_text(stages),
        growth_text(whole),
        *(fit_text(whole, kind) for kind in ("search_ms", "cpu_ms")),
        f"peak memory of this process {peak_mb():.0f} MB",
        *lines,
    ], met


def compare_columns(path: Path, queries: Sequence[PersonQuery], room: Path) -> tuple[str, bool]:
    """Compare every list and page of a search with columns and without."""
    (room / "without.archive").symlink_to(path.absolute())  # has no columns next to it
    lists = hits = different = 0
    with (
        open_archive(room / "without.archive") as without,
        open_archive(path) as with_columns,
        open_archive(path) as compiled,
    ):
        compiled.compile_searches()
        for query, viewer in product(queries, ("owner", "public")):
            expected, *others = (
                archive.search(query, viewer=viewer, log=False).search_result
                for archive in (without, with_columns, compiled)
            )
            lists += len(expected.lists)
            hits += sum(len(list_.hits) for list_ in expected.lists)
            for other in others:
                pairs = zip(expected.lists, other.lists, strict=True)
                different += sum(replace(a, seconds=0) != replace(b, seconds=0) for a, b in pairs)
                different += expected.fused != other.fused
    text = f"{lists:,} lists with {hits:,} hits without columns; {different} differ with them"
    return bar(text, not different), not different


def whole_searches(
    archive: Archive, queries: Sequence[PersonQuery]
) -> tuple[list[dict[str, float]], dict[str, list[float]], list[dict[str, ListSearch]]]:
    """Search, fuse and explain the first page of each query."""
    viewer = archive.viewer("owner")
    stages: defaultdict[str, list[float]] = defaultdict(list)
    for query in queries[:20]:
        archive.search(query, log=False)  # warm
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    gc.collect()
    gc.freeze()  # both as the server does
    times, searches = [], []
    for query in queries:
        wall, cpu = time.perf_counter(), time.process_time()
        result = archive.search(query, log=False).search_result
        searched, searched_cpu = time.perf_counter(), time.process_time()
        page = make_page(result.fused, result.lists)
        keys = [hit.record_key for hit in page.hits]
        households = archive.households(keys, viewer=viewer)
        for hit, key in zip(page.hits, keys, strict=True):
            result.explain(hit, households[key])
        ended = time.perf_counter()
        times.append(
            {
                "wall_ms": 1000 * (ended - wall),
                "cpu_ms": 1000 * (time.process_time() - cpu),
                "search_ms": 1000 * (searched_cpu - cpu),
                "found": sum(list_.candidates for list_ in result.lists),
            }
        )
        by_stage: defaultdict[str, float] = defaultdict(float)
        for stage in result.trace:
            by_stage[stage.stage] += 1000 * stage.seconds
        by_stage["page, explained"] = 1000 * (ended - searched)
        for name, spent in by_stage.items():
            stages[name].append(spent)
        searches.append(dict(result.searches))
    return times, dict(stages), searches


Gate = list[list[list[int]]]


def without_narrowed(archive: Archive, searches: dict[str, ListSearch]) -> list[ListSearch]:
    """Return the lists of a query whose gates need no narrowing, and that have candidates."""
    requested = list(searches.values())
    gated = storage_of(archive).candidates(requested, viewer=archive.viewer("owner"))
    return [
        search
        for search, (candidates, steps) in zip(requested, gated, strict=True)
        if steps == 0 and len(candidates)
    ]


def shared_gates(archive: Archive, searches: Sequence[ListSearch]) -> list[Gate]:
    """Return the gates of a query as numbers of terms, one for all lists that have the same.

    A gate is opened once for all lists, so the peers open it once too.
    """
    alike: defaultdict[Any, list[ListSearch]] = defaultdict(list)
    for search in searches:
        alike[search.gate.branches, search.gate.required].append(search)
    return [gate_numbers(archive, same) for same in alike.values()]


def gate_numbers(archive: Archive, searches: Sequence[ListSearch]) -> Gate:
    gate = searches[0].gate
    collections = [name for search in searches for name in search.collections]
    always = [terms(COLLECTION, collections), *gate.required]
    branches = []
    for branch in gate.branches:
        conditions = [
            term_numbers(archive, condition) for condition in (*always, *branch.conditions)
        ]
        if all(conditions):
            branches.append(conditions)
    return branches


def storage_of(archive: Archive) -> SqliteStorage:
    storage = archive.storage
    assert isinstance(storage, SqliteStorage)  # peers are given the numbers of its file
    return storage


def rows_of(archive: Archive, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(archive.path)) as database:
        return database.execute(sql).fetchall()


def term_numbers(archive: Archive, condition: Condition) -> list[int]:
    return sorted(storage_of(archive).term_numbers(condition))


def own_gates(archive: Archive, searches: Sequence[ListSearch]) -> dict[str, float]:
    viewer = archive.viewer("owner")
    wall, cpu = time.perf_counter(), time.process_time()
    gated = storage_of(archive).candidates(searches, viewer=viewer)
    candidate_lists = [candidates.to_array() for candidates, _ in gated]
    return {
        "cpu_ms": 1000 * (time.process_time() - cpu),
        "wall_ms": 1000 * (time.perf_counter() - wall),
        "found": sum(len(numbers) for numbers in candidate_lists),
        "sum": sum(sum(numbers) for numbers in candidate_lists),
    }


def write_gates(archive: Archive, gates: list[list[Gate]], room: Path, *, most: int) -> None:
    blobs = [blob for (blob,) in rows_of(archive, "SELECT terms FROM personas ORDER BY id")]
    offsets = np.cumsum([0, *(len(blob) // 4 for blob in blobs)])
    np.savez(room / "personas.npz", offsets=offsets, terms=np.frombuffer(b"".join(blobs), np.int32))
    (room / "gates.json").write_text(json.dumps({"most": most, "queries": gates}))


def run_peer(python: Path, engine: str, room: Path) -> dict[str, Any]:
    done = subprocess.run(
        [str(python), str(HERE / "gate_peers.py"), engine, str(room)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "RAYON_NUM_THREADS": "1"},
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def compare(
    engine: str, ours: Sequence[dict[str, float]], theirs: Sequence[dict[str, float]]
) -> tuple[str, bool]:
    same = sum(
        our["found"] == their["found"] and our["sum"] == their["sum"]
        for our, their in zip(ours, theirs, strict=True)
    )
    median = {
        name: np.median([times["cpu_ms"] for times in side])
        for name, side in (("ours", ours), ("theirs", theirs))
    }
    ratio = float(median["theirs"] / median["ours"])
    text = (
        f"{engine}: {ratio:.1f} times our CPU at the median, expected {AHEAD[engine]}; "
        f"the same candidates in {same} of {len(ours)} queries"
    )
    is_met = ratio >= AHEAD[engine] and same == len(ours)
    return bar(text, is_met), is_met


def spread(times: Sequence[dict[str, float]]) -> tuple[Cell, ...]:
    return tuple(
        round(float(np.percentile([one[kind] for one in times], p)), 2)
        for kind in ("cpu_ms", "wall_ms")
        for p in (50, 95, 99)
    )


def stage_text(stages: dict[str, list[float]]) -> str:
    rows = [
        (name, *(round(float(np.percentile(spent, p)), 2) for p in (50, 95, 99)))
        for name, spent in stages.items()
    ]
    return Table(headings=("stage, wall", "p50", "p95", "p99"), rows=rows).as_text()


def growth_text(whole: Sequence[dict[str, float]]) -> str:
    """Return how the cost grows with the matches, by quarters of the queries."""
    order = np.argsort([times["found"] for times in whole])
    rows = []
    for fourth in np.array_split(order, 4):
        matches = np.median([whole[i]["found"] for i in fourth])
        spent = np.median([whole[i]["cpu_ms"] for i in fourth])
        rows.append((int(matches), round(float(spent), 2)))
    return Table(headings=("candidates, median", "cpu ms, median"), rows=rows).as_text()


def fit_text(whole: Sequence[dict[str, float]], kind: str) -> str:
    """Return fixed and variable CPU of a search, by least squares."""
    candidates = np.array([times["found"] for times in whole])
    columns = np.stack([np.ones(len(whole)), candidates], axis=1)
    (fixed, each_candidate), *_ = np.linalg.lstsq(columns, [times[kind] for times in whole])
    what = "the search alone" if kind == "search_ms" else "with the page, explained"
    return f"CPU: {fixed:.1f} ms and {1000 * each_candidate:.1f} us a candidate, {what}"


def cold_start(path: Path) -> str:
    """Return what a search typed in a terminal costs; the first may have to count the names.

    An installed program is compiled, so ours is compiled before.
    """
    compile_dir(Path(forebear.__file__).parent, quiet=1)
    command = [str(Path(sys.executable).parent / "forebear"), "search", "--archive", str(path)]
    line = [*command, "--given", "Mary", "--surname", "Brown", "--birth", "1851", "--no-log"]
    wall, cpu = [], []
    for _ in range(1 + COLD_STARTS):
        began, used = time.perf_counter(), children_cpu()
        subprocess.run(line, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall.append(time.perf_counter() - began)
        cpu.append(children_cpu() - used)
    median = float(np.median(cpu[1:]))
    text = f"forebear search from a fresh start, median of {COLD_STARTS}: {median:.2f} s CPU"
    text += f", {np.median(wall[1:]):.2f} s wall, aim {COLD_SECONDS}; the first {cpu[0]:.2f} s CPU"
    return bar(text, median <= COLD_SECONDS)


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def bar(text: str, met: bool) -> str:
    return f"  {'met   ' if met else 'MISSED'}  {text}"


if __name__ == "__main__":
    sys.exit(main())

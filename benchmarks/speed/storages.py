"""Do a file and a cluster give the same lists, and how long does each take?

    make opensearch
    python -m benchmarks.speed.storages --personas 100000 --queries 200

The world is ``make_records.py``'s.  It is imported to a file and to one node of OpenSearch
(or to the cluster that ``--hosts`` names), and both answer every query in turn, warm.
All lists of all queries are compared: records, order, scores, clauses that fired, counts;
then again after records were deleted and changed on both.  The program ends with 1 if
anything differs.
"""

import argparse
import secrets
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from msgspec import structs

from benchmarks.simulated_world import import_world, make_world
from forebear.archive import Archive, create_archive, open_archive
from forebear.records.record import Record
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.search.record_search.ranked_list import RankedList
from forebear.search.search_result import SearchResult
from forebear.storage.port import ClusterAddress
from forebear_lab.evaluation.tables import Cell, Table

PERCENTILES = (50, 95, 99)
CHANGED = 1_000  # records deleted, and as many changed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--personas", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--hosts", default="http://localhost:9200")
    parser.add_argument("--shards", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        make_world(
            room / "world",
            personas=options.personas,
            seed=options.seed,
            queries=options.queries,
        )
        address = ClusterAddress(
            hosts=tuple(options.hosts.split(",")),
            prefix=f"bench-{secrets.token_hex(4)}",
            shards=options.shards,
        )
        create_archive(room / "file.forebear").close()
        create_archive(room / "cluster.forebear", cluster=address).close()
        with (
            open_archive(room / "file.forebear") as file,
            open_archive(room / "cluster.forebear") as cluster,
        ):
            differences = measure({"file": file, "cluster": cluster}, room / "world", options)
        open_archive(room / "cluster.forebear").delete()
    return 1 if differences else 0


def measure(archives: dict[str, Archive], world: Path, options: argparse.Namespace) -> int:
    for name, archive in archives.items():
        print(fill(name, archive, world), flush=True)
    with (world / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = [parse_query(line) for line in islice(lines, options.queries)]
    differences = compare(archives, queries, "as imported", timed=True)
    change(archives)
    return differences + compare(archives, queries, "after deletes and updates", timed=False)


def fill(name: str, archive: Archive, world: Path) -> str:
    started = time.perf_counter()
    personas = import_world(archive, world)
    seconds = time.perf_counter() - started
    return f"{name}: {personas:,} personas in {seconds:.1f} s, {personas / seconds:,.0f} a second"


def compare(
    archives: dict[str, Archive], queries: Sequence[PersonQuery], when: str, *, timed: bool
) -> int:
    """Run every query on both, print the times if requested, and count the differences."""
    spent: dict[str, list[float]] = {name: [] for name in archives}
    stages: dict[str, defaultdict[str, list[float]]] = {
        name: defaultdict(list) for name in archives
    }
    lists = hits = differences = 0
    for number, query in enumerate([*queries[:20], *queries] if timed else queries):
        lists_of = {}
        for name, archive in archives.items():
            started = time.perf_counter()
            result = archive.search(query, log=False).search_result
            if timed and number >= 20:  # the first are to warm up
                spent[name].append(1000 * (time.perf_counter() - started))
                for stage, seconds in stage_seconds(result).items():
                    stages[name][stage].append(1000 * seconds)
            lists_of[name] = [untimed(list_) for list_ in result.lists]
        ours, theirs = lists_of.values()
        lists += len(ours)
        hits += sum(len(list_.hits) for list_ in ours)
        differences += sum(one != other for one, other in zip(ours, theirs, strict=True))
    print(f"{when}: {lists:,} lists with {hits:,} hits compared, {differences} differ", flush=True)
    if timed:
        rows: list[tuple[Cell, ...]] = []
        for name in archives:
            rows.append((f"{name}, whole search", *spread(spent[name])))
            rows += [(f"{name}, {stage}", *spread(times)) for stage, times in stages[name].items()]
        print(Table(headings=("ms", "p50", "p95", "p99"), rows=rows).as_text(), flush=True)
    return differences


def stage_seconds(result: SearchResult) -> dict[str, float]:
    """Return how long each stage took; a cluster searches its lists at the same time."""
    spent: defaultdict[str, float] = defaultdict(float)
    for stage in result.trace:
        spent[stage.stage] += stage.seconds
    spent["slowest list"] = max((list_.seconds for list_ in result.lists), default=0.0)
    return spent


def untimed(ranked: RankedList) -> RankedList:
    return replace(ranked, seconds=0.0)


def spread(times: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{value:.1f}" for value in np.percentile(times, PERCENTILES))


def change(archives: dict[str, Archive]) -> None:
    """Delete some records and change others, the same in every archive."""
    keys = sorted(
        record.key
        for group, _ in islice(archives["file"].storage.groups(), 40 * CHANGED)
        for record in group
    )
    step = max(1, len(keys) // (2 * CHANGED))
    deleted, changed = keys[::step][::2], keys[::step][1::2]
    for archive in archives.values():
        archive.storage.delete(deleted)
        groups = archive.storage.groups_holding(changed)
        archive.storage.write([tuple(renamed(r) for r in group) for group in groups])


def renamed(record: Record) -> Record:
    """Return a record on which every person has one more given name."""
    return structs.replace(
        record,
        personas=tuple(
            structs.replace(
                persona,
                names=tuple(
                    structs.replace(name, given=f"{name.given} John") for name in persona.names
                ),
            )
            for persona in record.personas
        ),
    )


if __name__ == "__main__":
    sys.exit(main())

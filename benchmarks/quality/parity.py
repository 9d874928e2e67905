"""Do memory, a file and a cluster give the same answers, to the last bit, in a large world?

    make opensearch
    python -m benchmarks.quality.parity --personas 200000 --queries 500

The world is ``make_records.py``'s (simulated).  All three answer every query, by turns as
the public and as the owner.  Compared are the clauses of each list (so what each storage
knows of the archive), its records, their order, scores and clauses, the counts, and the
facets.  Then records are deleted and others changed, the same everywhere, and all queries run
again.  The program ends with 1 if anything differs.
"""

import argparse
import gc
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from benchmarks.quality.set_storage import SetStorage
from benchmarks.simulated_world import import_world, make_world
from benchmarks.speed.storages import renamed
from forebear.archive import Archive, create_archive, open_archive
from forebear.records.privacy import Viewer
from forebear.search.facets import ListFacets
from forebear.search.model import hand_set_model
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.search.search_result import SearchOptions, SearchResult
from forebear.search.searcher import Searcher
from forebear.storage.copy import copy_records
from forebear.storage.memory import MemoryStorage
from forebear.storage.opensearch.storage import OpenSearchStorage, create_storage
from forebear.storage.port import ClusterAddress
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage

VIEWERS = (Viewer(year=2026), Viewer(year=2026, is_owner=True))
REPORT_EVERY = 25  # queries
PATIENCE = 600.0  # seconds a list: a busy machine must not count as a difference

Storage = MemoryStorage | SqliteStorage | OpenSearchStorage


@dataclass(slots=True)
class Compared:
    """How much was compared, and what differed."""

    queries: int = 0
    lists: int = 0
    hits: int = 0
    facets: int = 0
    values: int = 0
    differences: int = 0

    def __str__(self) -> str:
        return (
            f"{self.queries:,} queries, {self.lists:,} lists with {self.hits:,} hits, "
            f"{self.facets:,} lists' facets with {self.values:,} values: "
            f"{self.differences} differences"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--personas", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--changed", type=int, default=1_000, help="deleted, and as many changed")
    parser.add_argument("--facets-every", type=int, default=1, help="of one query in this many")
    parser.add_argument("--hosts", default="http://localhost:9200")
    parser.add_argument("--plain", action="store_true", help="also the memory without postings")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return compare_all(Path(folder), options)


def compare_all(room: Path, options: argparse.Namespace) -> int:
    world = make_world(
        room / "world", personas=options.personas, seed=options.seed, queries=options.queries
    )
    with (world / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = [parse_query(line) for line in islice(lines, options.queries)]
    address = ClusterAddress(
        hosts=tuple(options.hosts.split(",")), prefix=f"parity-{secrets.token_hex(4)}"
    )
    create_archive(room / "file.forebear").close()
    with (
        open_archive(room / "file.forebear") as file,
        closing(
            create_storage(address, SqliteStorage(create_file(room / "local.forebear")))
        ) as cluster,
    ):
        try:
            storages = fill(file, cluster, world, plain=options.plain)
            return ask_twice(storages, file, queries, options)
        finally:
            cluster.delete_all()


def fill(
    file: Archive, cluster: OpenSearchStorage, world: Path, *, plain: bool
) -> dict[str, Storage]:
    """Return the storages, the reference first, all with the records of the world."""
    personas = import_world(file, world)
    cluster.list_seconds = PATIENCE
    others: dict[str, Storage] = {"memory": SetStorage(), "cluster": cluster}
    if plain:
        others["plain memory"] = MemoryStorage()
    for name, storage in others.items():
        report = copy_records(file.storage, storage, at="")
        print(f"{name}: {report.records:,} records, {personas:,} personas", flush=True)
    gc.freeze()  # millions of terms that stay; looking through them again takes seconds
    return {**others, "file": file.storage}


def ask_twice(
    storages: dict[str, Storage],
    file: Archive,
    queries: Sequence[PersonQuery],
    options: argparse.Namespace,
) -> int:
    first = ask(storages, file, queries, options.facets_every)
    print(f"as imported: {first}", flush=True)
    change(storages, file, options.changed, options.seed)
    second = ask(storages, file, queries, options.facets_every)
    print(f"after {options.changed:,} deletes and {options.changed:,} updates: {second}")
    return 1 if first.differences or second.differences else 0


def ask(
    storages: dict[str, Storage], file: Archive, queries: Sequence[PersonQuery], facets_every: int
) -> Compared:
    """Ask all storages all queries and count what differs from the first one's answers."""
    compared = Compared()
    lists, model = file.lists(), hand_set_model()
    for number, query in enumerate(queries):
        viewer = VIEWERS[number % len(VIEWERS)]
        results: list[tuple[SearchResult, tuple[ListFacets, ...]]] = []
        for storage in storages.values():
            searcher = Searcher(storage=storage, lists=lists, model=model)
            result = searcher.search(query, SearchOptions(relax=False), viewer=viewer)
            with_facets = number // len(VIEWERS) % facets_every == 0
            facets = searcher.facets(result, viewer=viewer) if with_facets else ()
            results.append((result, facets))
        count(compared, results)
        if compared.queries % REPORT_EVERY == 0:
            print(f"{time.process_time():,.0f} CPU s: {compared}", file=sys.stderr, flush=True)
    return compared


def count(
    compared: Compared, results: Sequence[tuple[SearchResult, tuple[ListFacets, ...]]]
) -> None:
    (expected, facets), *others = results
    compared.queries += 1
    compared.lists += len(expected.lists)
    compared.hits += sum(len(list_.hits) for list_ in expected.lists)
    compared.facets += len(facets)
    compared.values += sum(len(counts) for list_ in facets for counts in list_.counts.values())
    for result, spread in others:
        compared.differences += result.searches != expected.searches
        compared.differences += spread != facets
        compared.differences += sum(
            replace(one, seconds=0.0) != replace(other, seconds=0.0)
            for one, other in zip(result.lists, expected.lists, strict=True)
        )


def change(storages: dict[str, Storage], file: Archive, count: int, seed: int) -> None:
    """Delete some records with their groups and change others, the same in every storage."""
    keys = sorted(record.key for group, _ in file.storage.groups() for record in group)
    chosen = random.Random(seed).sample(keys, min(len(keys), 2 * count))
    deleted, changed = chosen[::2], chosen[1::2]
    for storage in storages.values():
        storage.delete(deleted)
        groups = storage.groups_holding(changed)
        storage.write([tuple(renamed(record) for record in group) for group in groups])


if __name__ == "__main__":
    sys.exit(main())

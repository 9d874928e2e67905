"""What grows with an archive, and by how much?  Figures for docs/decisions/0038.

    python -m benchmarks.speed.scaling names --names 1000000
    python -m benchmarks.speed.scaling archive --archive FILE --world WORLD
    python -m benchmarks.speed.scaling cluster --hosts URL,URL,URL --personas 50000 --shards 3

``names`` builds a vocabulary of simulated names and looks up near names in it.  Each new name is
one letter off an older one, and a name of rank r is chosen for that in proportion to 1/r (Zipf), so
the common names have the most variants.  The first names are real surnames.

``archive`` searches an archive, in a file or a cluster, with the queries of its simulated world;
``cluster`` first imports a new world into a cluster, and deletes it in the end.  Both print bytes,
CPU times of this process and of all nodes, and how the time of a search grows with its candidates.
"""

import argparse
import random
import resource
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.simulated_world import SHARED, import_world, make_world
from benchmarks.speed.near_names import LETTERS
from forebear.archive import Archive, create_archive, open_archive
from forebear.records.privacy import OWNER
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.port import ClusterAddress
from forebear_lab.evaluation.tables import Cell, Table

PERCENTILES = (50, 95, 99)
WARM_UP = 15  # queries


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["names", "archive", "cluster"])
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--world", type=Path)
    parser.add_argument("--hosts", default="http://localhost:9200")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--personas", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "names":
        measure_names(options.names, options.queries, options.seed)
    elif options.what == "archive":
        with open_archive(options.archive) as archive:
            measure_archive(archive, options.world, options.queries)
    else:
        measure_cluster(options)
    return 0


def measure_names(count: int, queries: int, seed: int) -> None:
    """Generate names, and index them in a process whose memory is otherwise empty."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "names.txt")
        names = simulated_names(count, seed)
        path.write_text("\n".join(names), encoding="ascii")
        sample = random.Random(seed).sample(names, queries)
        del names
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            print(pool.submit(index_names, path, sample).result())


def index_names(path: Path, sample: Sequence[str]) -> str:
    """Return how long it takes to index names and to find those near others, as text."""
    before = resident_bytes()
    names = path.read_text(encoding="ascii").split("\n")
    count, letters = len(names), sum(map(len, names))
    started = time.process_time()
    vocabulary = NameVocabulary(names)
    vocabulary.near("smith", 1)
    seconds = time.process_time() - started
    del names
    used = resident_bytes() - before
    lookups: dict[str, Callable[[str], tuple[str, ...]]] = {
        "one edit": lambda name: vocabulary.near(name, 1),
        "two edits": lambda name: vocabulary.near(name, 2),
        "similar": vocabulary.similar,
    }
    rows: list[tuple[Cell, ...]] = []
    for label, find in lookups.items():
        times, sizes = [], []
        for name in sample:
            started = time.process_time()
            sizes.append(len(find(name)))
            times.append(1000 * (time.process_time() - started))
        rows.append((label, *spread(times), f"{np.mean(sizes):.0f}"))
    table = Table(headings=("CPU ms", "p50", "p95", "p99", "names"), rows=rows).as_text()
    return (
        f"{count:,} names of {letters / count:.1f} letters: indexed in {seconds:.1f} CPU s, "
        f"{used / count:.0f} bytes of memory a name\n{table}"
    )


def simulated_names(count: int, seed: int) -> list[str]:
    """Return this many different names, the first of them real surnames."""
    chance = np.random.default_rng(seed)
    with (SHARED / "data" / "names" / "dist.all.last").open(encoding="ascii") as lines:
        names = [line.split()[0].lower() for line in islice(lines, count)]
    seen = set(names)
    while len(names) < count:
        draws = min(1_000_000, count)
        # Log-uniform ranks are Zipf's: rank r is drawn in proportion to 1/r.
        ranks = np.exp(chance.random(draws) * np.log(len(names))).astype(np.int64) - 1
        places, kinds = chance.random(draws), chance.integers(3, size=draws)
        letters = chance.integers(len(LETTERS), size=draws)
        for rank, place, kind, letter in zip(
            ranks.tolist(), places.tolist(), kinds.tolist(), letters.tolist(), strict=True
        ):
            name = names[rank]
            at = int(place * len(name))
            # A letter is replaced or lost, or one is added.
            added = "" if kind == 1 and len(name) > 3 else LETTERS[letter]
            name = name[:at] + added + name[at + (kind < 2) :]
            if name not in seen:
                seen.add(name)
                names.append(name)
                if len(names) == count:
                    break
    return names


def measure_cluster(options: argparse.Namespace) -> None:
    address = ClusterAddress(
        hosts=tuple(options.hosts.split(",")),
        prefix=f"scaling-{secrets.token_hex(4)}",
        shards=options.shards,
    )
    with tempfile.TemporaryDirectory() as folder:
        path, world = Path(folder, "cluster.forebear"), Path(folder, "world")
        make_world(world, personas=options.personas, seed=options.seed, queries=options.queries)
        create_archive(path, cluster=address).close()
        with open_archive(path) as archive:
            before, mine, started = node_seconds(archive), time.process_time(), time.perf_counter()
            personas = import_world(archive, world)
            seconds = time.perf_counter() - started
            mine, nodes = time.process_time() - mine, node_seconds(archive) - before
        workers = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        print(
            f"imported {personas:,} personas, {personas / seconds:,.0f} a second; CPU "
            f"microseconds a persona: {1e6 * mine / personas:.0f} here, "
            f"{1e6 * workers / personas:.0f} in workers, {1e6 * nodes / personas:.0f} in nodes"
        )
        with open_archive(path) as archive:
            wait_for_merges(archive)
            measure_archive(archive, world, options.queries)
        open_archive(path).delete()


def measure_archive(archive: Archive, world: Path, count: int) -> None:
    with (world / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = [parse_query(line) for line in islice(lines, count)]
    personas, size = contents(archive)
    print(f"{personas:,} personas, {size / 1e6:,.0f} MB, {size / personas:,.0f} bytes a persona")
    surnames, given = (
        len(archive.storage.knowledge(OWNER).vocabulary(kind).names)
        for kind in ("surname", "given")
    )
    print(f"{surnames:,} surnames and {given:,} given names")
    search(archive, queries[:WARM_UP])
    before = node_seconds(archive)
    walls, cpus, candidates = search(archive, queries)
    nodes = 1000 * (node_seconds(archive) - before) / len(queries)
    rows: list[tuple[Cell, ...]] = [
        ("wall ms", *spread(walls)),
        ("CPU ms here", *spread(cpus)),
        ("candidates", *spread(candidates)),
    ]
    print(Table(headings=("a search", "p50", "p95", "p99"), rows=rows).as_text())
    slope, fixed = np.polyfit(candidates, cpus, 1)
    print(
        f"CPU here {fixed:.1f} ms and {1000 * slope:.1f} microseconds a candidate; "
        f"CPU of the nodes {nodes:.1f} ms a search"
    )


def search(
    archive: Archive, queries: Sequence[PersonQuery]
) -> tuple[list[float], list[float], list[float]]:
    walls, cpus, candidates = [], [], []
    for query in queries:
        wall, cpu = time.perf_counter(), time.process_time()
        result = archive.search(query, log=False).search_result
        cpus.append(1000 * (time.process_time() - cpu))
        walls.append(1000 * (time.perf_counter() - wall))
        candidates.append(float(sum(list_.candidates for list_ in result.lists)))
    return walls, cpus, candidates


def contents(archive: Archive) -> tuple[int, int]:
    """Return how many personas an archive has, and how many bytes of disk without copies."""
    storage = archive.storage
    if not isinstance(storage, OpenSearchStorage):
        (personas,) = storage._connection.row("SELECT count(*) FROM personas")  # type: ignore[attr-defined]
        (size,) = storage._connection.row(  # type: ignore[attr-defined]
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        )
        return int(personas), int(size)
    stats = storage._cluster.read("GET", f"/{storage._indexes.records}/_stats/store")
    personas = sum(having["record.part"] for having in storage.knowledge(OWNER).habits().values())
    return personas, int(stats["_all"]["primaries"]["store"]["size_in_bytes"])


def node_seconds(archive: Archive) -> float:
    """Return the CPU seconds of all nodes; 0 of a file."""
    if not isinstance(archive.storage, OpenSearchStorage):
        return 0.0
    stats = archive.storage._cluster.read("GET", "/_nodes/stats/process")
    nodes = stats["nodes"].values()
    return float(sum(node["process"]["cpu"]["total_in_millis"] for node in nodes)) / 1000


def wait_for_merges(archive: Archive) -> None:
    storage = archive.storage
    assert isinstance(storage, OpenSearchStorage)
    started = time.perf_counter()
    while storage._cluster.read("GET", "/_tasks", actions="*forcemerge*")["nodes"]:
        time.sleep(0.5)
    print(f"merged after another {time.perf_counter() - started:.0f} s")


def resident_bytes() -> int:
    """Return how much memory this process has now."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize()


def spread(values: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{value:,.1f}" for value in np.percentile(values, PERCENTILES))


if __name__ == "__main__":
    sys.exit(main())

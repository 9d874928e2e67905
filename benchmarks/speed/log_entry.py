"""How many bytes of the log does a search take?  A compact entry compared with a whole one.

    python -m benchmarks.speed.log_entry --personas 20000

The world is ``make_records.py``'s.  Each query is logged whole, then compact in its place; printed
are the mean bytes of an entry as ``Archive.log_size`` counts them.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.simulated_world import import_world, make_world
from benchmarks.speed.search import read_queries
from forebear.archive import create_archive


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--personas", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        world = make_world(
            Path(folder) / "world",
            personas=options.personas,
            seed=options.seed,
            queries=options.queries,
        )
        with create_archive(Path(folder) / "world.forebear") as archive:
            import_world(archive, world)
            queries = list(read_queries(world / "queries.jsonl", options.queries))
            results = [archive.search(query, viewer="public", log=False) for query in queries]
            sizes = {}
            for kind in ("whole", "compact"):
                for result in results:
                    archive.log(result, searcher="192.0.2.7", compact=kind == "compact")
                sizes[kind] = archive.log_size() / len(results)
    for kind, size in sizes.items():
        print(f"{kind:8} {size:10,.0f} bytes an entry")
    print(f"a compact entry is {sizes['compact'] / sizes['whole']:.3f} of a whole one")
    return 0


if __name__ == "__main__":
    sys.exit(main())

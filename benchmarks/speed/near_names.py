"""How long does it take to find the names spelled nearly like a name, among 200,000?

    python -m benchmarks.speed.near_names

The surnames of the United States census of 1990 (88,799) and, up to the number wanted, the same
with one letter changed, added or lost, drawn by a seed (simulated).  Asked are names drawn from
them, each for the first time, as the expansion of a query asks.  Times are CPU milliseconds.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks.simulated_world import SHARED
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear_lab.evaluation.tables import Cell, Table

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PERCENTILES = (50, 95, 99)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--names", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen = random.Random(options.seed)
    names = surnames(options.names, chosen)
    vocabulary = NameVocabulary(names)
    started = time.process_time()
    vocabulary.near("smith", 1)
    print(f"{len(vocabulary.names):,} names, indexed in {time.process_time() - started:.1f} CPU s")
    asked = chosen.sample(sorted(names), options.queries)
    ways: dict[str, Callable[[str], tuple[str, ...]]] = {
        "one edit": lambda name: vocabulary.near(name, 1),
        "two edits": lambda name: vocabulary.near(name, 2),
        "much alike": vocabulary.similar,
        "a pattern": lambda name: vocabulary.matching(f"{name[:3]}*{name[-1]}"),
    }
    rows = [measure(way, find, asked) for way, find in ways.items()]
    headings = ("CPU ms", "p50", "p95", "p99", "names found")
    print(Table(headings=headings, rows=rows).as_text())
    return 0


def surnames(count: int, chosen: random.Random) -> set[str]:
    """Return so many surnames: real ones first, then misspelled ones."""
    with (SHARED / "data" / "names" / "dist.all.last").open(encoding="ascii") as lines:
        real = [line.split()[0].lower() for line in lines]
    found = set(real[:count])
    while len(found) < count:
        name = chosen.choice(real)
        at = chosen.randrange(len(name))
        kept = name[at + chosen.choice((0, 1)) :]  # a letter is replaced or lost, or one is added
        found.add(name[:at] + chosen.choice(("", chosen.choice(LETTERS))) + kept)
    return found


def measure(way: str, find: Callable[[str], tuple[str, ...]], asked: list[str]) -> tuple[Cell, ...]:
    times, found = [], 0
    for name in asked:
        started = time.process_time()
        found += len(find(name))
        times.append(1000 * (time.process_time() - started))
    return way, *(f"{value:.2f}" for value in np.percentile(times, PERCENTILES)), found / len(asked)


if __name__ == "__main__":
    sys.exit(main())

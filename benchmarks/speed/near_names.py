"""How long does it take to find similar names among 200,000?

    python -m benchmarks.speed.near_names

The surnames of the United States census of 1990 (88,799) and, up to the requested number, the
same with one letter changed, added or lost, by a seed (simulated).  The queries are names sampled
from them, each for the first time, as in the expansion of a query.  Times are CPU milliseconds.
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
    sample = chosen.sample(sorted(names), options.queries)
    searches: dict[str, Callable[[str], tuple[str, ...]]] = {
        "one edit": lambda name: vocabulary.near(name, 1),
        "two edits": lambda name: vocabulary.near(name, 2),
        "similar": vocabulary.similar,
        "a pattern": lambda name: vocabulary.matching(f"{name[:3]}*{name[-1]}"),
    }
    rows = [measure(label, find, sample) for label, find in searches.items()]
    headings = ("CPU ms", "p50", "p95", "p99", "names found")
    print(Table(headings=headings, rows=rows).as_text())
    return 0


def surnames(count: int, chosen: random.Random) -> set[str]:
    """Return this many surnames: real ones first, then misspelled ones."""
    with (SHARED / "data" / "names" / "dist.all.last").open(encoding="ascii") as lines:
        real = [line.split()[0].lower() for line in lines]
    names = set(real[:count])
    while len(names) < count:
        name = chosen.choice(real)
        at = chosen.randrange(len(name))
        rest = name[at + chosen.choice((0, 1)) :]  # a letter is replaced or lost, or one is added
        names.add(name[:at] + chosen.choice(("", chosen.choice(LETTERS))) + rest)
    return names


def measure(
    label: str, find: Callable[[str], tuple[str, ...]], sample: list[str]
) -> tuple[Cell, ...]:
    times, total = [], 0
    for name in sample:
        started = time.process_time()
        total += len(find(name))
        times.append(1000 * (time.process_time() - started))
    return (
        label,
        *(f"{value:.2f}" for value in np.percentile(times, PERCENTILES)),
        total / len(sample),
    )


if __name__ == "__main__":
    sys.exit(main())

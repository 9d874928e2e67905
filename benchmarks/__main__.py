"""Run all benchmarks, one after the other, or those named.

Benchmarks of speed measure peers in the same run.  Where a peer must be installed separately,
benchmarks/README.md shows how; without it that part is skipped and reported.
"""

import argparse
import subprocess
import sys

BENCHMARKS = (
    "executed_modules",
    "quality.normalize",
    "quality.name_pairs",
    "quality.readers",
    "quality.fuzz",
    "quality.growth",
    "quality.annealing",
    "quality.fusion",
    "quality.london",
    "quality.absent_names",
    "quality.worlds",
    "quality.simulation",
    "quality.interleaving",
    "quality.parity",
    "speed.evaluation",
    "speed.learning",
    "speed.search",
    "speed.reading",
    "speed.imports",
    "speed.storages",
    "speed.near_names",
    "speed.concurrency",
    "speed.checksums",
    "speed.log_entry",
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(BENCHMARKS)}; all, if none")
    names = parser.parse_args().names or BENCHMARKS
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"no benchmark is called {sorted(unknown)[0]!r}")
    missed = []
    for name in names:
        print(f"\n== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode:
            missed.append(name)
    print(f"\nmissed a bar or could not run: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

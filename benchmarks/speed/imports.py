"""How fast do tables become an archive, compared with plain rows in SQLite?

    python -m benchmarks.speed.imports --personas 1000000 --seed 1
    python -m benchmarks.speed.imports --personas 1000000 10000000

The world is ``make_records.py``'s, made before anything is timed.  Every file goes in through
`Archive.import_records`; then the same rows go through
``csv`` into plain SQLite tables, one transaction a file, no index: nothing is normalized there
and nothing can be searched, so it is the floor of what an import can cost.  Each runs in a
separate process; the import may start more, which read.

Rates are personas a second of wall time and of CPU time of all processes together.  Bytes written
are those that the importing process gave to the disk, the log of SQLite included.  ``--keep``
leaves the last archive for ``benchmarks.speed.search``.  The program ends with 1 if the aim is
missed, or if a larger world is taken in at less than .7 of the rate of the smallest.
"""

import argparse
import csv
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.simulated_world import ROOT, TABLES, make_world
from benchmarks.simulated_world import import_world as import_tables
from forebear.archive import create_archive, open_archive

AIM = 15_000  # personas a second
MIN_SHARE = 0.7  # of the rate of a small world


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one way of taking in a world cost."""

    name: str
    personas: int
    seconds: float
    cpu_seconds: float
    megabytes: float  # of the file
    written_megabytes: float  # to the disk; 0 where the system does not count them
    peak_megabytes: float  # of the process that writes
    reader_megabytes: float  # of the largest process that reads for it

    def __str__(self) -> str:
        return (
            f"{self.name:14} {self.personas / self.seconds:9,.0f} personas/s wall "
            f"{self.personas / self.cpu_seconds:9,.0f} a CPU s  {self.seconds:7.1f} s "
            f"{self.megabytes:8,.0f} MB file  {self.written_megabytes:8,.0f} MB written  "
            f"{self.peak_megabytes:6,.0f} MB peak "
            f"{self.reader_megabytes:6,.0f} MB reader's"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--personas", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--world", type=Path, nargs="+", help="folders made before, instead of --personas"
    )
    parser.add_argument("--keep", type=Path, help="keep the archive of the last world here")
    parser.add_argument("--measure", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(asdict(WAYS[options.measure](options.world[0], options.keep))))
        return 0
    if options.world:
        last = options.world[-1]
        rates = [compare(world, options.keep if world is last else None) for world in options.world]
    else:
        rates = [compare_made(personas, options.seed) for personas in options.personas]
    for rate in rates[1:]:
        print(f"the rate of a later world is {rate / rates[0]:.2f} of the first")
    print(f"aim: {AIM:,} personas a second, {MIN_SHARE} of the first rate for larger worlds")
    return int(rates[0] < AIM or min(rates) < MIN_SHARE * rates[0])


def compare_made(personas: int, seed: int) -> float:
    """Make a world, take it in both ways, and return the rate of our own."""
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        make_world(world, personas=personas, seed=seed, queries=1)
        return compare(world)


def compare(world: Path, keep: Path | None = None) -> float:
    """Take in a world both ways, print both, and return our own personas a second."""
    ours, plain = measure_apart("archive", world, keep), measure_apart("plain", world)
    print(ours, plain, sep="\n")
    print(
        f"an archive takes {ours.seconds / plain.seconds:.1f} times as long as plain rows",
        flush=True,
    )
    return ours.personas / ours.seconds


def measure_apart(name: str, world: Path, keep: Path | None = None) -> Measured:
    """Measure one import in a separate process, so that its memory is counted alone."""
    command = [sys.executable, "-m", "benchmarks.speed.imports", "--measure", name]
    command += ["--world", str(world.resolve())]
    if keep:
        command += ["--keep", str(keep.resolve())]
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    return Measured(**json.loads(result.stdout))


def import_world(world: Path, keep: Path | None) -> Measured:
    """Import every file of a world into a new archive."""

    def take_in(path: Path) -> int:
        create_archive(path).close()
        with open_archive(path) as archive:
            return import_tables(archive, world)

    return measure("archive", take_in, keep)


def insert_rows(world: Path, keep: Path | None) -> Measured:
    """Put every row of a world into a plain table."""

    def take_in(path: Path) -> int:
        connection = sqlite3.connect(path)
        for table in TABLES:
            with (world / f"{table}.csv").open(newline="") as file, connection:
                rows = csv.reader(file)
                columns = next(rows)
                connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        connection.close()
        return int(json.loads((world / "manifest.json").read_text())["personas"])

    return measure("plain sqlite3", take_in, keep)


def measure(name: str, take_in: Callable[[Path], int], keep: Path | None) -> Measured:
    """Run one way on a new file and return what it cost."""
    with tempfile.TemporaryDirectory(dir=keep and keep.parent) as folder:
        path = Path(folder) / "world.archive"
        began = time.perf_counter()
        personas = take_in(path)
        seconds = time.perf_counter() - began
        this_process, others = (
            resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        measured = Measured(
            name=name,
            personas=personas,
            seconds=seconds,
            cpu_seconds=this_process.ru_utime
            + this_process.ru_stime
            + others.ru_utime
            + others.ru_stime,
            megabytes=path.stat().st_size / 1e6,
            written_megabytes=written_bytes() / 1e6,
            peak_megabytes=this_process.ru_maxrss / 1e3,
            reader_megabytes=others.ru_maxrss / 1e3,
        )
        if keep:
            for part in path.parent.glob(f"{path.name}*"):  # its columns too
                part.replace(keep.with_name(keep.name + part.name.removeprefix(path.name)))
        return measured


def written_bytes() -> int:
    """Return how many bytes this process gave to the disk; the processes that read write none."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except FileNotFoundError:
        return 0
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


WAYS: dict[str, Callable[[Path, Path | None], Measured]] = {
    "archive": import_world,
    "plain": insert_rows,
}


if __name__ == "__main__":
    sys.exit(main())

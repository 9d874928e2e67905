"""Do searchers wait for a writer, or for each other?  Latency and memory of a server.

    python -m benchmarks.speed.concurrency --archive /tmp/real.forebear
    python -m benchmarks.speed.concurrency --hold 60 --searchers 50 --seconds 120 --workers 2

The archive has all record files of the shared data, about 60,000 records; one that does not exist
is made.  First another process holds the write lock for ``--hold`` seconds, while searches and
``/health`` are requested.  Then ``--warm-up`` searches fill the server's bounded caches.  Then
``--searchers`` visitors search for ``--seconds``, each with an address in the trusted proxy header
and a pause of two seconds between two searches.  Memory is that of the server and its workers,
before and after these visits.  The exit status is 1 if a bar is missed.
"""

import argparse
import asyncio
import itertools
import multiprocessing
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from benchmarks.quality.london import SHARED, make_archive
from benchmarks.quality.london_data import Order, read_orders
from benchmarks.speed.abuse import PROXY, Outcome, get

HELD_BAR = 0.5  # seconds: p99 while the write lock is held
SEARCH_BAR = 2.0  # seconds: p99 of many searchers
GROWTH_BAR = 0.10
PAUSE = 2.0  # seconds between two searches of a visitor
WARMERS = 5  # visitors who warm the server up, without a pause
ADDRESSES = 250  # of those who warm up, so that none exceeds the limit of requests a minute


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that runs."""

    process: "subprocess.Popen[str]"
    port: int

    def memory(self) -> float:
        """Return the megabytes in memory of the server and its workers, shared pages once."""
        pids = [self.process.pid, *_children(self.process.pid)]
        return sum(_proportional_kilobytes(pid) for pid in pids) / 1000


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    children = [int(word) for word in text.split()]
    return [*children, *(pid for child in children for pid in _children(child))]


def _proportional_kilobytes(pid: int) -> int:
    """Return the private memory of a process; pages of the mapped file are the system's."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon"))


@contextmanager
def serving(archive: Path, *, workers: int) -> Iterator[Server]:
    """Start a server and end it."""
    command = [
        *(sys.executable, "-c", "from forebear.cli.app import main; main()", "serve"),
        *("--port", "0", "--archive", str(archive), "--trusted-proxy", PROXY),
        *("--workers", str(workers)),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            if process.stderr is None or not (port := urlsplit(process.stderr.readline()).port):
                sys.exit("the server did not start")
            yield Server(process=process, port=port)
        finally:
            process.terminate()


def hold_lock(archive: Path, seconds: float) -> None:
    """Hold the write lock of an archive, as another program that writes does."""
    with closing(sqlite3.connect(archive, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        database.execute("ROLLBACK")


def searches(orders: Sequence[Order], seed: int) -> Iterator[str]:
    """Yield addresses of searches for people of removal orders, with and without a year."""
    rng = random.Random(seed)
    while True:
        order = rng.choice(orders)
        facts = {"given": order.given, "surname": order.surname}
        if rng.random() < 0.5:
            facts["birth"] = f"abt {order.shifted_year - rng.randint(15, 60)}"
        yield f"/?{urlencode(facts)}"


async def visit(
    port: int, number: int, paths: Iterator[str], until: float, outcome: Outcome
) -> None:
    """Request one page after the other as one visitor, with a pause."""
    address = f"192.0.2.{number}"
    await asyncio.sleep(random.Random(number).random() * PAUSE)
    while time.monotonic() < until:
        await get(port, next(paths), address, outcome)
        await asyncio.sleep(PAUSE)


def health() -> Iterator[str]:
    """Yield the address that monitors request."""
    while True:
        yield "/health"


async def measure_lock(
    server: Server, orders: Sequence[Order], seconds: float
) -> dict[str, Outcome]:
    """Return how long five searchers and five monitors wait while the lock is held."""
    outcomes = {"search": Outcome(), "health": Outcome()}
    until = time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        for number in range(5):
            paths = searches(orders, number)
            group.create_task(visit(server.port, number, paths, until, outcomes["search"]))
            visitor = visit(server.port, 100 + number, health(), until, outcomes["health"])
            group.create_task(visitor)
    return outcomes


async def measure_searchers(
    server: Server, orders: Sequence[Order], *, searchers: int, seconds: float
) -> tuple[Outcome, float, float]:
    """Return how long many searchers wait, and the server's memory before and after."""
    warm = server.memory()
    outcome, until = Outcome(), time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        for number in range(searchers):
            paths = searches(orders, number)
            group.create_task(visit(server.port, number, paths, until, outcome))
    return outcome, warm, server.memory()


async def warm_up(server: Server, orders: Sequence[Order], count: int) -> None:
    """Send many different searches, so that the caches of the server are full."""
    paths = itertools.islice(searches(orders, seed=count), count)
    addresses = itertools.cycle(f"198.51.100.{number}" for number in range(ADDRESSES))

    async def send() -> None:
        for path in paths:
            await get(server.port, path, next(addresses), Outcome())

    async with asyncio.TaskGroup() as group:
        for _ in range(WARMERS):
            group.create_task(send())


def judge(outcome: Outcome, bar: float) -> bool:
    """Return whether all requests were answered and p99 is under a bar."""
    summary = outcome.summary()
    return summary["statuses"] == {200: summary["requests"]} and float(str(summary["p99"])) < bar


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--archive", type=Path, help="keep the archive here, and use it again")
    parser.add_argument("--hold", type=float, default=60, help="seconds that the lock is held")
    parser.add_argument("--searchers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--warm-up", type=int, default=3000, help="searches before memory is read")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    orders = read_orders(SHARED)
    is_met = True
    with tempfile.TemporaryDirectory() as folder:
        archive = options.archive or Path(folder) / "real.forebear"
        if not archive.exists():
            make_archive(archive)
        with serving(archive, workers=options.workers) as server:
            if options.hold:
                holder = multiprocessing.Process(target=hold_lock, args=(archive, options.hold + 1))
                holder.start()
                outcomes = asyncio.run(measure_lock(server, orders, options.hold))
                holder.join()
                for name, outcome in outcomes.items():
                    print(f"{name}, write lock held: {outcome.summary()}")
                    is_met &= judge(outcome, HELD_BAR)
            if options.searchers:
                asyncio.run(warm_up(server, orders, options.warm_up))
                outcome, warm, end = asyncio.run(
                    measure_searchers(
                        server, orders, searchers=options.searchers, seconds=options.seconds
                    )
                )
                growth = end / warm - 1
                print(f"{options.searchers} searchers: {outcome.summary()}")
                print(f"memory: {warm:,.0f} MB when warm, {end:,.0f} MB at the end, {growth:+.1%}")
                is_met &= judge(outcome, SEARCH_BAR) and growth <= GROWTH_BAR
    print(
        f"p99 under {HELD_BAR:g} s with the lock held and {SEARCH_BAR:g} s with many searchers, no "
        f"error, memory growth at most {GROWTH_BAR:.0%}: {'met' if is_met else 'missed'}"
    )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())

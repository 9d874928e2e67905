"""Do others notice when one address sends too much?  Slow connections and too many requests.

    python -m benchmarks.speed.abuse --archive demo/.work/archive.forebear

This starts a server.  Visitors with different addresses search, first alone, then while 1,000
connections (from loopback addresses) send their headers slowly and one address sends 100 requests a
second.  Client addresses go through the trusted proxy header.  Everything stays on this machine,
and each part ends after ``--seconds``.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

BAR = 1.0  # seconds: p99 of the others
SLOW_PER_ADDRESS = 20
PROXY = "127.0.0.1"  # the visitors connect from here; slow connections come from 127.0.1.x
SEARCHES = ("given=Thomas&surname=Thurlow", "surname=Cobbold&birth=abt+1806", "surname=Ling")
TIMEOUT = 30.0


@dataclass(slots=True)
class Outcome:
    """What one kind of client saw."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    def summary(self) -> dict[str, object]:
        shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
        return {
            "requests": len(self.seconds),
            "statuses": dict(sorted(self.statuses.items())),
            **{n: round(float(np.quantile(self.seconds, q)), 3) for n, q in shares.items()},
        }


async def get(port: int, path: str, address: str, outcome: Outcome) -> None:
    """Send one request as a client with this address; status 0 is a failure."""
    started, status = time.monotonic(), 0
    try:
        async with asyncio.timeout(TIMEOUT):
            reader, writer = await asyncio.open_connection(PROXY, port)
            head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            writer.write(f"{head}X-Forwarded-For: {address}\r\n\r\n".encode())
            response = await reader.read()
            writer.close()
        status = int(response.split(b" ", 2)[1]) if response else 0
    except (OSError, TimeoutError):
        pass
    outcome.seconds.append(time.monotonic() - started)
    outcome.statuses[status] += 1


async def visit(port: int, number: int, pause: float, until: float, outcome: Outcome) -> None:
    """Search again and again, with a pause, as one visitor."""
    await asyncio.sleep(pause * number / 10)
    while time.monotonic() < until:
        query = SEARCHES[number % len(SEARCHES)]
        await get(port, f"/?{query}", f"192.0.2.{number + 1}", outcome)
        await asyncio.sleep(pause)


async def flood(port: int, rate: int, until: float, outcome: Outcome) -> None:
    """Send this many requests a second from one address, without waiting for responses."""
    async with asyncio.TaskGroup() as group:
        started, sent = time.monotonic(), 0
        while time.monotonic() < until:
            due = int((time.monotonic() - started) * rate)
            for _ in range(due - sent):
                group.create_task(get(port, f"/?{SEARCHES[0]}", "198.51.100.1", outcome))
            sent = due
            await asyncio.sleep(0.02)


async def be_slow(port: int, number: int, until: float, held: Counter[str]) -> None:
    """Hold a connection by sending a byte a second, and connect again when it is closed."""
    source = f"127.0.{1 + number // SLOW_PER_ADDRESS // 250}.{1 + number // SLOW_PER_ADDRESS % 250}"
    while time.monotonic() < until:
        try:
            reader, writer = await asyncio.open_connection(PROXY, port, local_addr=(source, 0))
            held["opened"] += 1
            writer.write(b"GET / HTTP/1.1\r\nX-Slow: ")
            while time.monotonic() < until and not reader.at_eof():
                writer.write(b"x")
                try:
                    async with asyncio.timeout(1):
                        await reader.read(1000)
                except TimeoutError:
                    continue
            held["closed"] += reader.at_eof()
            writer.close()
        except OSError:
            held["failed"] += 1
            await asyncio.sleep(1)


async def measure(port: int, options: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Return what visitors saw without and with the abuse, and what the abuse saw."""
    alone, others, flooding = Outcome(), Outcome(), Outcome()
    held: Counter[str] = Counter()
    until = time.monotonic() + options.seconds
    async with asyncio.TaskGroup() as group:
        for number in range(options.visitors):
            group.create_task(visit(port, number, options.pause, until, alone))
    until = time.monotonic() + options.seconds
    async with asyncio.TaskGroup() as group:
        for number in range(options.slow):
            group.create_task(be_slow(port, number, until, held))
        await asyncio.sleep(3)  # until the slow connections are there
        group.create_task(flood(port, options.rate, until, flooding))
        for number in range(options.visitors):
            group.create_task(visit(port, number, options.pause, until, others))
    return {
        "visitors alone": alone.summary(),
        "visitors meanwhile": others.summary(),
        "the flooding address": flooding.summary(),
        "slow connections": dict(held),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--archive", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--slow", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=100)
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--pause", type=float, default=2.0)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    command = [
        *(sys.executable, "-c", "from forebear.cli.app import main; main()", "serve"),
        *("--port", "0", "--archive", str(options.archive), "--trusted-proxy", PROXY),
        *("--workers", str(options.workers)),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            if server.stderr is None or (port := urlsplit(server.stderr.readline()).port) is None:
                sys.exit("the server did not start")
            figures = asyncio.run(measure(port, options))
        finally:
            server.terminate()
    for name, values in figures.items():
        print(f"{name:<22} {json.dumps(values)}")
    others = figures["visitors meanwhile"]
    is_met = others["statuses"] == {200: others["requests"]} and float(str(others["p99"])) < BAR
    print(f"p99 of the others under {BAR:g} s, no error: {'met' if is_met else 'missed'}")
    sys.exit(not is_met)


if __name__ == "__main__":
    main()

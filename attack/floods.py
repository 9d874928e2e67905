"""Do slow connections and floods from one address leave others served?

One loopback address opens hundreds of connections that never finish their request, or sends
requests without pause, both directly and through a trusted proxy.  Meanwhile visitors behind the
same proxy search and ask for ``/health``: every one of their answers must come, and 99 of 100
within a second.
"""

import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import CannotRun, Serving, missing_feature, serving
from attack.web import plain, send
from attack.worlds import make_demo

ATTACKER, PROXY = "127.0.0.66", "127.0.0.2"
ATTACKER_BEHIND_PROXY = "198.51.100.66"
SLOW_CONNECTIONS = 1_000
FLOOD_PER_SECOND = 100
SENDERS = 4
REFUSED_SECONDS = 15  # until the first request of a flood is refused
LIMIT_SECONDS = 1.0
PAUSE_SECONDS = 0.6  # below the limit of requests a minute


def run(plan: Plan) -> Outcome:
    """Measure what others wait for; a try is one request of theirs."""
    path = make_demo(plan.folder / "demo.forebear")
    failures = []
    worst = 0.0
    refused: list[str] = []
    try:
        for name, attack in (("slow connections", slow), ("a flood", flood)):
            waits = []
            with serving(path, "--trusted-proxy", PROXY) as server:
                visit(server, 0)  # what is loaded by the first search
                with attack(server, refused):
                    for number in range(plan.tries // 2):
                        started = time.monotonic()
                        status = visit(server, number)
                        waits.append(time.monotonic() - started)
                        if status != 200:
                            failures.append(f"during {name}, request {number} gets {status}")
                        time.sleep(PAUSE_SECONDS)
            late = sorted(waits)[: max(1, len(waits) * 99 // 100)][-1]
            worst = max(worst, late)
            if late > LIMIT_SECONDS:
                failures.append(f"during {name}, p99 is {late:.2f} s")
    except CannotRun as missing:
        return missing_feature(missing, plan.tries)
    for source, way in ((ATTACKER, "directly"), (PROXY, "through the proxy")):
        if source not in refused:
            failures.append(f"no request of the flood that came {way} was refused")
    return Outcome(
        tries=plan.tries,
        failures=tuple(failures),
        worst=f"p99 of others {worst:.2f} s; {len(refused):,} requests refused",
    )


def visit(server: Serving, number: int) -> int:
    """Send what an honest visitor sends, and return the status."""
    address = "/health" if number % 2 else "/?given=Mary&surname=Cornell"
    with suppress(OSError):
        visitor = f"203.0.113.{1 + number % 250}"
        return send(server, plain(server.port, address, visitor=visitor), PROXY).status
    return 0


@contextmanager
def slow(server: Serving, _refused: list[str]) -> Iterator[None]:
    """Hold many connections open whose requests never end."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as stack:
        for _ in range(SLOW_CONNECTIONS):
            with suppress(OSError):
                connection = stack.enter_context(
                    socket.create_connection(
                        ("127.0.0.1", server.port), timeout=5, source_address=(ATTACKER, 0)
                    )
                )
                connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        yield


@contextmanager
def flood(server: Serving, refused: list[str]) -> Iterator[None]:
    """Send a hundred requests a second."""
    stop = threading.Event()

    def send_all(source: str, visitor: str) -> None:
        request = plain(server.port, "/?given=Mary&surname=Cornell", visitor=visitor)
        while not stop.wait(SENDERS / FLOOD_PER_SECOND):
            with suppress(OSError):
                if send(server, request, source).status == 429:
                    refused.append(source)

    threads = [
        threading.Thread(target=send_all, args=source)
        for source in ((ATTACKER, ""), (PROXY, ATTACKER_BEHIND_PROXY))
        for _ in range(SENDERS)
    ]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + REFUSED_SECONDS
    while len(set(refused)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


ATTACK = Attack(
    name="floods",
    question="Do slow connections and floods from one address leave others served?",
    tries=Tries(quick=6, normal=60, full=200),
    run=run,
    alone=True,
)

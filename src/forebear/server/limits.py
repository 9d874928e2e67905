"""How much may one address ask for, and how many searches run at once?

Requests are counted in steps of five seconds, and the last thirteen steps are added up, so an
address gets no more than its number in any 60 seconds.  Counts are in arrays of a fixed size: an
address has one cell in each of three rows, chosen by a hash with a random key, and the smallest of
the three is its count.  Addresses that share a cell can only make a count too high, and sharing all
three is rare.  So memory is bounded, and no address is forgotten.

With several workers, each has arrays that only it writes to, and adds up those of all workers.
No lock is needed, and the limits hold for all workers together.

A search is mostly computation in one process, so that more at once are not done sooner: each
takes longer and holds its memory longer.  Others wait in turn.  Requests that do not search never
wait for a turn.
"""

import hashlib
import math
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from forebear.archive import Archive

STEP_SECONDS = 5
STEPS = 60 // STEP_SECONDS + 1  # the latest step has only begun
ROWS = 3
COLUMNS = 1 << 14
# What one worker counts.
COUNTS = np.dtype(
    [
        ("step", "i8", (STEPS,)),  # which step the requests belong to
        ("requests", "u4", (STEPS, ROWS, COLUMNS)),
        ("connections", "i4", (ROWS, COLUMNS)),
    ]
)
PAGE_COST = 10
FILE_COST = 1  # of a static file or /health: ten of them count as one page
Cells = tuple[Any, Any]  # rows and columns
_ROW_NUMBERS = np.arange(ROWS)
SEARCHES_AT_ONCE = 3  # in one process


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one address may ask for, and how long a request may take to arrive."""

    requests: int = 120  # in any 60 seconds
    connections: int = 20  # at one time
    header_seconds: float = 10.0  # until all headers have arrived
    body_seconds: float = 30.0  # until the body has arrived, or a client reads on
    body_bytes: int = 64 << 10
    url_bytes: int = 8 << 10


DEFAULT_LIMITS = Limits()


class Counters:
    """Counts requests and open connections by address."""

    def __init__(
        self,
        limits: Limits,
        *,
        memory: Any = None,  # of all workers, `COUNTS.itemsize` bytes each
        worker: int = 0,
        key: bytes | None = None,  # of the hash, the same in all workers
        clock: Callable[[], float] = time.monotonic,  # the same in all processes
    ) -> None:
        self._limits = limits
        self._key = secrets.token_bytes(32) if key is None else key
        self._clock = clock
        self._all = np.frombuffer(
            bytearray(COUNTS.itemsize) if memory is None else memory, dtype=COUNTS
        )
        self._ours = self._all[worker]
        self._ours["connections"] = 0  # those of a worker that crashed are closed

    def count_request(self, address: str, cost: int = PAGE_COST) -> int:
        """Count a request and return 0, or the seconds to wait if there are too many."""
        cells, now = self._cells(address), self._clock()
        latest = int(now // STEP_SECONDS)
        steps = np.arange(latest - STEPS + 1, latest + 1)
        slots = steps % STEPS
        is_counted = self._all["step"][:, slots] == steps
        counts = self._all["requests"][:, slots[:, None], *cells] * is_counted[:, :, None]
        by_step = counts.sum(axis=0)
        room = PAGE_COST * self._limits.requests - cost
        if by_step.sum(axis=0).min() <= room:
            self._add_request(latest, cells, cost)
            return 0
        for number in range(1, STEPS + 1):  # of steps that have to pass
            if by_step[number:].sum(axis=0).min() <= room:
                break
        return max(1, math.ceil((latest + number) * STEP_SECONDS - now))

    def open_connection(self, address: str) -> bool:
        """Count a connection, or return False if there are too many."""
        cells = self._cells(address)
        if self._all["connections"][:, *cells].sum(axis=0).min() >= self._limits.connections:
            return False
        self._ours["connections"][cells] += 1
        return True

    def close_connection(self, address: str) -> None:
        """Stop counting a connection."""
        self._ours["connections"][self._cells(address)] -= 1

    def _add_request(self, step: int, cells: "Cells", cost: int) -> None:
        slot = step % STEPS
        if self._ours["step"][slot] != step:
            self._ours["requests"][slot] = 0
            self._ours["step"][slot] = step
        self._ours["requests"][slot][cells] += cost

    def _cells(self, address: str) -> "Cells":
        digest = hashlib.blake2b(address.encode(), key=self._key, digest_size=4 * ROWS).digest()
        return _ROW_NUMBERS, np.frombuffer(digest, "u4") % COLUMNS


class Turns:
    """The searches of a server, a few at a time."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._free = threading.BoundedSemaphore(SEARCHES_AT_ONCE)

    @contextmanager
    def take(self) -> Iterator[None]:
        """Search and read what was found, at one moment of the archive."""
        with self._free, self._archive.storage.snapshot():
            yield

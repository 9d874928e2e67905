"""Which processes share the work of an import, and how do they start and end?

A pool of processes takes a bounded number of items at a time and returns results in their order.
The processes are spawned: a copy of a process that has threads may hang.  They stay for the next
file, because one that has read a table has the names, places and days of the next one in its
caches.  They end when the archive is closed, or when the process that started them ends.
"""

import atexit
import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, TypeVar

from forebear.errors import ForebearError

VALUES_BETWEEN_COLLECTIONS = 1_000_000  # more than a chunk becomes
ITEMS_IN_FLIGHT = 6  # of each process, so that memory stays bounded whoever is slower

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers:
    """Processes that work for this one; none is started before there is work for it."""

    def __init__(self, count: int | None = None) -> None:
        """Use ``count`` processes: by default one a core, 0 to do all work in this process."""
        self._count = os.cpu_count() or 1 if count is None else count
        self._pool: ProcessPoolExecutor | None = None

    @property
    def is_this_process(self) -> bool:
        """Whether all work is done in this process."""
        return not self._count

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[tuple[Item, Result]]:
        """Yield each item with what a function of a module returns for it, in their order."""
        if not self._count:
            for item in items:
                yield item, function(item)
            return
        waiting: deque[tuple[Item, Future[Result]]] = deque()
        try:
            for item in items:
                waiting.append((item, self._start().submit(function, item)))
                if len(waiting) > ITEMS_IN_FLIGHT * self._count:
                    yield waiting[0][0], waiting.popleft()[1].result()
            while waiting:
                yield waiting[0][0], waiting.popleft()[1].result()
        except BrokenProcessPool:
            self.close()
            raise ForebearError(
                "a process that was reading the file ended",
                hint="run the same import again: it continues where it stopped",
            ) from None
        finally:
            for _, future in waiting:
                future.cancel()

    def close(self) -> None:
        """End the processes, once they have finished what they are doing."""
        pool, self._pool = self._pool, None
        if pool:
            pool.shutdown(cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count, mp_context=_Context(), initializer=_prepare_worker
            )
        return self._pool


class _Process(SpawnProcess):
    """A process that does not run the script of this one."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802  # the name that multiprocessing calls
        with _without_script():
            return SpawnProcess._Popen(process_obj)


class _Context(SpawnContext):
    Process = _Process


@contextmanager
def _without_script() -> Iterator[None]:
    """Let a new process neither run the main script nor import modules from the current folder.

    It would run the script to find functions defined there.  Ours are in modules, and a script
    that imports a table in its first lines would do so again.
    """
    script, safe_path = sys.modules["__main__"], os.environ.get("PYTHONSAFEPATH")
    sys.modules["__main__"] = ModuleType("__main__")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        sys.modules["__main__"] = script
        if safe_path is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = safe_path


def _prepare_worker() -> None:
    """Leave interruptions to the process that started this one, and end when it ends.

    Rows become values without cycles, so the collector rarely runs here.  At a tenth as many values
    between its runs, which is fewer than those of a chunk, it took 5 % of the time.
    """
    gc.set_threshold(VALUES_BETWEEN_COLLECTIONS)
    atexit.register(os._exit, 0)  # to free what it remembers, value by value, takes a second
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)

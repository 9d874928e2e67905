"""On which socket is an archive served, and by which process?

The socket is bound before the server starts, so that a free port is known before the first request
and an address that is taken is our error.  Requests are not logged, because they name people.

With several workers, this process only starts them, restarts one that crashes, and stops them all.
A worker ends when this process does, however it ends.
"""

import ctypes
import errno
import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from forebear.archive import open_archive
from forebear.errors import ServerError
from forebear.server.app import make_app, warm_up
from forebear.server.connections import limited_connection
from forebear.server.limits import COUNTS, Counters
from forebear.server.options import DEFAULT_OPTIONS, ServerOptions

SHUTDOWN_SECONDS = 5  # for requests that are being answered
POLL_SECONDS = 0.2
RESTART_SECONDS = 1.0  # between the crash of a worker and its restart
MAX_FILES = 1 << 16  # and connections
ARENAS = 2
_M_ARENA_MAX = -8  # from <malloc.h>
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # can be listened on, but not visited


def run_server(
    path: Path,
    *,
    host: str,
    port: int,
    ready: Callable[[str], None],
    options: ServerOptions = DEFAULT_OPTIONS,
    workers: int = 1,
) -> None:
    """Serve an archive until stopped; ``ready`` gets the URL once requests are answered.

    Then it gets what to do about the archive, such as that the public sees nothing of it yet.
    """
    with open_archive(path) as archive:  # a missing or damaged one is an error before we listen
        notices = archive.notices()

        def report(bound: socket.socket) -> None:
            ready(url_of(bound))
            for notice in notices:
                ready(f"notice: {notice}")

        if workers == 1:
            warm_up(archive)
            with bind(host, port) as bound:
                counters = Counters(options.limits)
                app = make_app(archive, options=options, counters=counters)
                listen(app, bound, options, counters, ready=lambda: report(bound))
            return
    with bind(host, port) as bound:
        run_workers(
            WorkerTask(
                path=path,
                bound=bound,
                options=options,
                key=secrets.token_bytes(32),
                memory=get_context("spawn").RawArray("B", workers * COUNTS.itemsize),
            ),
            workers,
            ready=lambda: report(bound),
        )


class ReadyServer(uvicorn.Server):
    """A server that reports when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then report it."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def listen(
    app: FastAPI,
    bound: socket.socket,
    options: ServerOptions,
    counters: Counters,
    *,
    ready: Callable[[], None],
) -> None:
    """Answer requests until interrupted, or until the process that started this one ends."""
    config = uvicorn.Config(
        app,
        http=limited_connection(options, counters),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # we read them ourselves
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    _allow_many_files()
    _share_memory()
    server = ReadyServer(config, ready)
    if parent_process() is not None:
        threading.Thread(target=_end_with_parent, args=(server,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[bound])


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerTask:
    """What all workers serve, and the memory in which they count."""

    path: Path
    bound: socket.socket
    options: ServerOptions
    key: bytes
    memory: Any


@dataclass(slots=True, kw_only=True)
class Worker:
    """A worker process; ``messages`` reports once that it listens."""

    number: int
    process: SpawnProcess
    messages: "connection.Connection[None, None]"


def work(task: WorkerTask, number: int, messages: "connection.Connection[None, None]") -> None:
    """Serve an archive in a worker process."""
    with open_archive(task.path) as archive:
        warm_up(archive)
        counters = Counters(task.options.limits, memory=task.memory, worker=number, key=task.key)
        app = make_app(archive, options=task.options, counters=counters)
        listen(app, task.bound, task.options, counters, ready=lambda: messages.send(None))


def _share_memory() -> None:
    """Let threads allocate from few arenas, of which none returns much to the system (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # another C library
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, ARENAS)


def run_workers(task: WorkerTask, count: int, *, ready: Callable[[], None]) -> None:
    """Run workers until a signal arrives; restart those that crash."""
    workers = []
    with _stop_signal() as stopped:
        try:
            workers = [_start_worker(task, number) for number in range(count)]
            _wait_until_ready(workers, stopped)
            if not stopped.is_set():
                ready()
            while not stopped.is_set():
                connection.wait([w.process.sentinel for w in workers], timeout=POLL_SECONDS)
                for at, worker in enumerate(workers):
                    if not worker.process.is_alive() and not stopped.wait(RESTART_SECONDS):
                        workers[at] = _start_worker(task, worker.number)
        finally:
            _stop(workers)


def _start_worker(task: WorkerTask, number: int) -> Worker:
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(task, number, sender))
    process.start()
    sender.close()  # so that the receiver notices the worker's end
    return Worker(number=number, process=process, messages=receiver)


def _wait_until_ready(workers: list[Worker], stopped: threading.Event) -> None:
    for worker in workers:
        while not stopped.is_set() and not worker.messages.poll(POLL_SECONDS):
            pass
        try:
            if not stopped.is_set():
                worker.messages.recv()
        except EOFError:
            worker.process.join()
            raise ServerError(
                f"a worker ended while it started, with exit status {worker.process.exitcode}",
                hint="its message is above; `forebear serve` without --workers may say more",
            ) from None


def _stop(workers: list[Worker]) -> None:
    """End all workers: first by request, then by force."""
    for worker in workers:
        worker.process.terminate()
    deadline = time.monotonic() + 2 * SHUTDOWN_SECONDS
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        worker.process.kill()
        worker.process.join()
        worker.messages.close()


@contextmanager
def _stop_signal() -> Iterator[threading.Event]:
    """Set an event instead of ending when a signal asks to stop."""
    stopped = threading.Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    previous = {number: signal.signal(number, lambda *_: stopped.set()) for number in signals}
    try:
        yield stopped
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _end_with_parent(server: uvicorn.Server) -> None:
    """Stop a server when the process that started this one ends."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        server.should_exit = True
        time.sleep(2 * SHUTDOWN_SECONDS)
        os._exit(1)  # a request that is still being answered holds the process


def _allow_many_files() -> None:
    """Raise the limit on open files, of which every connection is one."""
    try:
        import resource
    except ImportError:  # only POSIX has such a limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, or raise an error with the reason."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ServerError(f"cannot listen on {host!r}: {error.strerror or error}") from None
    try:
        if os.name == "posix":  # elsewhere it would let two servers share the port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # Only listening detects another listener; that uvicorn listens again does no harm.
        bound.listen()
    except OSError as error:
        bound.close()
        raise _refused(host, port, error) from None
    return bound


def url_of(bound: socket.socket) -> str:
    """Return where a browser finds what the socket serves."""
    host, port = bound.getsockname()[:2]
    host = ANY_ADDRESS.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _refused(host: str, port: int, error: OSError) -> ServerError:
    if error.errno == errno.EADDRINUSE:
        return ServerError(
            f"port {port} of {host!r} is in use",
            hint="choose another with --port, or let --port 0 find a free one",
        )
    return ServerError(
        f"cannot listen on port {port} of {host!r}: {error.strerror or error}",
        hint="ports below 1024 need special rights; 8000 does not",
    )

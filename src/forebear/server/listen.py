"""How does an application get an address?  A socket of ours, and uvicorn on it.

The socket is bound here, so that a free port is known before the first request and an
address that cannot be had is our error.  Requests are not logged: they name people.
"""

import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from forebear.errors import ServerError

SHUTDOWN_SECONDS = 5
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # listened on, but nothing to visit


class ReadyServer(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def listen(app: FastAPI, *, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Answer requests until interrupted; port 0 takes a free one."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    with bind(host, port) as bound:
        url = url_of(bound)
        with suppress(KeyboardInterrupt):
            ReadyServer(config, lambda: ready(url)).run(sockets=[bound])


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, or say why it cannot be had."""
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
        # Only listening finds out about another listener; uvicorn listens again, to no harm.
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

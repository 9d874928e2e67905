"""How is an archive served?  The application, its protection, and the socket it listens on.

A form on another site can make a visitor's browser send a request here.  Browsers say where a
request comes from (``Sec-Fetch-Site``, else ``Origin``), so a request from elsewhere that would
change something is refused.  Programs send neither header and carry no session.

The socket is bound before the server starts, so that a free port is known before the first request
and an address that is taken is our error.  Requests are not logged, because they name people.
"""

import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI, Request
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forebear import __version__
from forebear.archive import Archive, open_archive
from forebear.errors import ServerError
from forebear.server.api import describe_api, make_api
from forebear.server.errors import add_error_responses, error_response
from forebear.server.render import SECURITY_HEADERS
from forebear.server.routes import make_routes

STATIC = Path(__file__).parent / "static"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SHUTDOWN_SECONDS = 5
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # can be listened on, but not visited


def run_server(path: Path, *, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve an archive until stopped; ``ready`` gets the URL once requests are answered."""
    with open_archive(path) as archive:
        listen(make_app(archive), host=host, port=port, ready=ready)


def make_app(archive: Archive) -> FastAPI:
    """Return the application that serves an open archive to the public."""
    app = FastAPI(
        title="Forebear",
        summary="Search historical records for a person.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(make_routes(archive))
    app.include_router(make_api(archive))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_error_responses(app)
    app.add_middleware(Protection)
    describe_api(app)
    return app


class Protection:
    """Refuses changes requested by other sites and adds security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY_HEADERS)
            await send(message)

        response = self._app
        if is_from_elsewhere(request := Request(scope)):
            response = error_response(
                request,
                403,
                "cross-site",
                "this was sent from another site, so it was not done",
                "open the page itself and try again",
            )
        await response(scope, receive, send_protected)


def is_from_elsewhere(request: Request) -> bool:
    """Return whether a request that may change something comes from another site."""
    if request.method in SAFE_METHODS:
        return False
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")


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

"""What does the server answer, and which requests does it refuse?

The application has pages, API and files.  Before it sees a request, some are refused:

- A Host header that does not name us: a page of another site may have made its own name point here.
- More requests than an address may make, a URL or a body that is too long or too slow.
- A change requested by another site.  A form there can make a visitor's browser send a request.
  Browsers say where a request comes from (``Sec-Fetch-Site``, else ``Origin``).

Of the requests of one address, a few are answered at a time and the others wait, so that a burst of
them does not delay other visitors.  A body is read here, within its limits, before the application
starts.  HEAD is answered like GET, without the body.  Every response gets security headers.
"""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from h11 import LocalProtocolError
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forebear import __version__
from forebear.archive import Archive
from forebear.errors import ForebearError
from forebear.server.api import describe_api, make_api
from forebear.server.limits import FILE_COST, PAGE_COST, Counters, Turns
from forebear.server.options import DEFAULT_OPTIONS, ServerOptions
from forebear.server.responses import SECURITY_HEADERS, add_error_responses, error_response
from forebear.server.routes import make_routes
from forebear.server.visitors import client_address, is_trusted

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CHEAP = ("/static/", "/health")
AT_ONCE = 2  # requests of one address that the application answers at a time
MAX_DRAINED = 16  # times the limit of a body: read to its end, so that the client gets the response
TYPICAL_SEARCH = {"given": "Mary", "surname": "Smith"}
STATIC = Path(__file__).parent / "static"


@dataclass(slots=True)
class _Turns:
    """The turns of one address, and how many requests have one or wait for one."""

    free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    requests: int = 0


class Protection:
    """Refuses what the options do not allow, and passes everything else on."""

    def __init__(self, app: ASGIApp, *, options: ServerOptions, counters: Counters) -> None:
        self._app = app
        self._options = options
        self._counters = counters
        self._turns: dict[str, _Turns] = {}  # by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_head = scope["method"] == "HEAD"
        is_answered = False  # by the server itself

        async def send_protected(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            elif is_head:
                message = {**message, "body": b""}
            if is_answered:
                return
            try:
                await send(message)
            except LocalProtocolError:  # what came after the headers was no HTTP, and was refused
                is_answered = True

        peer = scope["client"][0] if scope["client"] else ""
        forwarded = Headers(scope=scope).getlist("x-forwarded-for")
        address = client_address(peer, forwarded, self._options.trusted_proxies)
        scope = {**scope, "client": (address, 0), "method": "GET" if is_head else scope["method"]}
        request = Request(scope)
        with self._concurrency(peer, address) as is_allowed:
            body: bytes | Response | None = self._refusal(request, address, is_allowed=is_allowed)
            if body is None:
                body = await self._read_body(request, receive)
            if isinstance(body, Response):
                body.headers["Connection"] = "close"
                await body(scope, receive, send_protected)
            else:
                async with self._turn(address):
                    await self._app(scope, replay(body, receive), send_protected)

    @asynccontextmanager
    async def _turn(self, address: str) -> AsyncIterator[None]:
        """Wait until fewer than AT_ONCE other requests of an address are being answered."""
        turns = self._turns.setdefault(address, _Turns())
        turns.requests += 1
        try:
            async with turns.free:
                yield
        finally:
            turns.requests -= 1
            if not turns.requests:
                del self._turns[address]

    @contextmanager
    def _concurrency(self, peer: str, address: str) -> Iterator[bool]:
        """Count a request as a connection of its address if a proxy holds the real one."""
        if not is_trusted(peer, self._options.trusted_proxies):
            yield True
        elif not self._counters.open_connection(address):
            yield False
        else:
            try:
                yield True
            finally:
                self._counters.close_connection(address)

    def _refusal(self, request: Request, address: str, *, is_allowed: bool) -> Response | None:
        host, limits = request.headers.get("host", ""), self._options.limits
        server = request.scope.get("server")
        if not self._options.allows_host(host, server[0] if server else ""):
            return error_response(
                request,
                421,
                "host",
                f"this server does not answer for the host {host[:100]!r}",
                "whoever runs it can allow the host with --public-url",
            )
        length = len(request.scope.get("raw_path") or b"") + len(request.scope["query_string"])
        if length > limits.url_bytes:
            message = f"the address has {length:,} bytes; {limits.url_bytes:,} are allowed"
            return error_response(request, 414, "limit", message)
        if not is_allowed:
            return too_many(request, f"{limits.connections} requests are being answered already", 1)
        cost = FILE_COST if request.url.path.startswith(CHEAP) else PAGE_COST
        if wait := self._counters.count_request(address, cost):
            return too_many(request, f"more than {limits.requests} requests in a minute", wait)
        if is_from_elsewhere(request, self._options.public_urls):
            return error_response(
                request,
                403,
                "cross-site",
                "this was sent from another site, so it was not done",
                "open the page itself and try again",
            )
        return None

    async def _read_body(self, request: Request, receive: Receive) -> bytes | Response:
        """Return the body of a request, or the response that refuses it."""
        limits, chunks, size = self._options.limits, list[bytes](), 0
        if {"content-length", "transfer-encoding"}.isdisjoint(request.headers):
            return b""
        too_large = error_response(
            request, 413, "limit", f"more than {limits.body_bytes:,} bytes were sent"
        )
        drained = MAX_DRAINED * limits.body_bytes
        stated = request.headers.get("content-length", "0")
        if stated.isdecimal() and int(stated) > drained:
            return too_large
        try:
            async with asyncio.timeout(limits.body_seconds):
                while size <= drained:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return Response(status_code=400)  # to a client that is not there
                    size += len(message.get("body", b""))
                    if size <= limits.body_bytes:
                        chunks.append(message.get("body", b""))
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            words = f"the body did not arrive in {limits.body_seconds:g} seconds"
            return error_response(request, 408, "limit", words)
        return too_large if size > limits.body_bytes else b"".join(chunks)


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a channel that gives a body that has been read, then whatever follows."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def too_many(request: Request, message: str, wait: int) -> Response:
    """Return the response to an address that asks for too much."""
    response = error_response(request, 429, "limit", message, f"try again in {wait} seconds")
    response.headers["Retry-After"] = str(wait)
    return response


def is_from_elsewhere(request: Request, public_urls: tuple[str, ...]) -> bool:
    """Return whether a request that may change something comes from another site."""
    if request.method in SAFE_METHODS:
        return False
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin")
    if origin is None or origin in public_urls:
        return False
    return origin.partition("://")[2] != request.headers.get("host")


def warm_up(archive: Archive) -> None:
    """Count what searches need of the archive, so that the first visitor does not wait for it."""
    with suppress(ForebearError):  # visitors get the message of what is wrong
        archive.compile_searches()
        result = archive.search(TYPICAL_SEARCH, viewer="public", log=False)
        result.facets()
        result.page(size=20).to_dict()
    gc.collect()
    gc.freeze()  # what is loaded now stays; collections need not look at it again


def make_app(
    archive: Archive,
    *,
    options: ServerOptions = DEFAULT_OPTIONS,
    counters: Counters | None = None,
) -> FastAPI:
    """Return the application that serves an open archive to the public."""
    app = FastAPI(
        title="Forebear",
        summary="Search historical records for a person.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would redirect to what the Host header says
    )
    turns = Turns(archive)
    app.include_router(make_routes(archive, options, turns))
    app.include_router(make_api(archive, turns))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_error_responses(app)
    app.add_middleware(Protection, options=options, counters=counters or Counters(options.limits))
    describe_api(app)
    return app

"""How long may a connection take, and how many may an address hold?

uvicorn waits for the headers of a request as long as a client likes.  Here a connection is closed
when the headers do not arrive in time, or when the client does not read a response.  (The time of a
body is limited in ``app.py``.)  Connections of a trusted proxy are not counted, because it
holds them for many clients.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from forebear.server.limits import Counters
from forebear.server.options import ServerOptions
from forebear.server.responses import SECURITY_HEADERS
from forebear.server.visitors import address_group, is_trusted

REFUSAL = (
    "HTTP/1.1 {status}\r\nConnection: close\r\nRetry-After: 1\r\n"
    "Content-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{message}"
)


class Timer:
    """An action that is due after a time, unless it is canceled."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float, action: Callable[[], None]) -> None:
        """Start, if it does not run already."""
        if self._handle is None:
            self._handle = self._loop.call_later(seconds, action)

    def cancel(self) -> None:
        """Stop, so that it can be started again."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class LimitedConnection(H11Protocol):
    """A connection within its limits."""

    options: ClassVar[ServerOptions]
    counters: ClassVar[Counters]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        self._header_timer = Timer(self.loop)
        self._write_timer = Timer(self.loop)
        self._counted = ""
        peer = self.client[0] if self.client else ""
        if not is_trusted(peer, self.options.trusted_proxies):
            address = address_group(peer)
            if not self.counters.open_connection(address):
                most = self.options.limits.connections
                self._refuse("429 Too Many Requests", f"more than {most} connections")
                return
            self._counted = address
        self._watch_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._header_timer.cancel()
        self._write_timer.cancel()
        if self._counted:
            self.counters.close_connection(self._counted)
            self._counted = ""
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has arrived."""
        super().data_received(data)
        self._watch_headers()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, with the headers that every response has."""
        headers = {
            **SECURITY_HEADERS,
            "Content-Type": "text/plain; charset=utf-8",
            "Connection": "close",
        }
        events = (
            h11.Response(status_code=400, headers=[*headers.items()], reason="Bad Request"),
            h11.Data(data=msg.encode("ascii")),
            h11.EndOfMessage(),
        )
        # HEAD has no body, and a request that the page has answered gets nothing more.
        with suppress(h11.LocalProtocolError):
            for event in events:
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def pause_writing(self) -> None:
        """Stop writing until the client reads, but not for long."""
        super().pause_writing()
        self._write_timer.start(self.options.limits.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue writing."""
        self._write_timer.cancel()
        super().resume_writing()

    def _watch_headers(self) -> None:
        """Limit the time of headers, from their first byte or from the connection's start."""
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._header_timer.cancel()
        else:
            self._header_timer.start(self.options.limits.header_seconds, self._end_waiting)

    def _end_waiting(self) -> None:
        seconds = self.options.limits.header_seconds
        self._refuse("408 Request Timeout", f"no request in {seconds:g} seconds")

    def _refuse(self, status: str, message: str) -> None:
        text = REFUSAL.format(status=status, length=len(message), message=message)
        self.transport.write(text.encode("ascii"))
        self.transport.close()


def limited_connection(options: ServerOptions, counters: Counters) -> type[LimitedConnection]:
    """Return the class of the connections of a server."""
    return type(
        "ServerConnection", (LimitedConnection,), {"options": options, "counters": counters}
    )

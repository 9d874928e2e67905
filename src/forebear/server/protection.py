"""Who may act, and what may a browser do with an answer?

A form on somebody else's page can make a visitor's browser send ours.  Browsers say where a
request comes from (``Sec-Fetch-Site``, else ``Origin``), so one that comes from elsewhere
and would change something is refused.  Programs say neither and carry nobody's session.
"""

from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forebear.server.error_answers import error_answer
from forebear.server.headers import SECURITY_HEADERS

HARMLESS_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Protection:
    """Refuses what comes from elsewhere and adds the headers to every answer."""

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

        answer = self._app
        if is_from_elsewhere(request := Request(scope)):
            answer = error_answer(
                request,
                403,
                "cross-site",
                "this was sent from another site, so it was not done",
                "open the page itself and try again",
            )
        await answer(scope, receive, send_protected)


def is_from_elsewhere(request: Request) -> bool:
    """Say whether a request that may change something comes from another site."""
    if request.method in HARMLESS_METHODS:
        return False
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")

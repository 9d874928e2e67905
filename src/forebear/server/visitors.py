"""Who sent a request?

A visitor is an address, and the sign-in link that the visitor opened, if any.  Only a pseudonym of
the identity is ever stored.

The address is that of the connection.  Behind a proxy that is trusted, it is the last address in
``X-Forwarded-For`` that is not a trusted proxy, because whoever sends the request can write
anything before it.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import Request
from fastapi.responses import Response

from forebear.archive import Archive
from forebear.interactions.links import SignInLink
from forebear.server.options import Network

COOKIE = "forebear"
IPV6_PREFIX = 64  # what one household or machine usually has


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who sent a request."""

    address: str = ""  # an IPv4 address, or the /64 network of an IPv6 address
    link: str | None = None  # the name of the sign-in link

    @property
    def is_signed_in(self) -> bool:
        """Return whether the visitor opened a sign-in link that is still valid."""
        return self.link is not None

    @property
    def identity(self) -> str:
        """Return what a pseudonym of the visitor is computed from."""
        return self.address if self.link is None else f"link:{self.link}"


ANONYMOUS = Visitor()


def read_visitor(request: Request, archive: Archive) -> Visitor:
    """Return who sent a request, whose address the protection has determined."""
    token = request.cookies.get(COOKIE)
    link = archive.sign_in(token) if token else None
    return Visitor(
        address=request.client.host if request.client else "", link=link.name if link else None
    )


def sign_in(response: Response, token: str, link: SignInLink, *, is_https: bool) -> None:
    """Let a response sign its visitor in until the link expires.

    The cookie is ``Lax``: a ``Strict`` one would not be sent with the page that follows a link in a
    mail.  Other sites cannot send it with a request that changes something.  The address of the
    response holds the token, so it is neither stored nor passed on.
    """
    response.set_cookie(
        COOKIE,
        token,
        expires=datetime.fromisoformat(link.expires_at),
        httponly=True,
        samesite="lax",
        secure=is_https,
    )
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"


def sign_out(response: Response) -> None:
    """Let a response sign its visitor out."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


def client_address(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """Return the address to count a request by; ``forwarded`` holds X-Forwarded-For headers."""
    client = peer
    hops = [hop for header in forwarded for hop in header.split(",")]
    while hops and is_trusted(client, proxies):
        hop = _without_port(hops.pop().strip())
        if _parse(hop) is None:
            break
        client = hop
    return address_group(client)


def is_trusted(address: str, proxies: Sequence[Network]) -> bool:
    """Return whether an address is that of a trusted proxy."""
    parsed = _parse(address)
    return parsed is not None and any(parsed in network for network in proxies)


def address_group(address: str) -> str:
    """Return an IPv4 address as it is, and the network of an IPv6 address.

    >>> address_group("192.0.2.7"), address_group("2001:db8::7"), address_group("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    parsed = _parse(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(parsed), IPV6_PREFIX), strict=False))
    return address if parsed is None else str(parsed)


def _parse(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


def _without_port(hop: str) -> str:
    """Return an address of a header without brackets and port, which some proxies add."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop

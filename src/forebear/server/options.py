"""How is an archive to be served?  Everything that ``forebear serve`` can be given."""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from forebear.errors import InputError
from forebear.server.limits import DEFAULT_LIMITS, Limits

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]{1,5})?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLimits:
    """How old and how large the log may become; None is without a limit."""

    days: float | None = 365
    megabytes: float | None = 1000


DEFAULT_LOG_LIMITS = LogLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """How an archive is served."""

    public_urls: tuple[str, ...] = ()  # as `read_public_url` returns them
    trusted_proxies: tuple[Network, ...] = ()
    allow_votes: bool = False  # of visitors who are not signed in
    challenger: str = ""  # a model that is interleaved with the one in use while its trial runs
    limits: Limits = DEFAULT_LIMITS
    log_limits: LogLimits = DEFAULT_LOG_LIMITS

    def allows_host(self, host: str, bound: str) -> bool:
        """Return whether a Host header names us; ``bound`` is the address that was reached."""
        name = host_name(host)
        public = {urlsplit(url).hostname for url in self.public_urls}
        return bool(name) and (name in LOOPBACK_NAMES or name == bound or name in public)

    def is_https(self, host: str) -> bool:
        """Return whether visitors who send this Host header use https."""
        urls = [url for url in self.public_urls if urlsplit(url).hostname == host_name(host)]
        return any(url.startswith("https:") for url in urls or self.public_urls[:1])


DEFAULT_OPTIONS = ServerOptions()


def host_name(host: str) -> str:
    """Return the name or address in a Host header, without a port; "" if it is malformed.

    >>> host_name("Records.Example.org.:8000"), host_name("[::1]:8000")
    ('records.example.org', '::1')
    """
    match = _HOST.fullmatch(host.lower())
    return (match[1] or match[2].rstrip(".")) if match else ""


def read_public_url(text: str) -> str:
    """Return a public URL as scheme and host, or raise an error."""
    try:
        parts = urlsplit(text.strip())
        _ = parts.port
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    is_plain = parts.path in ("", "/") and not (
        parts.query or parts.fragment or "@" in parts.netloc
    )
    if parts.scheme not in ("http", "https") or not host_name(parts.netloc) or not is_plain:
        raise InputError(
            f"{text!r} is not a public URL",
            hint="give scheme and host, such as https://records.example.org",
        )
    return f"{parts.scheme}://{parts.netloc.lower()}"


def read_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return the networks that addresses or CIDR blocks name, or raise an error."""
    networks = []
    for text in texts:
        try:
            networks.append(ipaddress.ip_network(text.strip(), strict=False))
        except ValueError:
            raise InputError(
                f"{text!r} is not an address or a network",
                hint="give the proxy's address, such as 10.0.0.2, or a network, 10.0.0.0/24",
            ) from None
    return tuple(networks)

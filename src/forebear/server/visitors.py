"""Who sent a request?

A visitor is an address, and the sign-in link that the visitor opened, if any.  Only a pseudonym of
the identity is ever stored.
"""

from dataclasses import dataclass

from fastapi import Request


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


def read_visitor(request: Request) -> Visitor:
    """Return who sent a request."""
    return Visitor(address=request.client.host if request.client else "")

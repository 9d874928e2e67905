"""Who may sign in?  Named links that expire and can be revoked.

A link holds a random token.  The archive stores only its hash, so whoever reads the archive's file
cannot sign in with what is there.  A hash without salt is enough, because a random token of this
length cannot be guessed.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from forebear.errors import InputError

TOKEN_BYTES = 24  # 192 bits
MAX_NAME = 60  # characters
MAX_DAYS = 3650

LinkState = Literal["valid", "expired", "revoked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInLink:
    """A sign-in link, without its token."""

    name: str
    created_at: str
    expires_at: str
    revoked_at: str | None = None
    last_used: str | None = None  # a day

    def state(self, now: str) -> LinkState:
        """Return whether the link signs in at a moment."""
        if self.revoked_at is not None:
            return "revoked"
        return "valid" if now < self.expires_at else "expired"


class LinkStore(Protocol):
    """Stores sign-in links."""

    def put(self, link: SignInLink, token_hash: bytes) -> None:
        """Store a link; one of the same name is replaced."""

    def list(self) -> Sequence[SignInLink]:
        """Return all links by name."""

    def find(self, token_hash: bytes) -> SignInLink | None:
        """Return the link with this hash of its token."""

    def revoke(self, name: str, at: str) -> bool:
        """Revoke a link; return False if there is none of this name."""

    def note_use(self, name: str, day: str) -> None:
        """Note that a link was used on a day, unless the archive is busy."""


def new_token() -> str:
    """Return a random token that fits into an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> bytes:
    """Return the hash of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def read_link_name(text: str) -> str:
    """Return the name of a link, or raise an error if it cannot be one.

    >>> read_link_name(" Mary (Suffolk) ")
    'Mary (Suffolk)'
    """
    name = text.strip()
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise InputError(
            f"{name[:MAX_NAME]!r} cannot be the name of a link",
            hint=f"give 1 to {MAX_NAME} printable characters",
        )
    return name


def expiry(created: datetime, days: int) -> datetime:
    """Return when a link expires that is valid for this many days."""
    if not 1 <= days <= MAX_DAYS:
        raise InputError(f"{days} days are not possible", hint=f"give 1 to {MAX_DAYS}")
    return created + timedelta(days=days)

"""Where are models and what belongs to them stored?  What learning needs of a storage.

A model is a value that JSON can hold.  Each saved model gets a version and is never changed.
Promoting a version makes searches use it; rolling back returns to the one promoted before.

An offset says how much likelier people are to be in this archive than where the constants of a
model were fitted.  It is one number for each class of viewers and model: the public sees fewer
records than the owner.  `forebear.learning.probability` estimates it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """One saved model, without its weights."""

    version: str
    saved_at: str  # ISO 8601, UTC
    note: str  # what the model is, for people
    current: bool


class ModelRegistry(Protocol):
    """Models by version, one of them current; an unknown version is a `NotFoundError`."""

    def save(self, model: Mapping[str, Any], *, note: str = "") -> str:
        """Store a model and return its version; searches do not use it yet."""
        ...

    def load(self, version: str) -> dict[str, Any]:
        """Return the model as it was saved."""
        ...

    def list(self) -> tuple[ModelEntry, ...]:
        """Return every saved model, the oldest first."""
        ...

    def promote(self, version: str) -> None:
        """Make this the model that searches use, in one transaction."""
        ...

    def current(self) -> str | None:
        """Return the version that searches use; None before the first promotion."""
        ...

    def roll_back(self) -> str | None:
        """Undo the last promotion and return the version in use from then on.

        None means the model used before any was promoted.  Without a promotion to
        undo it is a `ModelError`.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbabilityOffset:
    """What is added to log2 of the odds of every hit against none, in bits."""

    viewer: str  # "owner" or "public"
    model: str
    bits: float
    searches: int  # it was estimated from
    at: str  # UTC, ISO 8601


class OffsetStore(Protocol):
    """Stores the offsets of an archive."""

    def bits(self, *, viewer: str, model: str) -> float:
        """Return the offset that a viewer's searches with a model have; 0 if none was estimated."""

    def put(self, offset: ProbabilityOffset) -> None:
        """Store an offset; an earlier one of the same viewers and model is replaced."""

    def clear(self) -> None:
        """Delete all offsets."""

    def list(self) -> tuple[ProbabilityOffset, ...]:
        """Return all offsets."""

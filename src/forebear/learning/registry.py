"""Where are models stored?  What learning needs of a storage.

A model is a value that JSON can hold.  Each saved model gets a version and is never changed.
Promoting a version makes searches use it; rolling back returns to the one promoted before.
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

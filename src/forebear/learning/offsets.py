"""How much likelier are people to be in this archive than where the constants were fitted?

An offset is one number for each class of viewers and model: the public sees fewer records than the
owner.  `forebear.learning.probability` estimates it; storage implements the protocol.
"""

from dataclasses import dataclass
from typing import Protocol


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

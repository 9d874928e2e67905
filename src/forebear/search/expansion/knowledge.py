"""What must expansion know of an archive?  A protocol that every storage implements.

A query is expanded against the names, places and years that are really there: the names
spelled like a name, how rare a value is, which parts of the archive normally carry a fact,
which places bear a name, lie near a place or are the same place under another name.

All of it is counted over the records that the viewer may see.  So a hidden record changes
nothing that the public learns, not even how rare a name is.
"""

from collections.abc import Iterable
from typing import Protocol

from forebear.search.expansion.clause_cache import ClauseCache
from forebear.search.expansion.learned_variants import NameField
from forebear.search.expansion.vocabulary import NameVocabulary

__all__ = ["Knowledge", "NameField"]


class Knowledge(Protocol):
    """The archive's own vocabulary and habits, as far as one viewer may know them."""

    def clause_cache(self) -> ClauseCache:
        """Return the clauses built for the viewer; the same object until a change."""

    def vocabulary(self, kind: NameField) -> NameVocabulary:
        """Return every distinct name of the name fields; the same object until a change."""

    def share(self, field: str, value: str) -> float:
        """Return which share of the personas that have the field have this value."""

    def shares(self, field: str, values: Iterable[str]) -> dict[str, float]:
        """Return the share of each of many values."""

    def bearers(self, terms: frozenset[str]) -> int:
        """Return how many personas have any of these terms."""

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""

    def places_near(self, place: str, kilometers: int) -> tuple[str, ...]:
        """Return the ids of places so near to one, itself first; none without coordinates."""

    def places_renamed(self, place: str) -> tuple[str, ...]:
        """Return the ids of the same place under its other names."""

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""

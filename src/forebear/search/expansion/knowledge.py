"""What expansion must know of the archive: a port, implemented by every storage.

A query is expanded against the names, places and years that are really there: the names
that fold to the same letters, how rare a surname is, which parts of the archive normally
carry a fact, which places bear a name.
"""

from typing import Literal, Protocol

NameField = Literal["surname", "given"]


class Knowledge(Protocol):
    """The archive's own vocabulary and habits."""

    def names_folding_to(self, kind: NameField, fold: str) -> frozenset[str]:
        """Return the names of the archive that have this folded form."""

    def surname_share(self, surname: str) -> float:
        """Return which share of the personas with a surname bear this one."""

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""

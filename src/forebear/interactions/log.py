"""What the log must do: a port, implemented by storage."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from forebear.interactions.events import Action, ShownSearch


class InteractionLog(Protocol):
    """Keeps searches and what was done with their results."""

    def add_search(self, search: ShownSearch) -> None:
        """Log a search and its answer; an id that is there already is replaced."""

    def add_actions(self, actions: Sequence[Action]) -> None:
        """Log what was done."""

    def search(self, search_id: str) -> ShownSearch | None:
        """Return a logged search."""

    def searches_with_actions(self) -> Iterator[tuple[ShownSearch, tuple[Action, ...]]]:
        """Yield every search of which something was attached or rejected, oldest first."""

    def poor_searches(self) -> Iterator[ShownSearch]:
        """Yield every search that found nothing or was relaxed, oldest first."""

    def count_searches(self) -> int:
        """Return how many searches are logged."""

    def key(self) -> bytes:
        """Return the archive's own secret, made when it is first asked for."""

    def actions_on(self, search_id: str) -> tuple[Action, ...]:
        """Return what was done with the results of a search, oldest first."""

"""What a gazetteer says of an archive's places, as far as a viewer may know that they are there.

A gazetteer is matched to every place of the archive.  That it has coordinates of a place would
tell that somebody was there, though nobody may be seen who was.
"""

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from forebear.records.privacy import Viewer

if TYPE_CHECKING:
    from forebear.normalize.gazetteer import Gazetteer


class KnownPlaces(ABC):
    """Asks a gazetteer; for others than the owner only of places where they may see somebody."""

    _viewer: Viewer

    @property
    @abstractmethod
    def gazetteer(self) -> "Gazetteer":
        """Return what was imported of places."""

    @abstractmethod
    def places(self) -> AbstractSet[str]:
        """Return the ids of all places that some persona has."""

    def places_near(self, place: str, kilometers: int) -> tuple[str, ...]:
        """Return the ids of places so near to one, itself first; none without coordinates."""
        near = self.gazetteer.nearby(place, within_km=kilometers)
        if not near or not self._may_know(place):
            return ()
        return tuple(other for other in near if self._may_know(other))

    def places_renamed(self, place: str) -> tuple[str, ...]:
        """Return the ids under which the same place stands by another of its names."""
        names = self.gazetteer.also_known_as(place)
        return names if names and self._may_know(place) else ()

    def _may_know(self, place: str) -> bool:
        return self._viewer.is_owner or place in self.places()

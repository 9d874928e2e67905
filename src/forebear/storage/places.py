"""What do all storages answer the same way about names and places?

Which fields hold names and places, which places a collection covers, how places lie one inside
the other, and what of a gazetteer a viewer may know: that a gazetteer has coordinates of a place
would reveal that someone was there, even if no record of that person may be seen.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forebear.records.privacy import Viewer
from forebear.search.terms.term import NOWHERE, field_of, value_of

# A search must be quick to start, and looks at no tree of places.
if TYPE_CHECKING:
    from forebear.normalize.gazetteer import Coordinates, Gazetteer, GazetteerEntry

SURNAME_FIELDS = frozenset(
    {
        *(
            "self.surname",
            "self.surname2",
            "spouse.surname",
            "father.surname",
            "spouse_father.surname",
        ),
        *("other.surname", "child.surname", "mother.maiden", "spouse_mother.maiden"),
    }
)
GIVEN_FIELDS = frozenset(
    {
        *("self.given", "self.middle", "spouse.given", "father.given", "mother.given"),
        *("child.given", "sibling.given", "spouse_father.given", "spouse_mother.given"),
        "other.given",
    }
)
PLACE_FIELDS = frozenset(
    {
        *("birth.place", "marriage.place", "death.place", "residence.place", "event.place"),
        *("father.birthplace", "mother.birthplace", "burial.place"),
        *("arrival.place", "departure.place", "destination.place"),
    }
)
NEARLY_ALL = 0.9
FAIR_SHARE = 0.05

# Where the records themselves are from; a birthplace may be anywhere.
COVERED_FIELDS = ("event.place", "residence.place")
LETTERS_PER_EDIT = 5  # Layham and Leyham; not Eye and Rye


def is_common(having: int, personas: int) -> bool:
    """Return whether a part of the archive normally has a fact: more than half of it does."""
    return 2 * having > personas


def place_name(fact: str) -> str:
    """Return the name of the place itself that a term gives, or "" if it gives none."""
    if field_of(fact) not in PLACE_FIELDS:
        return ""
    return value_of(fact).removeprefix("p:").partition(",")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The places and years that the records of a collection are from."""

    places: tuple[str, ...] = ()  # ids
    first_year: int | None = None
    last_year: int | None = None


def covered_places(ids: Iterable[str], count: Callable[[str], int]) -> tuple[str, ...]:
    """Return the ids of the places that records are from; ``count`` says how many of each.

    As long as one place holds nearly everything, the result is somewhere inside it.  Where that
    ends, the places that hold a fair share are the result.
    """
    inside: defaultdict[str, list[str]] = defaultdict(list)
    for place in ids:
        if place != NOWHERE:
            inside[parent_of(place)].append(place)
    within, personas = "", _count_places(inside[""], count)
    total = sum(personas.values())
    while personas and max(personas.values()) >= NEARLY_ALL * total:
        within = max(sorted(personas), key=lambda place: personas[place])
        personas = _count_places(inside[within], count)
    if within:
        return (within,)
    return tuple(sorted(place for place in personas if personas[place] >= FAIR_SHARE * total))


def parent_of(place: str) -> str:
    """Return the id of the place around one, or "" for the largest.

    >>> parent_of("p:layham,suffolk,england"), parent_of("p:england")
    ('p:suffolk,england', '')
    """
    around = place.removeprefix("p:").partition(",")[2]
    return f"p:{around}" if around else ""


def place_label(place: str) -> str:
    """Return a place's id as people write it.

    >>> place_label("p:layham,suffolk,england")
    'Layham, Suffolk, England'
    """
    return ", ".join(name.title() for name in place.removeprefix("p:").split(","))


def _count_places(places: Iterable[str], count: Callable[[str], int]) -> dict[str, int]:
    return {place: personas for place in places if (personas := count(place))}


class KnownPlaces(ABC):
    """Reads a gazetteer; the public learns only of places where it may see a record."""

    _viewer: Viewer

    @property
    @abstractmethod
    def gazetteer(self) -> "Gazetteer":
        """Return what was imported of places."""

    @abstractmethod
    def places(self) -> AbstractSet[str]:
        """Return the ids of all places that some persona has."""

    def places_near(self, place: str, kilometers: int) -> tuple[str, ...]:
        """Return the ids of places this near to one, itself first; none without coordinates."""
        near = self.gazetteer.nearby(place, within_km=kilometers)
        if not near or not self._may_know(place):
            return ()
        return tuple(other for other in near if self._may_know(other))

    def places_renamed(self, place: str) -> tuple[str, ...]:
        """Return the ids of the same place under its other names."""
        names = self.gazetteer.also_known_as(place)
        return names if names and self._may_know(place) else ()

    def _may_know(self, place: str) -> bool:
        return self._viewer.is_owner or place in self.places()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace:
    """A place with what the archive and its gazetteer know of it."""

    id: str
    depth: int  # below the place that the answer starts from
    personas: int  # that the viewer may see
    also: tuple[str, ...] = ()  # other names, of the gazetteer
    spelled_like: tuple[str, ...] = ()  # neighbors in the hierarchy whose names are almost the same
    coordinates: "Coordinates | None" = None


class PlaceTree:
    """Places, one inside the other, with what a gazetteer knows of them."""

    def __init__(self, places: Iterable[str], entries: "dict[str, GazetteerEntry]") -> None:
        self._inside: defaultdict[str, list[str]] = defaultdict(list)
        self._entries = entries
        for place in places:
            self._inside[parent_of(place)].append(place)

    def inside(self, place: str) -> list[str]:
        """Return the places inside one; inside "" are the largest."""
        return self._inside.get(place, [])

    def named(self, name: str) -> list[str]:
        """Return the places that have this name, else those in whose name it is."""
        from forebear.normalize.place_levels import clean_level
        from forebear.normalize.regions import level_key

        key = level_key(clean_level(name))
        places = [place for siblings in self._inside.values() for place in siblings]
        exact = [place for place in places if key in (_name_of(place), *self._also(place))]
        return exact or [place for place in places if key in _name_of(place)]

    def walk(
        self, places: list[str], depth: int, count: Callable[[str], int], level: int = 0
    ) -> Iterator[KnownPlace]:
        """Yield places and those inside them, the commonest first."""
        for personas, place in sorted((-count(place), place) for place in places):
            if not personas:
                continue
            entry = self._entries.get(place)
            yield KnownPlace(
                id=place,
                depth=level,
                personas=-personas,
                also=self._also(place),
                spelled_like=self._spelled_like(place),
                coordinates=entry.coordinates if entry else None,
            )
            if level + 1 < depth:
                yield from self.walk(self.inside(place), depth, count, level + 1)

    def _also(self, place: str) -> tuple[str, ...]:
        entry = self._entries.get(place)
        return tuple(sorted(name.name for name in entry.names)) if entry else ()

    def _spelled_like(self, place: str) -> tuple[str, ...]:
        from forebear.normalize.similarity import osa_distance

        name = _name_of(place)
        limit = len(name) // LETTERS_PER_EDIT
        others = (_name_of(other) for other in self.inside(parent_of(place)) if other != place)
        return tuple(other for other in others if osa_distance(name, other, limit=limit) <= limit)


def _name_of(place: str) -> str:
    return place.removeprefix("p:").partition(",")[0]

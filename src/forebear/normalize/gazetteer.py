"""What other names has a place, and which places lie near it?

A place is known by its id, its levels from itself upward; the gazetteer grows from the records,
and what is learned besides (another language's name, a name of other years, coordinates) is
added to the id.  Nothing is looked up on a network.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from forebear.errors import InputError
from forebear.normalize.place_levels import clean_level, level_key

EARTH_RADIUS_KM = 6371.0088  # the mean of the ellipsoid
# Compiled when coordinates are parsed: a search, which begins here, parses none.
_SIGNED = r"\s*([+-]?[0-9]{1,3}(?:\.[0-9]+)?)\s*[,;\s]\s*([+-]?[0-9]{1,3}(?:\.[0-9]+)?)\s*"
_LETTERED = (
    r"\s*([NS])?\s*([0-9]{1,3}(?:\.[0-9]+)?)°?\s*(?:([0-9]{1,2}(?:\.[0-9]+)?)['′])?\s*"
    r"(?:([0-9]{1,2}(?:\.[0-9]+)?)[\"″])?\s*([NS])?\s*[,;\s]\s*"
    r"([EWO])?\s*([0-9]{1,3}(?:\.[0-9]+)?)°?\s*(?:([0-9]{1,2}(?:\.[0-9]+)?)['′])?\s*"
    r"(?:([0-9]{1,2}(?:\.[0-9]+)?)[\"″])?\s*([EWO])?\s*"
)


class Coordinates(NamedTuple):
    """Degrees north and east."""

    latitude: float
    longitude: float


class PlaceName(NamedTuple):
    """A name of a place, perhaps of one language and of certain years."""

    name: str
    language: str = ""
    first_year: int | None = None
    last_year: int | None = None

    def held_in(self, year: int | None) -> bool:
        """Say whether the place had this name then; without a year, ever."""
        starts = year is None or self.first_year is None or self.first_year <= year
        return starts and (year is None or self.last_year is None or year <= self.last_year)


@dataclass(frozen=True, slots=True, kw_only=True)
class GazetteerEntry:
    """What is known of a place beside its levels."""

    place_id: str
    names: tuple[PlaceName, ...] = ()
    coordinates: Coordinates | None = None


@dataclass(slots=True, kw_only=True)
class GazetteerReport:
    """What was found in a file of places."""

    lines: int = 0
    refused: int = 0
    matched: int = 0  # places of the archive that got coordinates
    places: int = 0  # that the archive has


class Gazetteer:
    """The places an archive knows, found by any of their names and by distance."""

    def __init__(self, entries: Iterable[GazetteerEntry]) -> None:
        self._entries = {entry.place_id: entry for entry in entries}
        self._by_name: dict[str, list[tuple[PlaceName, str]]] = {}
        for entry in self._entries.values():
            for name in entry.names:
                key = level_key(clean_level(name.name))
                self._by_name.setdefault(key, []).append((name, entry.place_id))

    def places_named(self, name: str, *, year: int | None = None) -> tuple[str, ...]:
        """Return the ids of the places that had a name, in that year if one is given."""
        found = self._by_name.get(level_key(clean_level(name)), ())
        return tuple(dict.fromkeys(place for name, place in found if name.held_in(year)))

    def also_known_as(self, place_id: str) -> tuple[str, ...]:
        """Return the ids that a place would have under each of its other names."""
        entry = self._entries.get(place_id)
        around = place_id.partition(",")[2]
        keys = (level_key(clean_level(name.name)) for name in entry.names) if entry else ()
        ids = (f"p:{key},{around}" if around else f"p:{key}" for key in keys if key)
        return tuple(dict.fromkeys(id_ for id_ in ids if id_ != place_id))

    def nearby(self, place_id: str, *, within_km: float) -> tuple[str, ...]:
        """Return the ids of places so near to one, itself first; none without coordinates."""
        here = self._entries[place_id].coordinates if place_id in self._entries else None
        if here is None:
            return ()
        distances = [
            (distance_km(here, entry.coordinates), entry.place_id)
            for entry in self._entries.values()
            if entry.coordinates
        ]
        near = [found for found in distances if found[0] <= within_km and found[1] != place_id]
        return (place_id, *(found[1] for found in sorted(near)))


def distance_km(first: Coordinates, second: Coordinates) -> float:
    """Return the distance along the surface (haversine formula).

    >>> round(distance_km(Coordinates(51.5074, -0.1278), Coordinates(53.8008, -1.5491)))
    272
    """
    lat1, lon1, lat2, lon2 = map(math.radians, (*first, *second))
    chord = math.sin((lat2 - lat1) / 2) ** 2
    chord += math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(min(1.0, math.sqrt(chord)))


def parse_coordinates(text: str) -> Coordinates:
    """Return the coordinates that a text gives: decimal, with letters (GEDCOM), or in minutes.

    >>> parse_coordinates("N53.8 W1.55"), parse_coordinates("53.8, -1.55")
    (Coordinates(latitude=53.8, longitude=-1.55), Coordinates(latitude=53.8, longitude=-1.55))
    """
    if signed := re.fullmatch(_SIGNED, text[:100]):
        return _checked(float(signed[1]), float(signed[2]), text)
    match = re.fullmatch(_LETTERED, text[:100], re.IGNORECASE)
    if not match or not (match[1] or match[5]) or not (match[6] or match[10]):
        raise InputError(
            f"no coordinates in {text[:100]!r}", hint="write 53.8, -1.55 or N53.8 W1.55"
        )
    latitude = _degrees(match[2], match[3], match[4]) * (-1 if _letter(match, 1, 5) == "S" else 1)
    longitude = _degrees(match[7], match[8], match[9]) * (-1 if _letter(match, 6, 10) == "W" else 1)
    return _checked(latitude, longitude, text)


def _degrees(degrees: str, minutes: str | None, seconds: str | None) -> float:
    return float(degrees) + float(minutes or 0) / 60 + float(seconds or 0) / 3600


def _letter(match: re.Match[str], before: int, after: int) -> str:
    return str(match[before] or match[after]).upper()


def _checked(latitude: float, longitude: float, text: str) -> Coordinates:
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise InputError(f"{text[:100]!r} lies outside the earth", hint="latitude comes first")
    return Coordinates(latitude, longitude)

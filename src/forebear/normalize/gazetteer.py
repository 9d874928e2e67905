"""What other names has a place, which places lie near it, and what do files say of both?

A place is known by its id, its levels from itself upward.  The gazetteer grows from the records;
another language's name, a name of other years or coordinates are added to the id.  Nothing is
looked up on a network.  Two kinds of file can be read.

A dump of GeoNames has a line a place and nineteen columns between tabs (id, name, ASCII name, other
names, latitude, longitude, class, code, country, ..., the codes of its first and second order
division, ...).  The divisions are places of the same file, so it is read twice: for the names of
divisions, then for the places.  A place of the archive matches by its name, or another, if GeoNames
puts it in everything that the archive puts it in; of several the one with the largest population
is taken.

A table of places has one row a place, with headings: ``name``, the coordinates (``lat`` and
``lon``, or in full), and any of ``parish``, ``hundred``, ``district``, ``county``, ``state``,
``country`` for what it lies in; ``also`` holds other names between semicolons.
"""

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from forebear.errors import InputError
from forebear.normalize.place_levels import clean_level, place_id
from forebear.normalize.places import read_place
from forebear.normalize.regions import country_named, level_key
from forebear.tables import read_table

EARTH_RADIUS_KM = 6371.0088  # the mean of the ellipsoid
GEONAMES_COLUMNS = 19
PLACE_CLASSES = frozenset("AP")  # divisions and towns; not hills, streams and railway stations
TABLE_LEVELS = ("name", "parish", "hundred", "district", "county", "state", "country")
LATITUDES, LONGITUDES = ("lat", "latitude"), ("lon", "lng", "long", "longitude")
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
        """Return whether the place had this name then; without a year, ever."""
        starts = year is None or self.first_year is None or self.first_year <= year
        return starts and (year is None or self.last_year is None or year <= self.last_year)


Division = tuple[str, ...]  # country and codes


@dataclass(frozen=True, slots=True, kw_only=True)
class GazetteerEntry:
    """What is known of a place besides its levels."""

    place_id: str
    names: tuple[PlaceName, ...] = ()
    coordinates: Coordinates | None = None


@dataclass(slots=True, kw_only=True)
class GazetteerReport:
    """What a file of places had for an archive."""

    lines: int = 0
    refused: int = 0
    matched: int = 0  # places of the archive that got coordinates
    places: int = 0  # that the archive has


class Gazetteer:
    """The places of an archive, by any of their names and by distance."""

    def __init__(self, entries: Iterable[GazetteerEntry]) -> None:
        self._entries = {entry.place_id: entry for entry in entries}
        self._by_name: dict[str, list[tuple[PlaceName, str]]] = {}
        for entry in self._entries.values():
            for name in entry.names:
                key = level_key(clean_level(name.name))
                self._by_name.setdefault(key, []).append((name, entry.place_id))

    def places_named(self, name: str, *, year: int | None = None) -> tuple[str, ...]:
        """Return the ids of the places that had a name, in that year if one is given."""
        named = self._by_name.get(level_key(clean_level(name)), ())
        return tuple(dict.fromkeys(place for name, place in named if name.held_in(year)))

    def also_known_as(self, place_id: str) -> tuple[str, ...]:
        """Return the ids that a place would have under each of its other names."""
        entry = self._entries.get(place_id)
        around = place_id.partition(",")[2]
        keys = (level_key(clean_level(name.name)) for name in entry.names) if entry else ()
        ids = (f"p:{key},{around}" if around else f"p:{key}" for key in keys if key)
        return tuple(dict.fromkeys(id_ for id_ in ids if id_ != place_id))

    def nearby(self, place_id: str, *, within_km: float) -> tuple[str, ...]:
        """Return the ids of places within a distance, itself first; none without coordinates."""
        here = self._entries[place_id].coordinates if place_id in self._entries else None
        if here is None:
            return ()
        distances = [
            (distance_km(here, entry.coordinates), entry.place_id)
            for entry in self._entries.values()
            if entry.coordinates
        ]
        near = sorted((km, id_) for km, id_ in distances if km <= within_km and id_ != place_id)
        return (place_id, *(id_ for _, id_ in near))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class GeoName:
    """One line of the dump, as far as we read it."""

    names: tuple[str, ...]  # the usual one first
    coordinates: Coordinates
    kind: str  # class and code: PPPL, AADM2
    divisions: Division  # country, first order, second order
    population: int


def match_geonames(
    path: Path, places: Iterable[str]
) -> tuple[list[GazetteerEntry], GazetteerReport]:
    """Return what a dump says of these places, given by their ids."""
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for place in places:
        by_name[_first_name(place)].append(place)
    report = GazetteerReport(places=sum(map(len, by_name.values())))
    divisions = dict(_divisions(_read_geonames(path, GazetteerReport())))
    best: dict[str, GeoName] = {}
    for geoname in _read_geonames(path, report):
        for place in _places_of(geoname, by_name, divisions):
            if place not in best or geoname.population > best[place].population:
                best[place] = geoname
    report.matched = len(best)
    return [_entry(place, geoname) for place, geoname in sorted(best.items())], report


def _read_geonames(path: Path, report: GazetteerReport) -> Iterator[GeoName]:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                report.lines += 1
                geoname = _parse_geoname(line.rstrip("\n").split("\t"))
                if geoname is None:
                    report.refused += 1
                else:
                    yield geoname
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", hint="check the path") from None
    if report.lines and report.refused == report.lines:
        raise InputError(
            f"{path}: no line has the form of GeoNames",
            hint=f"{GEONAMES_COLUMNS} columns between tabs, as in allCountries.txt or GB.txt",
        )


def _parse_geoname(cells: list[str]) -> GeoName | None:
    if len(cells) != GEONAMES_COLUMNS:
        return None
    try:
        coordinates = Coordinates(float(cells[4]), float(cells[5]))
        population = int(cells[14] or 0)
    except ValueError:
        return None
    if abs(coordinates.latitude) > 90 or abs(coordinates.longitude) > 180 or not cells[1]:
        return None
    others = (name for name in (cells[2], *cells[3].split(",")) if name)
    return GeoName(
        names=tuple(dict.fromkeys([cells[1], *others])),
        coordinates=coordinates,
        kind=cells[6] + cells[7],
        divisions=(cells[8], cells[10], cells[11]),
        population=population,
    )


def _divisions(names: Iterable[GeoName]) -> Iterator[tuple[Division, tuple[str, ...]]]:
    """Yield the codes and the names of divisions."""
    for geoname in names:
        if geoname.kind == "AADM1":
            yield geoname.divisions[:2], geoname.names
        elif geoname.kind == "AADM2":
            yield geoname.divisions, geoname.names


def _places_of(
    geoname: GeoName,
    by_name: Mapping[str, list[str]],
    divisions: Mapping[Division, tuple[str, ...]],
) -> Iterator[str]:
    """Yield the ids of the archive's places that this may be."""
    if geoname.kind[:1] not in PLACE_CLASSES:
        return
    keys = {level_key(clean_level(name)) for name in geoname.names}
    candidates = [place for key in keys for place in by_name.get(key, ())]
    if not candidates:
        return
    around = _around(geoname, divisions)
    for place in candidates:
        lies_in = place.removeprefix("p:").split(",")[1:]
        if around.issuperset(lies_in) and (lies_in or _is_country(place, geoname)):
            yield place


def _around(geoname: GeoName, divisions: Mapping[Division, tuple[str, ...]]) -> set[str]:
    """Return the keys of everything that a place lies in, as ids would have them."""
    country, first, _ = geoname.divisions
    small = divisions.get(geoname.divisions, ())
    large = divisions.get((country, first), ())
    around = {level_key(clean_level(name)) for name in (*small, *large)}
    # England is a country to us and a division to GeoNames; its places do not lie in Wales.
    lands = large[:1] if large and country_named(large[0]) else _countries().get(country, ())
    for land in lands:
        place = read_place(*small[:1], *large[:1], land).place
        if place:
            around.update(place_id(place.levels).removeprefix("p:").split(","))
    return around


def _is_country(place: str, geoname: GeoName) -> bool:
    return geoname.kind.startswith("A") and country_named(_first_name(place)) is not None


def _entry(place: str, geoname: GeoName) -> GazetteerEntry:
    name_of_id = _first_name(place)
    keys = dict.fromkeys(level_key(clean_level(name)) for name in geoname.names)
    names = tuple(PlaceName(key) for key in keys if len(key) > 1 and key != name_of_id)
    return GazetteerEntry(place_id=place, names=names, coordinates=geoname.coordinates)


def _first_name(place: str) -> str:
    return place.removeprefix("p:").partition(",")[0]


@cache
def _countries() -> dict[str, list[str]]:
    """Return the countries of each code of GeoNames, which are those of ISO 3166-1."""
    countries: dict[str, list[str]] = {}
    for row in read_table("normalize/places/regions"):
        if row["kind"] in ("country", "federation") and row["country"]:
            countries.setdefault(row["country"], []).append(row["name"])
    return countries


def is_place_table(path: Path) -> bool:
    """Return whether a file begins with the headings of a table of places."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            headings = {cell.strip().lower() for cell in next(csv.reader(file), [])}
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", hint="check the path") from None
    return "name" in headings and not headings.isdisjoint(LATITUDES)


def match_place_table(
    path: Path, places: Iterable[str]
) -> tuple[list[GazetteerEntry], GazetteerReport]:
    """Return what a table says of these places, given by their ids."""
    ids = set(places)
    report = GazetteerReport(places=len(ids))
    entries: dict[str, GazetteerEntry] = {}
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        for entry in _read_table(csv.DictReader(file), report):
            if entry.place_id in ids:
                entries.setdefault(entry.place_id, entry)
    report.matched = len(entries)
    return [entry for _, entry in sorted(entries.items())], report


def _read_table(
    rows: Iterable[Mapping[str, str]], report: GazetteerReport
) -> Iterator[GazetteerEntry]:
    for row in rows:
        report.lines += 1
        cells = {(key or "").strip().lower(): str(cell or "") for key, cell in row.items()}
        place = read_place(*(cells[level] for level in TABLE_LEVELS if cells.get(level))).place
        coordinates = _table_coordinates(cells)
        if place is None or coordinates is None:
            report.refused += 1
            continue
        names = (level_key(clean_level(name)) for name in cells.get("also", "").split(";"))
        yield GazetteerEntry(
            place_id=place_id(place.levels),
            names=tuple(PlaceName(name) for name in names if name),
            coordinates=coordinates,
        )


def _table_coordinates(cells: Mapping[str, str]) -> Coordinates | None:
    latitude, longitude = (
        next((cells[name] for name in names if cells.get(name)), "")
        for names in (LATITUDES, LONGITUDES)
    )
    try:
        return _checked(float(latitude), float(longitude), f"{latitude}, {longitude}")
    except ValueError:  # an InputError is one too
        return None

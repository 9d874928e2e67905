"""What does a file of GeoNames say of the places that an archive knows?

The dump has a line a place and nineteen columns between tabs (id, name, ASCII name, other
names, latitude, longitude, class, code, country, ..., the codes of its first and second order
division, ...).  The divisions are places of the same file, so it is read twice: for the names of
divisions, then for the places.  A place of the archive is found by its own name, or another,
if everything that it is said to lie in is what GeoNames says it lies in; of several the one
with the largest population is taken.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from forebear.errors import InputError
from forebear.normalize.gazetteer import (
    Coordinates,
    GazetteerEntry,
    GazetteerReport,
    PlaceName,
)
from forebear.normalize.place_levels import clean_level, level_key
from forebear.normalize.places import parse_place, place_id
from forebear.normalize.regions import country_named
from forebear.tables import read_table

COLUMNS = 19
PLACE_CLASSES = frozenset("AP")  # divisions and towns; not hills, streams and railway stations

Division = tuple[str, ...]  # country and codes


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
    wanted: defaultdict[str, list[str]] = defaultdict(list)
    for place in places:
        wanted[_own_name(place)].append(place)
    report = GazetteerReport(places=sum(map(len, wanted.values())))
    divisions = dict(_divisions(_read(path, GazetteerReport())))
    best: dict[str, GeoName] = {}
    for found in _read(path, report):
        for place in _places_of(found, wanted, divisions):
            if place not in best or found.population > best[place].population:
                best[place] = found
    report.matched = len(best)
    return [_entry(place, found) for place, found in sorted(best.items())], report


def _read(path: Path, report: GazetteerReport) -> Iterator[GeoName]:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                report.lines += 1
                found = _parse(line.rstrip("\n").split("\t"))
                if found is None:
                    report.refused += 1
                else:
                    yield found
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", hint="check the path") from None
    if report.lines and report.refused == report.lines:
        raise InputError(
            f"{path}: no line is of the form of GeoNames",
            hint=f"{COLUMNS} columns between tabs, as in allCountries.txt or GB.txt",
        )


def _parse(cells: list[str]) -> GeoName | None:
    if len(cells) != COLUMNS:
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


def _divisions(names: Iterable[GeoName]) -> Iterator[tuple[Division, str]]:
    for found in names:
        if found.kind == "AADM1":
            yield found.divisions[:2], found.names[0]
        elif found.kind == "AADM2":
            yield found.divisions, found.names[0]


def _places_of(
    found: GeoName, wanted: Mapping[str, list[str]], divisions: Mapping[Division, str]
) -> Iterator[str]:
    """Yield the ids of the archive's places that this may be."""
    if found.kind[:1] not in PLACE_CLASSES:
        return
    keys = {level_key(clean_level(name)) for name in found.names}
    candidates = [place for key in keys for place in wanted.get(key, ())]
    if not candidates:
        return
    around = _around(found, divisions)
    for place in candidates:
        lies_in = place.removeprefix("p:").split(",")[1:]
        if around.issuperset(lies_in) and (lies_in or _is_country(place, found)):
            yield place


def _around(found: GeoName, divisions: Mapping[Division, str]) -> set[str]:
    """Return the keys of everything that a place lies in, as ids would have them."""
    country, first, _ = found.divisions
    names = [divisions.get(found.divisions, ""), divisions.get((country, first), "")]
    # England is a country to us and a division to GeoNames; its places do not lie in Wales.
    lands = (names[1],) if country_named(names[1]) else _countries().get(country, ())
    around = set()
    for land in lands:
        place = parse_place(*(name for name in names if name), land)
        if place:
            around.update(place_id(place.levels).removeprefix("p:").split(","))
    return around


def _is_country(place: str, found: GeoName) -> bool:
    return found.kind.startswith("A") and country_named(_own_name(place)) is not None


def _entry(place: str, found: GeoName) -> GazetteerEntry:
    own = _own_name(place)
    keys = dict.fromkeys(level_key(clean_level(name)) for name in found.names)
    names = tuple(PlaceName(key) for key in keys if len(key) > 1 and key != own)
    return GazetteerEntry(place_id=place, names=names, coordinates=found.coordinates)


def _own_name(place: str) -> str:
    return place.removeprefix("p:").partition(",")[0]


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    return {
        row["code"]: tuple(row["names"].split("|")) for row in read_table("normalize/country_codes")
    }

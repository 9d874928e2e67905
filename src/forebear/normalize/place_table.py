"""What does a plain table of places say of those that an archive knows?

One row a place, with headings: ``name``, the coordinates (``lat`` and ``lon``, or in full), and
any of ``parish``, ``hundred``, ``district``, ``county``, ``state``, ``country`` for what it lies
in; ``also`` holds other names between semicolons.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from forebear.errors import InputError
from forebear.normalize.gazetteer import Coordinates, GazetteerEntry, GazetteerReport, PlaceName
from forebear.normalize.place_levels import clean_level, level_key
from forebear.normalize.places import parse_place, place_id

LEVELS = ("name", "parish", "hundred", "district", "county", "state", "country")
LATITUDES, LONGITUDES = ("lat", "latitude"), ("lon", "lng", "long", "longitude")


def is_place_table(path: Path) -> bool:
    """Say whether a file begins with the headings of such a table."""
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
    wanted = set(places)
    report = GazetteerReport(places=len(wanted))
    found: dict[str, GazetteerEntry] = {}
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        for entry in _read(csv.DictReader(file), report):
            if entry.place_id in wanted:
                found.setdefault(entry.place_id, entry)
    report.matched = len(found)
    return [entry for _, entry in sorted(found.items())], report


def _read(rows: Iterable[Mapping[str, str]], report: GazetteerReport) -> Iterator[GazetteerEntry]:
    for row in rows:
        report.lines += 1
        cells = {(key or "").strip().lower(): str(cell or "") for key, cell in row.items()}
        place = parse_place(*(cells[level] for level in LEVELS if cells.get(level)))
        coordinates = _coordinates(cells)
        if place is None or coordinates is None:
            report.refused += 1
            continue
        names = (level_key(clean_level(name)) for name in cells.get("also", "").split(";"))
        yield GazetteerEntry(
            place_id=place_id(place.levels),
            names=tuple(PlaceName(name) for name in names if name),
            coordinates=coordinates,
        )


def _coordinates(cells: Mapping[str, str]) -> Coordinates | None:
    latitude, longitude = (
        next((cells[name] for name in names if cells.get(name)), "")
        for names in (LATITUDES, LONGITUDES)
    )
    try:
        found = Coordinates(float(latitude), float(longitude))
    except ValueError:
        return None
    return found if abs(found.latitude) <= 90 and abs(found.longitude) <= 180 else None

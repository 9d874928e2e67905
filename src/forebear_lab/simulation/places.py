"""Where do simulated people live, and where do they go?

Counties and countries are real (``tables/counties.csv``, with the coordinates of their middles),
the parishes in them are invented: a name composed of parts, unique in its county but not
elsewhere, and coordinates around the county's middle. Parishes of a county follow each other, as
do the counties of a country, so an area is a range of numbers. The size of parishes in a county
has a long tail.
"""

from pathlib import Path

import numpy as np

from forebear.tables import read_table
from forebear_lab.simulation.chance import Chance, Floats, Ints, Texts, cumulate
from forebear_lab.simulation.files import write_table
from forebear_lab.simulation.names import CULTURES, PACKAGE, join_parts, read_parts

COUNTY_RADIUS_DEGREES = 0.35
FOUNDERS_BY_COUNTRY = {  # where people are when the simulation begins, of 100
    "England": 58, "Wales": 5, "Scotland": 7, "Ireland": 6, "United States": 9, "Canada": 1,
    "Australia": 0, "Norway": 7, "Peru": 7,
}  # fmt: skip
EMIGRANTS_TO_COUNTRY = {  # of 100 people who leave their country
    "England": 14, "Wales": 3, "Scotland": 3, "Ireland": 1, "United States": 52, "Canada": 12,
    "Australia": 14, "Norway": 0, "Peru": 1,
}  # fmt: skip


class Places:
    """The parishes of a simulation by number."""

    def __init__(self, chance: Chance, *, parishes: int) -> None:
        rng = chance.stream("places")
        rows = read_table("simulation/counties", package=PACKAGE)
        weights = np.array([float(row["weight"]) for row in rows])
        self.countries = tuple(dict.fromkeys(row["country"] for row in rows))
        self.county_names = np.array([row["county"] for row in rows], dtype=object)
        counts = np.maximum(2, np.rint(parishes * weights / weights.sum())).astype(np.int64)
        self.county: Ints = np.repeat(np.arange(len(rows)), counts)
        country_of = np.array([self.countries.index(row["country"]) for row in rows])
        self.country: Ints = country_of[self.county]
        culture_of = np.array([CULTURES.index(row["culture"]) for row in rows])
        self.culture: Ints = culture_of[self.county]
        self.name = _name_parishes(rng, self.county, self.culture)
        middle = np.array([[float(row["latitude"]), float(row["longitude"])] for row in rows])
        around = np.sqrt(rng.random(self.county.size)) * COUNTY_RADIUS_DEGREES
        angle = rng.random(self.county.size) * 2 * np.pi
        offset = np.stack([around * np.sin(angle), around * np.cos(angle)], axis=1)
        self.coordinates: Floats = middle[self.county] + offset
        size = weights[self.county] / counts[self.county]
        size = size / (0.1 + rng.random(self.county.size))
        self._cumulative = np.concatenate([[0.0], cumulate(size)])
        self._county_bounds = _bounds(self.county)
        self._country_bounds = _bounds(self.country)

    @property
    def county_text(self) -> Texts:
        """Return the county of every parish."""
        return self.county_names[self.county]

    @property
    def country_text(self) -> Texts:
        """Return the country of every parish."""
        return np.array(self.countries, dtype=object)[self.country]

    def draw_home(self, rng: np.random.Generator, count: int) -> Ints:
        """Return where founders are born."""
        shares = [FOUNDERS_BY_COUNTRY[country] for country in self.countries]
        return self._draw_by_country(rng, count, np.array(shares, dtype=float))

    def move(self, rng: np.random.Generator, origin: Ints, *, stay: float, abroad: float) -> Ints:
        """Return where people go: nowhere, in the county, in the country, or abroad."""
        kind = rng.random(origin.size)
        near = self._draw_within(rng, self._county_bounds, self.county[origin])
        far = self._draw_within(rng, self._country_bounds, self.country[origin])
        shares = [EMIGRANTS_TO_COUNTRY[country] for country in self.countries]
        overseas = self._draw_by_country(rng, origin.size, np.array(shares, dtype=float))
        leaving = 1 - abroad
        return np.select(
            [kind < stay, kind < stay + 0.6 * (leaving - stay), kind < leaving],
            [origin, near, far],
            overseas,
        )

    def neighbor(self, rng: np.random.Generator, place: Ints) -> Ints:
        """Return other parishes of the same counties."""
        return self._draw_within(rng, self._county_bounds, self.county[place])

    def write(self, path: Path) -> None:
        """Write the gazetteer, a table that ``forebear places --import`` reads."""
        latitude, longitude = (np.char.mod("%.4f", column) for column in self.coordinates.T)
        columns = {
            "name": self.name,
            "county": self.county_text,
            "country": self.country_text,
            "lat": latitude,
            "lon": longitude,
        }
        write_table(path, columns)

    def _draw_by_country(self, rng: np.random.Generator, count: int, shares: Floats) -> Ints:
        positions = np.searchsorted(cumulate(shares), rng.random(count), side="right")
        country = np.minimum(positions, len(self.countries) - 1)
        return self._draw_within(rng, self._country_bounds, country)

    def _draw_within(self, rng: np.random.Generator, bounds: Ints, area: Ints) -> Ints:
        """Return a parish of each area, large ones more often."""
        first, end = bounds[area], bounds[area + 1]
        low, high = self._cumulative[first], self._cumulative[end]
        point = low + rng.random(area.size) * (high - low)
        parish = np.searchsorted(self._cumulative, point, side="right") - 1
        return np.asarray(np.clip(parish, first, end - 1), dtype=np.int64)


def _bounds(area: Ints) -> Ints:
    """Return where each area begins, and at the end where the last one ends."""
    return np.searchsorted(area, np.arange(int(area.max()) + 2)).astype(np.int64)


def _name_parishes(rng: np.random.Generator, county: Ints, culture: Ints) -> Texts:
    """Return a name for every parish, no two in a county alike."""
    parts = {
        number: [read_parts(name, part) for part in ("place_start", "place_end", "place_before")]
        for number, name in enumerate(CULTURES)
    }
    names: list[str] = []
    used: set[tuple[int, str]] = set()
    for place, (own_county, own_culture) in enumerate(zip(county, culture, strict=True)):
        starts, ends, before = parts[int(own_culture)]
        while len(names) == place:
            start, end, prefix, is_prefixed = rng.random(4)
            name = join_parts(starts[int(start * len(starts))], ends[int(end * len(ends))])
            if before and is_prefixed < 0.18:
                name = f"{before[int(prefix * len(before))]} {name}"
            if (int(own_county), name) not in used:
                used.add((int(own_county), name))
                names.append(name)
    return np.array(names, dtype=object)

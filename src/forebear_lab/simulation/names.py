"""What are simulated people called, and where do they live and go?

Three naming cultures: English (a given name, often a middle name, the father's surname; a wife
takes her husband's), Norwegian (a patronymic, Olsen or Olsdatter, from the father's given name)
and Spanish (the first surnames of father and mother; a wife keeps hers).

Given names are drawn from ``tables/given_names.csv``, whose shares move from those of about 1780
to those of about 1900. Surnames follow the law of Zipf and Mandelbrot, share of rank r
proportional to 1 / (r + q): with q = 15 and the vocabulary here the commonest is borne by about 1
% and the thousand commonest by about half of the people, as in England in 1881. The head is
``tables/surnames.csv``, the long tail is composed of the parts in ``tables/name_parts.csv``.

Counties and countries are real (``tables/counties.csv``, with the coordinates of their middles),
the parishes in them are invented: a name composed of parts, unique in its county but not
elsewhere, and coordinates around the county's middle. Parishes of a county follow each other, as
do the counties of a country, so an area is a range of numbers. The size of parishes in a county
has a long tail.
"""

import hashlib
from collections.abc import Callable, Iterable

import numpy as np

from forebear.tables import read_table
from forebear_lab.simulation.chance import Chance, Floats, Ints, Texts, cumulate, draw_weighted

PACKAGE = "forebear_lab"
CULTURES = ("english", "norwegian", "spanish")
ENGLISH, NORWEGIAN, SPANISH = range(3)
MALE, FEMALE = 0, 1
SEXES = ("m", "f")
ZIPF_OFFSET = {"english": 15.0, "norwegian": 40.0, "spanish": 6.0}
EARLY_YEAR, LATE_YEAR = 1780, 1900  # of the shares in the table of given names
# Middle names: share in 1780, and growth per year; Spanish compounds were common all the time.
MIDDLE_SHARE = np.array([0.07, 0.05, 0.45])
MIDDLE_GROWTH = np.array([0.0042, 0.002, 0.0])
MOTHERS_SURNAME_AS_MIDDLE = 0.12  # of English middle names
COUNTY_RADIUS_DEGREES = 0.35
FOUNDERS_BY_COUNTRY = {  # where people are when the simulation begins, of 100
    "England": 58, "Wales": 5, "Scotland": 7, "Ireland": 6, "United States": 9, "Canada": 1,
    "Australia": 0, "Norway": 7, "Peru": 7,
}  # fmt: skip
EMIGRANTS_TO_COUNTRY = {  # of 100 people who leave their country
    "England": 14, "Wales": 3, "Scotland": 3, "Ireland": 1, "United States": 52, "Canada": 12,
    "Australia": 14, "Norway": 0, "Peru": 1,
}  # fmt: skip


class Names:
    """Every name of the simulation by its number; 0 is no name."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._given = _read_given(self._number)
        self._surnames = {culture: self._number_all(_surname_list(culture)) for culture in CULTURES}
        self._surname_shares = {
            culture: cumulate(1.0 / (np.arange(1.0, numbers.size + 1) + ZIPF_OFFSET[culture]))
            for culture, numbers in self._surnames.items()
        }
        self._patronymics = self._make_patronymics()
        self.text: Texts = np.array(list(self._numbers), dtype=object)

    def draw_given(self, rng: np.random.Generator, culture: Ints, sex: Ints, year: Ints) -> Ints:
        """Return given names by culture, sex and year of birth."""
        count = culture.size
        is_late = rng.random(count) < (year - EARLY_YEAR) / (LATE_YEAR - EARLY_YEAR)
        uniform, names = rng.random(count), np.zeros(count, dtype=np.int64)
        for (group_culture, group_sex, late), (numbers, shares) in self._given.items():
            group = (culture == group_culture) & (sex == group_sex) & (is_late == late)
            names[group] = numbers[draw_weighted(uniform[group], shares)]
        return names

    def draw_middle(
        self, rng: np.random.Generator, culture: Ints, sex: Ints, year: Ints, mother: Ints
    ) -> Ints:
        """Return middle names, mostly none; ``mother`` has the mothers' surnames."""
        share = MIDDLE_SHARE[culture] + MIDDLE_GROWTH[culture] * (year - EARLY_YEAR)
        has_middle = rng.random(culture.size) < np.clip(share, 0.03, 0.6)
        names = self.draw_given(rng, culture, sex, year)
        takes_surname = (culture == ENGLISH) & (mother > 0)
        takes_surname &= rng.random(culture.size) < MOTHERS_SURNAME_AS_MIDDLE
        return np.where(has_middle, np.where(takes_surname, mother, names), 0)

    def draw_surnames(self, rng: np.random.Generator, culture: Ints) -> Ints:
        """Return surnames by culture; of Norwegians a farm's name."""
        uniform, names = rng.random(culture.size), np.zeros(culture.size, dtype=np.int64)
        for number, name in enumerate(CULTURES):
            group = culture == number
            positions = draw_weighted(uniform[group], self._surname_shares[name])
            names[group] = self._surnames[name][positions]
        return names

    def patronymics(self, father: Ints, sex: Ints) -> Ints:
        """Return the patronymics of the children of fathers with these given names."""
        return self._patronymics[sex, father]

    def _number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def _number_all(self, texts: Iterable[str]) -> Ints:
        return np.array([self._number(text) for text in texts], dtype=np.int64)

    def _make_patronymics(self) -> Ints:
        """Return for each sex the patronymic of every given name, 0 where there is none."""
        men = [
            row["name"]
            for row in read_table("simulation/given_names", package=PACKAGE)
            if (row["culture"], row["sex"]) == ("norwegian", "m")
        ]
        endings = (("en", MALE), ("datter", FEMALE))
        pairs = [
            (sex, self._number(name), self._number(form_patronymic(name, ending)))
            for name in men
            for ending, sex in endings
        ]
        table = np.zeros((2, len(self._numbers)), dtype=np.int64)
        for sex, father, patronymic in pairs:
            table[sex, father] = patronymic
        return table


GivenTable = dict[tuple[int, int, bool], tuple[Ints, Floats]]


def _read_given(number: Callable[[str], int]) -> GivenTable:
    rows = read_table("simulation/given_names", package=PACKAGE)
    tables: GivenTable = {}
    for culture, culture_name in enumerate(CULTURES):
        for sex, letter in enumerate(SEXES):
            group = [row for row in rows if (row["culture"], row["sex"]) == (culture_name, letter)]
            numbers = np.array([number(row["name"]) for row in group], dtype=np.int64)
            for late, column in ((False, "share_1780"), (True, "share_1900")):
                shares = np.array([float(row[column]) for row in group])
                tables[culture, sex, late] = numbers, cumulate(shares)
    return tables


def _surname_list(culture: str) -> list[str]:
    """Return the surnames of a culture, the commonest first."""
    head = [
        row["name"]
        for row in read_table("simulation/surnames", package=PACKAGE)
        if row["culture"] == culture
    ]
    starts, ends = read_parts(culture, "surname_start"), read_parts(culture, "surname_end")
    tail = {join_parts(start, end) for start in starts for end in ends} - set(head)
    return head + sorted(tail, key=lambda name: hashlib.sha256(name.encode()).digest())


def read_parts(culture: str, part: str) -> list[str]:
    """Return the parts of names of one kind."""
    rows = read_table("simulation/name_parts", package=PACKAGE)
    return [row["text"] for row in rows if (row["culture"], row["part"]) == (culture, part)]


def join_parts(start: str, end: str) -> str:
    """Return two parts as one name, without a letter written three times.

    >>> join_parts("Hall", "ley"), join_parts("San Juan de ", "marca")
    ('Halley', 'San Juan de Marca')
    """
    if start.endswith(" "):
        return start + end.capitalize()
    doubled = len(start) > 1 and start[-1] == start[-2] == end[0]
    return start + (end[1:] if doubled else end)


def form_patronymic(father: str, ending: str) -> str:
    """Return the patronymic of a Norwegian's child.

    >>> form_patronymic("Ole", "en"), form_patronymic("Lars", "datter")
    ('Olsen', 'Larsdatter')
    """
    stem = father.removesuffix("e")
    return (stem if stem.endswith("s") else f"{stem}s") + ending


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

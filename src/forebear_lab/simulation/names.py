"""What are simulated people called?

Three naming cultures: English (a given name, often a middle name, the father's surname; a wife
takes her husband's), Norwegian (a patronymic, Olsen or Olsdatter, from the father's given name)
and Spanish (the first surnames of father and mother; a wife keeps hers).

Given names are drawn from ``tables/given_names.csv``, whose shares move from those of about 1780
to those of about 1900. Surnames follow the law of Zipf and Mandelbrot, share of rank r
proportional to 1 / (r + q): with q = 15 and the vocabulary here the commonest is borne by about 1
% and the thousand commonest by about half of the people, as in England in 1881. The head is
``tables/surnames.csv``, the long tail is composed of the parts in ``tables/name_parts.csv``.
"""

import hashlib
from collections.abc import Callable, Iterable

import numpy as np

from forebear.tables import read_table
from forebear_lab.simulation.chance import Floats, Ints, Texts, cumulate, draw_weighted

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

"""Who was who, married to whom, and where, on a given day, and how are days written?

People and couples are columns of numbers; row 0 of both is an unknown one, so a father of 0 is not
known. Every method takes arrays and returns an array with an entry for each of theirs.

A day is the number of days since 1970-01-01, as in numpy's ``datetime64[D]``. England began the
year on 25 March until 1751, so registers there wrote both years between January and that day:
``12 Feb 1745/6``.
"""

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Literal

import numpy as np

from forebear_lab.simulation.chance import Bools, Floats, Ints, Texts
from forebear_lab.simulation.names import ENGLISH, FEMALE

DAYS_PER_YEAR = 365.2425
FIRST_YEAR, LAST_YEAR = 1700, 1960  # of days that can be written
NEVER = 10**7
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
DateForm = Literal["day", "long", "double", "month", "iso"]
PEOPLE = (
    "sex", "culture", "given", "middle", "surname", "second_surname", "born", "died", "father",
    "mother", "couple", "birth_place", "leaves_home", "adult_place", "trade", "faith", "couple1",
    "couple2", "recorded",
)  # fmt: skip
COUPLES = ("husband", "wife", "wed", "wed_place", "home1", "moves", "home2")
LATE = ("leaves_home", "wed", "moves")  # 0 would mean the year 1970; row 0 never does


def day_of(year: float) -> int:
    """Return the day at a point of time, 1850.5 being the middle of a year."""
    return round((year - 1970) * DAYS_PER_YEAR)


def to_days(years: Floats) -> Ints:
    """Return spans of years as whole days."""
    return (years * DAYS_PER_YEAR).astype(np.int64)


def year_of(day: Ints) -> Ints:
    """Return the calendar year of days.

    >>> year_of(np.array([0, -1])).tolist()
    [1970, 1969]
    """
    return day.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970


def month_of(day: Ints) -> Ints:
    """Return the month of days, from 0."""
    return day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % 12


def write_days(day: Ints, form: DateForm) -> Texts:
    """Return days as text.

    >>> write_days(np.array([-40000, -82135]), "double").tolist()
    ['26 Jun 1860', '14 Feb 1744/5']
    """
    table, first = _written_days(form)
    return table[np.clip(day - first, 0, table.size - 1)]


@cache
def _written_days(form: DateForm) -> tuple[Texts, int]:
    """Return the text of every day of the simulation, and the first of these days."""
    first = int(np.datetime64(f"{FIRST_YEAR}-01-01", "D").astype(np.int64))
    end = int(np.datetime64(f"{LAST_YEAR}-01-01", "D").astype(np.int64))
    texts = [
        _write_day(text, form) for text in np.arange(first, end).astype("datetime64[D]").astype(str)
    ]
    return np.array(texts, dtype=object), first


def _write_day(iso: str, form: DateForm) -> str:
    year, month, day = map(int, iso.split("-"))
    name = MONTHS[month - 1]
    if form == "iso":
        return iso
    if form == "long":
        return f"{day} {name} {year}"
    if form == "month":
        return f"{name[:3]} {year}"
    if form == "double" and year < 1752 and (month, day) < (3, 25):
        return f"{day} {name[:3]} {year - 1}/{year % 10}"
    return f"{day} {name[:3]} {year}"


class Columns:
    """Columns of equal length that grow."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._columns = {
            name: np.array([NEVER if name in LATE else 0], dtype=np.int64) for name in names
        }

    def __getitem__(self, name: str) -> Ints:
        return self._columns[name]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def append(self, rows: Mapping[str, Ints]) -> Ints:
        """Add rows, with the value of row 0 in columns not given, and return their numbers."""
        first, count = len(self), len(next(iter(rows.values())))
        for name, column in self._columns.items():
            added = np.broadcast_to(rows.get(name, column[:1]), count)
            self._columns[name] = np.concatenate([column, added])
        return np.arange(first, first + count)


class Lives:
    """Everybody who ever lived in a simulation."""

    def __init__(self) -> None:
        self.people = Columns(PEOPLE)
        self.couples = Columns(COUPLES)

    def couple_on(self, person: Ints, day: Ints) -> Ints:
        """Return the latest marriage until the day, ended or not; 0 of single people."""
        first, second = self.people["couple1"][person], self.people["couple2"][person]
        wed = self.couples["wed"]
        is_first = (first > 0) & (wed[first] <= day)
        return np.where((second > 0) & (wed[second] <= day), second, np.where(is_first, first, 0))

    def spouse_on(self, person: Ints, day: Ints) -> Ints:
        """Return the last husband or wife, living or dead; 0 of single people."""
        couple = self.couple_on(person, day)
        is_wife = self.people["sex"][person] == FEMALE
        return np.where(is_wife, self.couples["husband"][couple], self.couples["wife"][couple])

    def is_alive(self, person: Ints, day: Ints) -> Bools:
        """Return who lives on the day."""
        people = self.people
        return (person > 0) & (people["born"][person] <= day) & (day < people["died"][person])

    def has_arrived(self, person: Ints, day: Ints) -> Bools:
        """Return who is in the simulated world by then: founders come when they leave home."""
        people = self.people
        return (people["mother"][person] > 0) | (people["leaves_home"][person] <= day)

    def surname_on(self, person: Ints, day: Ints) -> tuple[Ints, Ints]:
        """Return the surname in use on the day, and the second one where the culture has two."""
        people = self.people
        husband = self.couples["husband"][self.couple_on(person, day)]
        takes = (people["sex"][person] == FEMALE) & (husband > 0)
        takes &= people["culture"][husband] == ENGLISH
        bearer = np.where(takes, husband, person)
        second = np.where(takes, 0, people["second_surname"][person])
        return people["surname"][bearer], second

    def home_on(self, couple: Ints, day: Ints) -> Ints:
        """Return where couples live."""
        has_moved = self.couples["moves"][couple] <= day
        return np.where(has_moved, self.couples["home2"][couple], self.couples["home1"][couple])

    def place_on(self, person: Ints, day: Ints) -> Ints:
        """Return where people live: with parents, alone, or with husband or wife."""
        people, couple = self.people, self.couple_on(person, day)
        parents = people["couple"][person]
        childhood = np.where(parents > 0, self.home_on(parents, day), people["birth_place"][person])
        has_left = people["leaves_home"][person] <= day
        single = np.where(has_left, people["adult_place"][person], childhood)
        return np.where(couple > 0, self.home_on(couple, day), single)

    def age_on(self, person: Ints, day: Ints) -> Floats:
        """Return ages in years."""
        return (day - self.people["born"][person]) / DAYS_PER_YEAR

    def child(self, couple: Ints, turn: int) -> Ints:
        """Return the child of couples that was born as number ``turn``, from 0; else 0."""
        order, first, end = self._children
        place = first[couple] + turn
        has_child = (couple > 0) & (place < end[couple])
        return np.where(has_child, order[np.minimum(place, order.size - 1)], 0)

    @cached_property
    def _children(self) -> tuple[Ints, Ints, Ints]:
        """Return children in the order of couples, and where those of each begin and end."""
        couple = self.people["couple"]
        order = np.argsort(couple, kind="stable")
        numbers = np.arange(len(self.couples))
        first = np.searchsorted(couple[order], numbers)
        return order, first, np.searchsorted(couple[order], numbers, side="right")

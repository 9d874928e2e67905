"""How are days counted and written in a simulation?

A day is the number of days since 1970-01-01, as in numpy's ``datetime64[D]``.  England began the
year on 25 March until 1751, so registers there wrote both years between January and that day:
``12 Feb 1745/6``.
"""

from functools import cache
from typing import Literal

import numpy as np

from forebear_lab.simulation.chance import Floats, Ints, Texts

DAYS_PER_YEAR = 365.2425
FIRST_YEAR, LAST_YEAR = 1700, 1960  # of days that can be written
NEVER = 10**7
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
DateForm = Literal["day", "long", "double", "month", "iso"]


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

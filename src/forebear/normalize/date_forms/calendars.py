"""Which day is a day of the Julian, the French republican or the Hebrew calendar?

Days are counted from 1 January of the year 1 (Gregorian), which is day 1; every calendar is a
way to count up to the same number.  The arithmetic is that of Reingold and Dershowitz,
"Calendrical Calculations".  Years before Christ are astronomical: 44 BC is -43.
"""

from typing import NamedTuple

from forebear.normalize.days import day_of_number, month_length, number_of_day
from forebear.records.record import Day

REPUBLICAN_MONTHS = 13  # twelve of thirty days, and the complementary days
_REPUBLICAN_EPOCH = 654_415  # 22 September 1792
_HEBREW_EPOCH = -1_373_427
_ADAR, _SECOND_ADAR = "adr", "ads"


class MonthOfYear(NamedTuple):
    """A month by the day it begins, and its length."""

    first_number: int
    length: int


def is_julian_leap(year: int) -> bool:
    """Say whether a year has a 29 February in the Julian calendar."""
    return year % 4 == 0


def julian_month_length(year: int, month: int) -> int:
    """Return how many days a month has in the Julian calendar."""
    return (29 if is_julian_leap(year) else 28) if month == 2 else month_length(year, month)


def from_julian(year: int, month: int, day: int) -> Day:
    """Return the Gregorian day of a Julian one.

    >>> str(from_julian(1712, 12, 25)), str(from_julian(1900, 2, 29))
    ('1713-01-05', '1900-03-13')
    """
    return day_of_number(_julian_number(year, month, day))


def to_julian(day: Day) -> Day:
    """Return the Julian day of a Gregorian one, written as a `Day`.

    >>> str(to_julian(Day(1732, 2, 22)))
    '1732-02-11'
    """
    number = number_of_day(day)
    year = (4 * (number + 1) + 1464) // 1461
    in_year = number - _julian_number(year, 1, 1)
    shift = 0 if number < _julian_number(year, 3, 1) else 1 if is_julian_leap(year) else 2
    month = (12 * (in_year + shift) + 373) // 367
    return Day(year, month, number - _julian_number(year, month, 1) + 1)


def republican_day(year: int, month: int, day: int) -> Day:
    """Return the day of the French republican calendar; leap years were 3, 7 and 11.

    >>> str(republican_day(2, 11, 9))  # 9 thermidor II
    '1794-07-27'
    """
    in_year = 30 * (month - 1) + day - 1
    return day_of_number(_REPUBLICAN_EPOCH + 365 * (year - 1) + year // 4 + in_year)


def republican_month_length(year: int, month: int) -> int:
    """Return how many days a republican month, or the complementary days, have."""
    return 30 if month < REPUBLICAN_MONTHS else 6 if year % 4 == 3 else 5


def hebrew_months(year: int) -> dict[str, MonthOfYear]:
    """Return the months of a Hebrew year from Tishri, by GEDCOM's codes for them.

    A common year has one Adar, ``adr``, which is also what is meant by ``ads``.

    >>> day_of_number(hebrew_months(5700)["tsh"].first_number + 9)
    Day(year=1939, month=9, day=23)
    """
    first = _hebrew_new_year(year)
    length = _hebrew_new_year(year + 1) - first
    is_leap = length > 380
    heshvan, kislev = (30 if length % 10 == 5 else 29), (29 if length % 10 == 3 else 30)
    lengths = {"tsh": 30, "csh": heshvan, "ksl": kislev, "tvt": 29, "shv": 30}
    lengths |= {_ADAR: 30, _SECOND_ADAR: 29} if is_leap else {_ADAR: 29}
    lengths |= {"nsn": 30, "iyr": 29, "svn": 30, "tmz": 29, "aav": 30, "ell": 29}
    months = {}
    for code, days in lengths.items():
        months[code] = MonthOfYear(first, days)
        first += days
    return {_SECOND_ADAR: months[_ADAR]} | months


def _julian_number(year: int, month: int, day: int) -> int:
    before = year - 1
    leap = 0 if month <= 2 else -1 if is_julian_leap(year) else -2
    return 365 * before + before // 4 - 2 + (367 * month - 362) // 12 + leap + day


def _hebrew_new_year(year: int) -> int:
    before, this, after = (_elapsed_days(near) for near in (year - 1, year, year + 1))
    delay = 2 if after - this == 356 else 1 if this - before == 382 else 0
    return _HEBREW_EPOCH + this + delay


def _elapsed_days(year: int) -> int:
    """Return the days from the epoch to the mean new moon of a year, never a Sunday's."""
    months = (235 * year - 234) // 19
    days = 29 * months + (12_084 + 13_753 * months) // 25_920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days

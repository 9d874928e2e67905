"""Which day lies so many years, months or days from another, and which number has a day?

The proleptic Gregorian calendar with astronomical years, where `datetime` ends at year 1.
A day that a shorter month lacks becomes that month's last: a year after 29 February is
28 February.
"""

import datetime
from calendar import IllegalMonthError, isleap

from forebear.records.record import Day

_CYCLE_YEARS = 400  # after which the calendar repeats, day of the week included
_CYCLE_DAYS = 146_097
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def month_length(year: int, month: int) -> int:
    """Return how many days the month has."""
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    return 29 if month == 2 and isleap(year) else _LENGTHS[month - 1]


def last_day(year: int, month: int = 12) -> Day:
    """Return the last day of a month, or of a year."""
    return Day(year, month, month_length(year, month))


def plus_months(day: Day, months: int) -> Day:
    """Return the same day so many months later, or earlier if negative."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return Day(year, month + 1, min(day.day, month_length(year, month + 1)))


def plus_years(day: Day, years: int) -> Day:
    """Return the same day so many years later, or earlier if negative."""
    return plus_months(day, 12 * years)


def plus_days(day: Day, days: int) -> Day:
    """Return the day so many days later, or earlier if negative."""
    if not days:
        return day
    shift = day.year - 2000 - day.year % _CYCLE_YEARS
    moved = datetime.date(day.year - shift, day.month, day.day) + datetime.timedelta(days=days)
    return Day(moved.year + shift, moved.month, moved.day)


def number_of_day(day: Day) -> int:
    """Return how many days there are up to this one, 1 January of the year 1 being the first."""
    cycles, year = divmod(day.year - 1, _CYCLE_YEARS)
    return datetime.date(year + 1, day.month, day.day).toordinal() + cycles * _CYCLE_DAYS


def day_of_number(number: int) -> Day:
    """Return the day with this number."""
    cycles, rest = divmod(number - 1, _CYCLE_DAYS)
    day = datetime.date.fromordinal(rest + 1)
    return Day(day.year + cycles * _CYCLE_YEARS, day.month, day.day)

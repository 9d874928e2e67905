"""Which days does a year, a month or a day name, where and when it was written?

A text may have several readings; each is an interval of days with a precision, and the date is
the hull of them all.  A stated day becomes readings in one place, here, so that every form of
writing treats alike what depends on the country: a year that began on 25 March (both years are
possible before that day), days that a change of calendar skipped, and a 29 February that only
the Julian calendar had.  Days marked as Julian are converted; nothing else is moved.

Days are proleptic Gregorian with astronomical years (44 BC is -43), where `datetime` ends at
year 1.  Their numbers count from 1 January of the year 1, which is day 1.
"""

import datetime
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from forebear.records.record import Day, HistoricalDate, Precision, Qualifier
from forebear.tables import read_table

FIRST_YEAR, LAST_YEAR = -3999, 2199  # what lies outside is another calendar, or no year
FIRST_PLAIN_YEAR = 1000  # four figures from here on are a year and nothing else
LAST_SPRING_YEAR = 1750  # the last written year that began on 25 March in England
CENSUS = "census"  # a collection in which a year is the day of the count
_SPRING_DAY = (3, 25)
_CYCLE_YEARS = 400  # after which the calendar repeats, day of the week included
_CYCLE_DAYS = 146_097
_MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class DateContext(NamedTuple):
    """What the source of a date says about it, in lower case; empty where nothing is assumed.

    The same words mean different days in different books: "Mar 1850" is a quarter in an index
    of civil registration, "12/3/1850" is in December in America, and "11 Feb 1700" lies in two
    years where the year began on 25 March.
    """

    # bmd_index: a quarter is named by its last month; census: a year is the day of the count;
    # gedcom: years may have three figures; gedcom7: or fewer
    collection: str = ""
    locale: str = ""  # us: the month before the day; uk, de, fr, nl: the day before the month
    calendar: str = ""  # julian, quaker, hebrew, republican
    country: str = ""
    is_old_style: bool = False  # in England that left the year in doubt as well as the day

    @property
    def is_julian(self) -> bool:
        """Return whether days are marked as Julian."""
        return self.calendar == "julian"


NO_CONTEXT = DateContext()


class DateReading(NamedTuple):
    """One way to take a date: its first and last day, and how precisely it is stated."""

    start: Day
    end: Day
    precision: Precision


class CalendarSwitch(NamedTuple):
    """How a country counted days and years until it changed."""

    last_julian: Day
    first_gregorian: Day
    last_spring_year: int  # the last year written that began on 25 March


def read_year(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date of four figures, the year of a census being the day of the count."""
    year = int(text) if len(text) == 4 and text.isascii() and text.isdigit() else 0
    if not FIRST_PLAIN_YEAR <= year <= LAST_YEAR or context.calendar:
        return None
    day = census_day(year, context.country) if context.collection == CENSUS else None
    if day:
        return HistoricalDate(text=text, start=day, end=day, precision="day")
    return HistoricalDate(text=text, start=Day(year, 1, 1), end=Day(year, 12, 31), precision="year")


def date_of(text: str, readings: Sequence[DateReading]) -> HistoricalDate | None:
    """Return the hull of the readings: exact if there is one, else one day between them.

    Readings less precise than the best are impossible days, of which only the month is used.
    """
    days = [reading for reading in readings if reading.precision == "day"]
    best = list(dict.fromkeys(days or readings))
    if not best:
        return None
    start, end = min(best)[0], max(reading.end for reading in best)
    if len(best) == 1:
        return HistoricalDate(text=text, start=start, end=end, precision=best[0].precision)
    return HistoricalDate(
        text=text, start=start, end=end, precision="interval", qualifier="between"
    )


def hull_of_ends(
    text: str, first: HistoricalDate, second: HistoricalDate, qualifier: Qualifier
) -> HistoricalDate:
    """Return the interval from the one date to the other, whichever is the earlier."""
    starts = [date.start for date in (first, second) if date.start]
    ends = [date.end for date in (first, second) if date.end]
    return HistoricalDate(
        text=text, start=min(starts), end=max(ends), qualifier=qualifier, precision="interval"
    )


def read_civil(
    year: int, month: int, day: int, *, context: DateContext, is_dual: bool = False
) -> list[DateReading]:
    """Return the readings of a year, month and day as written; a zero is not known.

    An impossible day leaves the month, an impossible month the year.  ``is_dual`` means that the
    text gives the modern year itself.
    """
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return []
    if not 1 <= month <= 12:
        return [_span(Day(year, 1, 1), last_day(year), "year", context)]
    readings = [_read_month_or_day(year, month, day, context)]
    if is_dual or not _is_year_in_doubt(year, month, day, context):
        return readings
    other = _read_month_or_day(year + 1, month, day, context)
    if month == _SPRING_DAY[0] and other.precision == "month":
        other = _span(Day(year + 1, 3, 1), Day(year + 1, 3, 24), "month", context)
    return [*readings, other]


def read_span(
    start: Day, end: Day, precision: Precision, *, context: DateContext
) -> list[DateReading]:
    """Return the reading of a span of whole months or years."""
    is_possible = FIRST_YEAR <= start.year <= end.year <= LAST_YEAR + 1
    return [_span(start, end, precision, context)] if is_possible else []


def read_months(
    year: int, month: int, precision: Precision, *, context: DateContext
) -> list[DateReading]:
    """Return the reading of three months from this one, a season or a quarter."""
    last = plus_months(Day(year, month, 1), 2)
    end = last_day(last.year, last.month)
    return read_span(Day(year, month, 1), end, precision, context=context)


def _is_year_in_doubt(year: int, month: int, day: int, context: DateContext) -> bool:
    switch = calendar_switch(context.country)
    last = switch.last_spring_year if switch else 0
    if context.is_old_style:
        last = max(last, LAST_SPRING_YEAR)
    is_stated = 1 <= day <= month_length(2000, month)
    return 0 < year <= last and (month, day if is_stated else 1) < _SPRING_DAY


def _read_month_or_day(year: int, month: int, day: int, context: DateContext) -> DateReading:
    if (month, day) == (2, 29) and is_julian_leap(year):
        was_julian = month_length(year, 2) == 28 and uses_julian_days(year, 2, 29, context.country)
        if context.is_julian or was_julian:  # a 29 February that our calendar lacks
            gregorian = from_julian(year, month, day)
            return DateReading(gregorian, gregorian, "day")
    if 1 <= day <= month_length(year, month) and not _was_skipped(year, month, day, context):
        return _span(Day(year, month, day), Day(year, month, day), "day", context)
    length = julian_month_length(year, month) if context.is_julian else month_length(year, month)
    return _span(Day(year, month, 1), Day(year, month, length), "month", context)


def _was_skipped(year: int, month: int, day: int, context: DateContext) -> bool:
    switch = None if context.is_julian else calendar_switch(context.country)
    return switch is not None and switch.last_julian < (year, month, day) < switch.first_gregorian


def _span(start: Day, end: Day, precision: Precision, context: DateContext) -> DateReading:
    if context.is_julian:
        return DateReading(from_julian(*start), from_julian(*end), precision)
    return DateReading(start, end, precision)


def uses_julian_days(year: int, month: int, day: int, country: str) -> bool:
    """Return whether the country still used the Julian calendar on that day as written."""
    switch = calendar_switch(country)
    return switch is not None and (year, month, day) <= switch.last_julian


def calendar_switch(country: str) -> CalendarSwitch | None:
    """Return when and how a country changed its calendar, if the table has it."""
    return _switches().get(country) if country else None


@cache
def _switches() -> dict[str, CalendarSwitch]:
    return {
        row["country"]: CalendarSwitch(
            _day(row["last_julian"]), _day(row["first_gregorian"]), int(row["last_spring_year"])
        )
        for row in read_table("normalize/dates/calendars")
    }


@cache
def census_day(year: int, country: str) -> Day | None:
    """Return the day of the census of that year, if the country took one."""
    days = {
        (row["country"], row["year"]): row["day"]
        for row in read_table("normalize/dates/census_days")
    }
    day = days.get((country, str(year)))
    return _day(day) if day else None


def _day(text: str) -> Day:
    return Day(*map(int, text.split("-")))


def month_length(year: int, month: int) -> int:
    """Return how many days the month has."""
    if month != 2:
        return _MONTH_LENGTHS[month - 1]
    return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28


def last_day(year: int, month: int = 12) -> Day:
    """Return the last day of a month, or of a year."""
    return Day(year, month, month_length(year, month))


def plus_months(day: Day, months: int) -> Day:
    """Return the same day ``months`` later, or the month's last if it lacks that day."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return Day(year, month + 1, min(day.day, month_length(year, month + 1)))


def plus_years(day: Day, years: int) -> Day:
    """Return the same day ``years`` later; a year after 29 February is 28 February."""
    return plus_months(day, 12 * years)


def plus_days(day: Day, days: int) -> Day:
    """Return the day ``days`` later, or earlier if negative."""
    if not days:
        return day
    shift = day.year - 2000 - day.year % _CYCLE_YEARS
    shifted = datetime.date(day.year - shift, day.month, day.day) + datetime.timedelta(days=days)
    return Day(shifted.year + shift, shifted.month, shifted.day)


def number_of_day(day: Day) -> int:
    """Return how many days there are up to this one, 1 January of the year 1 being the first."""
    cycles, year = divmod(day.year - 1, _CYCLE_YEARS)
    return datetime.date(year + 1, day.month, day.day).toordinal() + cycles * _CYCLE_DAYS


def day_of_number(number: int) -> Day:
    """Return the day with this number."""
    cycles, rest = divmod(number - 1, _CYCLE_DAYS)
    day = datetime.date.fromordinal(rest + 1)
    return Day(day.year + cycles * _CYCLE_YEARS, day.month, day.day)


def is_julian_leap(year: int) -> bool:
    """Return whether a year has a 29 February in the Julian calendar."""
    return year % 4 == 0


def julian_month_length(year: int, month: int) -> int:
    """Return how many days a month has in the Julian calendar."""
    return (29 if is_julian_leap(year) else 28) if month == 2 else month_length(year, month)


def from_julian(year: int, month: int, day: int) -> Day:
    """Return the Gregorian day of a Julian one (Reingold, Dershowitz: Calendrical Calculations).

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


def _julian_number(year: int, month: int, day: int) -> int:
    before = year - 1
    leap = 0 if month <= 2 else -1 if is_julian_leap(year) else -2
    return 365 * before + before // 4 - 2 + (367 * month - 362) // 12 + leap + day

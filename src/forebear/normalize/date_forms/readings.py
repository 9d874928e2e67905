"""Which days does a year, a month or a day name, where and when it was written?

A text may have several readings; each is an interval of days with a precision, and the date is
the hull of them all.  A stated day becomes readings in one place, here, so that every form of
writing treats alike what depends on the country: a year that began on 25 March (both years are
possible before that day), days that a change of calendar left out, and a 29 February that only
the Julian calendar had.  Days marked as Julian are converted; nothing else is moved.
"""

from collections.abc import Sequence
from typing import NamedTuple

from forebear.normalize.date_forms.calendars import (
    from_julian,
    is_julian_leap,
    julian_month_length,
)
from forebear.normalize.date_forms.context import DateContext, calendar_switch
from forebear.normalize.days import last_day, month_length
from forebear.records.record import Day, HistoricalDate, Precision, Qualifier

FIRST_YEAR, LAST_YEAR = -3999, 2199  # what lies outside is another calendar, or no year
LAST_SPRING_YEAR = 1750  # the last written year that began on 25 March in England
_SPRING_DAY = (3, 25)


class Reading(NamedTuple):
    """One way to take a date: its first and last day, and how precisely it is stated."""

    start: Day
    end: Day
    precision: Precision


def date_of(text: str, readings: Sequence[Reading]) -> HistoricalDate | None:
    """Return the hull of the readings: exact if there is one, else one day between them.

    Readings less precise than the best are impossible days, of which only the month was kept.
    """
    days = [reading for reading in readings if reading.precision == "day"]
    kept = list(dict.fromkeys(days or readings))
    if not kept:
        return None
    start, end = min(kept)[0], max(reading.end for reading in kept)
    if len(kept) == 1:
        return HistoricalDate(text=text, start=start, end=end, precision=kept[0].precision)
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
) -> list[Reading]:
    """Return the readings of a year, month and day as written; a zero is not known.

    An impossible day leaves the month, an impossible month the year.  ``is_dual`` says that the
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


def read_span(start: Day, end: Day, precision: Precision, *, context: DateContext) -> list[Reading]:
    """Return the reading of a span of whole months or years."""
    is_possible = FIRST_YEAR <= start.year <= end.year <= LAST_YEAR + 1
    return [_span(start, end, precision, context)] if is_possible else []


def uses_julian_days(year: int, month: int, day: int, country: str) -> bool:
    """Say whether the country still counted by the Julian calendar on that day as written."""
    switch = calendar_switch(country)
    return switch is not None and (year, month, day) <= switch.last_julian


def _is_year_in_doubt(year: int, month: int, day: int, context: DateContext) -> bool:
    switch = calendar_switch(context.country)
    last = switch.last_spring_year if switch else 0
    if context.is_old_style:
        last = max(last, LAST_SPRING_YEAR)
    is_stated = 1 <= day <= month_length(2000, month)
    return 0 < year <= last and (month, day if is_stated else 1) < _SPRING_DAY


def _read_month_or_day(year: int, month: int, day: int, context: DateContext) -> Reading:
    is_leap_day = (month, day) == (2, 29) and is_julian_leap(year)
    if is_leap_day and (context.is_julian or _had_leap_day(year, context.country)):
        gregorian = from_julian(year, month, day)
        return Reading(gregorian, gregorian, "day")
    if 1 <= day <= month_length(year, month) and not _was_left_out(year, month, day, context):
        return _span(Day(year, month, day), Day(year, month, day), "day", context)
    length = julian_month_length(year, month) if context.is_julian else month_length(year, month)
    return _span(Day(year, month, 1), Day(year, month, length), "month", context)


def _had_leap_day(year: int, country: str) -> bool:
    """Say whether a country had a 29 February that our calendar lacks."""
    return month_length(year, 2) == 28 and uses_julian_days(year, 2, 29, country)


def _was_left_out(year: int, month: int, day: int, context: DateContext) -> bool:
    switch = None if context.is_julian else calendar_switch(context.country)
    return switch is not None and switch.last_julian < (year, month, day) < switch.first_gregorian


def _span(start: Day, end: Day, precision: Precision, context: DateContext) -> Reading:
    if context.is_julian:
        return Reading(from_julian(*start), from_julian(*end), precision)
    return Reading(start, end, precision)

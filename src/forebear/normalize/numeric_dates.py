"""Which days does a date in figures alone name: 1850-03-12, 12/3/1850, 12.3.1850, 3/1850?

Four digits first mean year, month, day.  Otherwise the day comes first after a point; after
a slash or hyphen the order is the one that is possible, and if both are, the date is the
hull of the two readings.  Zeros, and X, are unknown parts.  An impossible day leaves the month, an
impossible month the year.
"""

import re

from forebear.normalize.days import last_day, month_length, plus_months
from forebear.normalize.stated_dates import LAST_YEAR
from forebear.records.dates import Day, HistoricalDate

_YEAR_FIRST = re.compile(
    r"([0-9]{4})([-/.])\s*([0-9]{1,2}|xx)(?:\2\s*([0-9]{1,2}|xx))?\.?(?:t[0-9:]+z?)?"
)
_YEAR_LAST = re.compile(r"(?:([0-9]{1,2})([-/. ])\s*)?([0-9]{1,2})([-/. ])\s*([0-9]{4})")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
# ISO 8601-2 numbers seasons and quarters after the months; each begins with this month.
_FIRST_MONTHS = {21: 3, 22: 6, 23: 9, 24: 12, 33: 1, 34: 4, 35: 7, 36: 10}


def read_numeric_date(text: str) -> HistoricalDate | None:
    """Return the date that clean, lower-case text in figures names."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, separator, second, third = match.groups()
        if third is not None:
            return _date(text, int(year), _number(second), _number(third))
        return _read_pair(text, int(year), _number(second)) if separator == "-" else None
    if match := _COMPACT.fullmatch(text):
        year, month, day = map(int, match.groups())
        return _date(text, year, month, day) if _is_possible(year, month, day) else None
    if match := _YEAR_LAST.fullmatch(text):
        return _read_year_last(text, *match.groups())
    return None


def _read_pair(text: str, year: int, number: int) -> HistoricalDate | None:
    """Read a year and a number: a month, a season, a quarter, or a second year."""
    if number in _FIRST_MONTHS:
        start = Day(year, _FIRST_MONTHS[number], 1)
        end = plus_months(start, 2)
        return HistoricalDate(
            text=text, start=start, end=last_day(end.year, end.month), precision="interval"
        )
    if number > max(12, year % 100):
        return HistoricalDate(
            text=text,
            start=Day(year, 1, 1),
            end=last_day(year - year % 100 + number),
            qualifier="between",
            precision="interval",
        )
    return _date(text, year, number, 0)


def _read_year_last(
    text: str, first: str | None, break1: str | None, second: str, break2: str, years: str
) -> HistoricalDate | None:
    year, month = int(years), int(second)
    if first is None:
        return _date(text, year, month, 0) if break2 != " " else None
    if break1 != break2:
        return None
    orders = [(month, int(first))] if break1 == "." else [(month, int(first)), (int(first), month)]
    possible = [order for order in orders if _is_possible(year, *order)] or orders[:1]
    dates = [_date(text, year, *order) for order in dict.fromkeys(possible)]
    known = sorted((date.start, date.end) for date in dates if date and date.start and date.end)
    if len(known) < 2:
        return dates[0]
    return HistoricalDate(
        text=text, start=known[0][0], end=known[1][1], qualifier="between", precision="interval"
    )


def _date(text: str, year: int, month: int, day: int) -> HistoricalDate | None:
    """Return the date, as precise as its parts are possible."""
    if not 0 < year <= LAST_YEAR:
        return None
    if not 1 <= month <= 12:
        return HistoricalDate(
            text=text, start=Day(year, 1, 1), end=last_day(year), precision="year"
        )
    if not 1 <= day <= month_length(year, month):
        return HistoricalDate(
            text=text, start=Day(year, month, 1), end=last_day(year, month), precision="month"
        )
    stated = Day(year, month, day)
    return HistoricalDate(text=text, start=stated, end=stated, precision="day")


def _is_possible(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 0 <= day <= month_length(year, month)


def _number(digits: str) -> int:
    return 0 if digits == "xx" else int(digits)

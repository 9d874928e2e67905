"""Which days does a date in figures alone name: 1850-03-12, 12/3/1850, 12.3.1850, 3/1850?

Four digits first mean year, month, day.  Otherwise the day comes first after a point; after
a slash, hyphen or space the order is the one that is possible; if both are, it is that of the
locale, and without one the date is the hull of the two readings.  Zeros, and X, are unknown
parts.  An impossible day leaves the month, an impossible month the year.
"""

import re

from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.month_names import month_named
from forebear.normalize.date_forms.readings import Reading, date_of, read_civil, read_span
from forebear.normalize.days import last_day, month_length, plus_months
from forebear.records.record import Day, HistoricalDate, Precision

_YEAR_FIRST = re.compile(
    r"(-?[0-9]{4})(?:([-/. ])\s*([0-9]{1,2}|xx)(?:\2\s*([0-9]{1,2}|xx))?\.?(?:t[0-9:.]*z?)?)?"
)
_MASKED_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-3]x|x[0-9])")
_YEAR_LAST = re.compile(r"(?:([0-9]{1,2})([-/. ])\s*)?([0-9]{1,2})([-/. ])\s*([0-9]{4})\.?")
_ROMAN_MONTH = re.compile(r"(?:([0-9]{1,2})([-/.])\s?)?([ivx]{1,4})([-/.])\s?([0-9]{4})\.?")
_SPACED_POINT = re.compile(r"(?<=[0-9])\s+([./])\s*(?=[0-9])")
_WITH_UNREAD = re.compile(
    r"(?:(?:[0-9]{1,2}|[?*_x]{1,2})[-/.]){2}[0-9]{4}|[0-9]{4}(?:[-/.](?:[0-9]{1,2}|[?*_]{1,2})){2}"
)
_UNREAD = re.compile(r"(?<![0-9?*_x])[?*_x]{1,2}(?![0-9?*_x])")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
# ISO 8601-2 numbers seasons and quarters after the months; each begins with this month.
_SEASONS = {21: 3, 22: 6, 23: 9, 24: 12}
_QUARTERS = {33: 1, 34: 4, 35: 7, 36: 10}


def read_numeric_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text in figures names."""
    text = _SPACED_POINT.sub(r"\1", text)
    if not text.isdigit() and _WITH_UNREAD.fullmatch(text):
        text = _UNREAD.sub("00", text)  # ??/09/1877
    if match := _YEAR_FIRST.fullmatch(text):
        return date_of(text, _read_year_first(match, context))
    if match := _MASKED_DAY.fullmatch(text):
        year, month = int(match[1]), int(match[2])
        mask = re.compile(match[3].replace("x", "."))
        days = [day for day in range(1, 32) if mask.fullmatch(f"{day:02}")]
        possible = [day for day in days if _likelihood(year, month, day) == 2]
        ends = [d for day in possible for d in read_civil(year, month, day, context=context)]
        return date_of(text, ends)
    if match := _COMPACT.fullmatch(text):
        year, month, day = map(int, match.groups())
        is_day = 1 <= month <= 12 and 1 <= day <= month_length(year, month)
        return date_of(text, read_civil(year, month, day, context=context)) if is_day else None
    if match := _ROMAN_MONTH.fullmatch(text):
        number = month_named(match[3]) or 0
        stated = int(match[5]), number, int(match[1] or 0)
        return date_of(text, read_civil(*stated, context=context))
    if match := _YEAR_LAST.fullmatch(text):
        return date_of(text, _read_year_last(match, context))
    return None


def read_months(
    year: int, month: int, precision: Precision, *, context: DateContext
) -> list[Reading]:
    """Return the reading of three months from this one, a season or a quarter."""
    last = plus_months(Day(year, month, 1), 2)
    end = last_day(last.year, last.month)
    return read_span(Day(year, month, 1), end, precision, context=context)


def _read_year_first(match: re.Match[str], context: DateContext) -> list[Reading]:
    years, separator, second, third = match.groups()
    year, number = int(years), _number(second)
    if year == 0:
        return []
    if separator == "-" and third is None:
        return _read_pair(year, number, context)
    if separator and third is None and (separator in "/ " or not 1 <= number <= 12):
        return []
    return read_civil(year, number, _number(third), context=context)


def _read_pair(year: int, number: int, context: DateContext) -> list[Reading]:
    """Read a year and a number: a month, a season, a quarter, or a second year."""
    if number in _SEASONS:
        return read_months(year, _SEASONS[number], "season", context=context)
    if number in _QUARTERS:
        return read_months(year, _QUARTERS[number], "quarter", context=context)
    if number > max(12, year % 100):
        return [
            reading
            for end in (year, year - year % 100 + number)
            for reading in read_civil(end, 0, 0, context=context)
        ]
    return read_civil(year, number, 0, context=context)


def _read_year_last(match: re.Match[str], context: DateContext) -> list[Reading]:
    first, break1, second, break2, years = match.groups()
    year, month = int(years), int(second)
    if year == 0 or (first is None and break2 == " ") or (first and break1 != break2):
        return []
    if first is None:
        return read_civil(year, month, 0, context=context)
    orders = _orders(int(first), month, is_day_first=break1 == ".", locale=context.locale)
    best = max(_likelihood(year, *order) for order in orders)
    possible = [order for order in orders if _likelihood(year, *order) == best]
    kept = possible if best == 2 and not context.locale else possible[:1]
    return [reading for order in kept for reading in read_civil(year, *order, context=context)]


def _orders(first: int, second: int, *, is_day_first: bool, locale: str) -> list[tuple[int, int]]:
    """Return the month and day in each order that may be meant, the likelier first."""
    day_first, month_first = (second, first), (first, second)
    if is_day_first:
        return [day_first]
    return [month_first, day_first] if locale == "us" else [day_first, month_first]


def _likelihood(year: int, month: int, day: int) -> int:
    """Return how far the parts fit: 2 with the day (or none), 1 with the month, 0 not at all."""
    if not 1 <= month <= 12:
        return 0
    return 2 if 0 <= day <= month_length(year, month) else 1


def _number(digits: str | None) -> int:
    return 0 if digits in (None, "xx") else int(digits or 0)

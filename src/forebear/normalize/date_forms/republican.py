"""Which days does a date of the French republican calendar name: 12 vendémiaire an III?"""

import re
from functools import cache

from anyascii import anyascii

from forebear.normalize.date_forms.calendars import (
    REPUBLICAN_MONTHS,
    republican_day,
    republican_month_length,
)
from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.numbers import read_number
from forebear.normalize.date_forms.readings import Reading, date_of
from forebear.records.record import HistoricalDate, Precision
from forebear.tables import read_table, word_set

LAST_REPUBLICAN_YEAR = 14
_WORD = re.compile(r"[^\W_]+")
_YEAR_FIRST = re.compile(r"^(?:l')?(an [^\W_]+)[\s,]+(?:le )?(?=[0-9]|[a-z])(.+)")


def read_republican_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text in the republican calendar names."""
    plain = _YEAR_FIRST.sub(r"\2 \1", anyascii(text).lower())
    is_marked = context.calendar == "republican" or re.search(r"\ban\b", plain)
    if not is_marked and not any(word in plain for word in _month_starts()):
        return None
    words = [word for word in _WORD.findall(plain) if word not in word_set("republican.filler")]
    months = [month for month in map(_months().get, words) if month]
    numbers = [read_number(word) for word in words if word not in _months()]
    if len(months) > 1 or not 1 <= len(numbers) <= 1 + len(months) or None in numbers:
        return None
    if len(numbers) <= len(months) and not is_marked:
        return None  # a day without a year
    year = numbers[-1] or 0
    day = numbers[0] if len(numbers) == 2 else 0
    return date_of(text, _read(year, months[0] if months else 0, day or 0))


def _read(year: int, month: int, day: int) -> list[Reading]:
    if not 1 <= year <= LAST_REPUBLICAN_YEAR:
        return []
    first, last = (month, month) if month else (1, REPUBLICAN_MONTHS)
    length = republican_month_length(year, last)
    precision: Precision = "month" if month else "year"
    start, end = 1, length
    if month and 1 <= day <= length:
        start, end, precision = day, day, "day"
    return [Reading(republican_day(year, first, start), republican_day(year, last, end), precision)]


@cache
def _months() -> dict[str, int]:
    rows = [
        row for row in read_table("normalize/calendar_months") if row["calendar"] == "republican"
    ]
    return {anyascii(word): int(row["month"]) for row in rows for word in row["words"].split()}


@cache
def _month_starts() -> tuple[str, ...]:
    return tuple(word for word in _months() if len(word) > 3)

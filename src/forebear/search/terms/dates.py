"""The terms of a date: the years, months and days it names, and the years it allows.

What is named answers "the same year", what is allowed answers "within n years".  An open
date (before, after) names nothing and allows ten years from its bound, because ten is the
widest rung anybody asks for.
"""

from collections.abc import Iterator
from datetime import date as calendar_date
from datetime import timedelta

from forebear.records.dates import Day, HistoricalDate

OPEN_YEARS = 10
MAX_SPAN_YEARS = 110  # a longer closed span says nothing about one life


def allowed_years(date: HistoricalDate) -> range:
    """Return every year the date allows."""
    first, last = date.first_year, date.last_year
    if first is None:
        return range(0) if last is None else range(last - OPEN_YEARS, last + 1)
    if last is None:
        return range(first, first + OPEN_YEARS + 1)
    if last - first > MAX_SPAN_YEARS:
        return range(0)
    if date.written_year is not None:
        first = min(first, date.written_year)
    return range(first, last + 1)


def named_values(date: HistoricalDate) -> Iterator[str]:
    """Yield what the date names, at each precision: 1851, 1851-03, 1851-03-12, --03-12."""
    if date.start is None or date.end is None:
        return
    if date.qualifier == "period":
        yield from (str(year) for year in allowed_years(date))
    elif date.qualifier in ("about", "calculated", "estimated"):
        yield str((date.start.year + date.end.year) // 2)
    elif date.start.year != date.end.year:
        decades = {year // 10 for year in allowed_years(date)}
        yield from (f"{decade}x" for decade in sorted(decades))
    else:
        for year in {date.start.year, date.written_year or date.start.year}:
            yield from _named_in_year(year, date.start, date.precision)


def _named_in_year(year: int, start: Day, precision: str) -> Iterator[str]:
    yield str(year)
    if precision in ("day", "month"):
        yield f"{year}-{start.month:02d}"
    if precision == "day":
        yield f"{year}-{start.month:02d}-{start.day:02d}"
        yield f"--{start.month:02d}-{start.day:02d}"


def days_after(start: Day, days: int) -> Iterator[Day]:
    """Yield a day and each of so many days after it."""
    first = calendar_date(*start)
    for offset in range(days + 1):
        day = first + timedelta(days=offset)
        yield Day(day.year, day.month, day.day)

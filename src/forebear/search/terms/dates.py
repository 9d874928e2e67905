"""The terms of a date: the years, months and days it names, and the years it allows.

What is named answers "the same year", what is allowed answers "within n years".  An open
date (before, after) names nothing and allows ten years from its bound, because ten is the
widest rung anybody asks for.
"""

from collections.abc import Iterator

from forebear.normalize.days import plus_days
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
    """Yield what the date names, at each precision: 1851, 1851-q1, 1851-03, 1851-03-12, --03-12."""
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
    day = str(start._replace(year=year))
    yield str(year)
    if precision == "quarter":
        yield f"{day[:-6]}-q{(start.month + 2) // 3}"
    if precision in ("day", "month"):
        yield day[:-3]
    if precision == "day":
        yield day
        yield f"-{day[-6:]}"


def days_after(start: Day, days: int) -> Iterator[Day]:
    """Return a day and each of so many days after it."""
    return (plus_days(start, offset) for offset in range(days + 1))

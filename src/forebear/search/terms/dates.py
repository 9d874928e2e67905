"""The terms of a date: the years, months and days it names, and the years it allows.

What is named answers "the same year", what is allowed answers "within n years".  An open
date (before, after) names nothing and allows ten years from its bound, because ten is the
widest rung anybody asks for.
"""

from collections.abc import Iterator
from functools import lru_cache

from forebear.records.record import Age, Day, HistoricalDate
from forebear.search.terms.fragments import CACHED_DATES, NOTHING, Fragment, fragment

OPEN_YEARS = 10
MAX_SPAN_YEARS = 110  # a longer closed span says nothing about one life


@lru_cache(maxsize=CACHED_DATES)
def date_terms(subject: str, date: HistoricalDate) -> Fragment:
    """Return what a date gives an event: what it names, and the years it allows."""
    named = fragment(f"{subject}.date", dict.fromkeys(named_values(date)))
    return named + fragment(f"{subject}.year", allowed_years(date))


@lru_cache(maxsize=CACHED_DATES)
def bounded_date_terms(
    subject: str, date: HistoricalDate, first: int | None, last: int | None
) -> Fragment:
    """Return what an open date gives an event that cannot lie outside these years."""
    years = allowed_years(date)
    inside = [y for y in years if (first is None or y >= first) and (last is None or y <= last)]
    return fragment(f"{subject}.year", inside or years)


def age_terms(age: Age, *, is_birth_stated: bool) -> Fragment:
    """Return what an age gives: the years it allows, and the birth where nothing states it."""
    first, last = (day and day.year for day in (age.born_from, age.born_to))
    return _birth_years(first, last, is_birth_stated)


@lru_cache(maxsize=CACHED_DATES)
def _birth_years(first: int | None, last: int | None, is_birth_stated: bool) -> Fragment:
    """Return what births of these years give; ages are many, but the years they allow are few."""
    if first is None and last is None:
        return NOTHING
    years = _years_between(first, last)
    found = fragment("birth.year.age", years)
    if is_birth_stated:
        return found
    # "Of full age" is open, and like every open date it names none.
    named = () if first is None or last is None else _named_years(years)
    return found + fragment("birth.year", years) + fragment("birth.date", named)


def allowed_years(date: HistoricalDate) -> range:
    """Return every year the date allows."""
    years = _years_between(date.first_year, date.last_year)
    if not years or date.written_year is None or date.start is None or date.end is None:
        return years
    return range(min(years.start, date.written_year), years.stop)


def _years_between(first: int | None, last: int | None) -> range:
    if first is None:
        return range(0) if last is None else range(last - OPEN_YEARS, last + 1)
    if last is None:
        return range(first, first + OPEN_YEARS + 1)
    if last - first > MAX_SPAN_YEARS:
        return range(0)
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
    day = str(Day(year, start.month, start.day))
    yield str(year)
    if precision == "quarter":
        yield f"{day[:-6]}-q{(start.month + 2) // 3}"
    if precision in ("day", "month"):
        yield day[:-3]
    if precision == "day":
        yield day
        yield f"-{day[-6:]}"


def _named_years(years: range) -> list[str]:
    """Return the years an age names: both of an exact age, the decades of a rounded one."""
    if len(years) <= 2:
        return [str(year) for year in years]
    return sorted({f"{year // 10}x" for year in years})

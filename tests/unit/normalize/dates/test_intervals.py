"""Tests for `forebear.normalize.dates.intervals`."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reading import days_of

from forebear.normalize.dates import DateContext, read_date
from forebear.normalize.dates.intervals import (
    census_day,
    day_of_number,
    from_julian,
    last_day,
    month_length,
    number_of_day,
    plus_days,
    plus_months,
    plus_years,
    to_julian,
)
from forebear.records.record import Day

days = st.builds(Day, st.integers(-5000, 5000), st.integers(1, 12), st.integers(1, 28))
amounts = st.integers(-40_000, 40_000)
numbers = st.integers(-500_000, 900_000)


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("25 Dec 1712", "calendar=julian", "1713-01-05 1713-01-05 day exact"),
        ("10 Oct 1582", "country=spain", "1582-10-01 1582-10-31 month exact"),
        ("5 Feb 1918", "country=russia", "1918-02-01 1918-02-28 month exact"),
        ("25 Dec 1879/6 Jan 1880", "", "1880-01-06 1880-01-06 day exact"),
        ("25 Dec/6 Jan 1880", "country=russia", "1880-01-06 1880-01-06 day exact"),
        ("11 Feb 1700", "country=us", "1700-02-11 1701-02-11 interval between"),
        ("1/2/1700", "country=england locale=uk", "1700-02-01 1701-02-01 interval between"),
    ],
)
def test_a_date_is_read_by_the_custom_of_its_country(
    text: str, context: str, expected: str
) -> None:
    assert days_of(text, context) == expected


@pytest.mark.parametrize(
    ("year", "country", "day"),
    [
        (1841, "united kingdom", Day(1841, 6, 6)),
        (1881, "united kingdom", Day(1881, 4, 3)),
        (1921, "united kingdom", Day(1921, 6, 19)),
        (1931, "united kingdom", None),
        (1880, "united kingdom", None),
        (1880, "united states", Day(1880, 6, 1)),
    ],
)
def test_a_census_was_taken_on_one_day_of_its_country(
    year: int, country: str, day: Day | None
) -> None:
    assert census_day(year, country) == day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1881", "1881-04-03 1881-04-03 day exact"),
        ("1931", "1931-01-01 1931-12-31 year exact"),
        ("3 Apr 1881", "1881-04-03 1881-04-03 day exact"),
        ("Apr 1881", "1881-04-01 1881-04-30 month exact"),
    ],
)
def test_in_a_census_a_year_is_the_day_of_the_count(text: str, expected: str) -> None:
    date = read_date(text, context=DateContext(collection="census", country="united kingdom"))

    assert f"{date.start} {date.end} {date.precision} {date.qualifier}" == expected


@given(st.dates(datetime.date(100, 1, 1), datetime.date(9000, 1, 1)), st.integers(-30_000, 30_000))
def test_days_are_counted_as_datetime_counts_them(date: datetime.date, count: int) -> None:
    expected = date + datetime.timedelta(days=count)

    later = plus_days(Day(date.year, date.month, date.day), count)

    assert later == Day(expected.year, expected.month, expected.day)


@given(days, amounts)
def test_going_days_forth_and_back_ends_where_it_began(day: Day, count: int) -> None:
    assert plus_days(plus_days(day, count), -count) == day


@given(days, st.integers(-6000, 6000))
def test_months_forth_and_back_end_where_they_began(day: Day, months: int) -> None:
    assert plus_months(plus_months(day, months), -months) == day


def test_a_day_the_month_lacks_becomes_its_last() -> None:
    assert plus_years(Day(1852, 2, 29), 1) == Day(1853, 2, 28)
    assert plus_months(Day(1881, 3, 31), -1) == Day(1881, 2, 28)


def test_leap_years_are_gregorian_before_christ_too() -> None:
    assert month_length(1900, 2) == 28
    assert month_length(0, 2) == month_length(-4, 2) == 29
    assert plus_days(Day(1, 1, 1), -1) == last_day(0)


@given(numbers)
def test_a_day_and_its_number_are_one(number: int) -> None:
    assert number_of_day(day_of_number(number)) == number


@given(numbers)
def test_a_julian_day_goes_there_and_back(number: int) -> None:
    day = day_of_number(number)

    assert from_julian(*to_julian(day)) == day


@pytest.mark.parametrize(
    ("julian", "gregorian"),
    [
        ((1582, 10, 5), "1582-10-15"),
        ((1752, 9, 3), "1752-09-14"),
        ((1917, 10, 25), "1917-11-07"),
        ((1, 1, 1), "0000-12-30"),
    ],
)
def test_julian_days_of_history(julian: tuple[int, int, int], gregorian: str) -> None:
    assert str(from_julian(*julian)) == gregorian

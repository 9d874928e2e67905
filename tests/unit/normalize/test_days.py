"""Tests for `forebear.normalize.days`."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.days import last_day, month_length, plus_days, plus_months, plus_years
from forebear.records.record import Day

days = st.builds(Day, st.integers(-5000, 5000), st.integers(1, 12), st.integers(1, 28))
amounts = st.integers(-40_000, 40_000)


@given(st.dates(datetime.date(100, 1, 1), datetime.date(9000, 1, 1)), st.integers(-30_000, 30_000))
def test_days_are_counted_as_datetime_counts_them(date: datetime.date, count: int) -> None:
    expected = date + datetime.timedelta(days=count)

    found = plus_days(Day(date.year, date.month, date.day), count)

    assert found == Day(expected.year, expected.month, expected.day)


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

"""Tests for `forebear.normalize.date_forms.calendars` and `computus`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.date_forms.calendars import (
    from_julian,
    hebrew_months,
    republican_day,
    to_julian,
)
from forebear.normalize.date_forms.computus import gregorian_easter, julian_easter
from forebear.normalize.days import day_of_number, number_of_day
from forebear.records.record import Day

numbers = st.integers(-500_000, 900_000)


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


def test_the_republic_began_on_the_autumn_equinox_and_ended_its_calendar_in_1805() -> None:
    assert republican_day(1, 1, 1) == Day(1792, 9, 22)
    assert republican_day(8, 2, 18) == Day(1799, 11, 9)  # 18 brumaire
    assert republican_day(14, 4, 10) == Day(1805, 12, 31)


@given(st.integers(5000, 5900))
def test_hebrew_years_follow_each_other_and_have_a_lawful_length(year: int) -> None:
    this, after = hebrew_months(year), hebrew_months(year + 1)
    length = after["tsh"].first_number - this["tsh"].first_number

    assert length in {353, 354, 355, 383, 384, 385}
    assert this["ell"].first_number + this["ell"].length == after["tsh"].first_number
    assert this["tsh"].first_number % 7 not in (0, 3, 5)  # never Sunday, Wednesday or Friday


def test_israel_was_declared_on_5_iyar_5708() -> None:
    assert day_of_number(hebrew_months(5708)["iyr"].first_number + 4) == Day(1948, 5, 14)


@given(st.integers(1583, 2199))
def test_easter_is_a_sunday_in_its_season(year: int) -> None:
    easter = gregorian_easter(year)

    assert number_of_day(easter) % 7 == 0
    assert Day(year, 3, 22) <= easter <= Day(year, 4, 25)
    assert number_of_day(from_julian(*julian_easter(year))) % 7 == 0


@pytest.mark.parametrize(
    ("year", "day"), [(1818, "1818-03-22"), (1943, "1943-04-25"), (2024, "2024-03-31")]
)
def test_easters_of_history(year: int, day: str) -> None:
    assert str(gregorian_easter(year)) == day

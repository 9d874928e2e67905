"""Tests for `forebear.normalize.dates.calendars`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reading import days_of

from forebear.normalize.dates.calendars import (
    gregorian_easter,
    hebrew_months,
    julian_easter,
    republican_day,
)
from forebear.normalize.dates.intervals import day_of_number, from_julian, number_of_day
from forebear.records.record import Day


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("4da 2mo 1698", "", "1698-04-04 1698-04-04 day exact"),
        ("12 3 1702", "calendar=quaker", "1702-05-12 1702-05-12 day exact"),
        ("10 12mo 1702/3", "", "1703-02-10 1703-02-10 day exact"),
        ("Third month 12th 1802", "", "1802-03-12 1802-03-12 day exact"),
        ("3rd mo. 12th, 1802", "", "1802-03-12 1802-03-12 day exact"),
    ],
)
def test_numbered_months_begin_with_march_until_1751(
    text: str, context: str, expected: str
) -> None:
    assert days_of(text, context) == expected


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("12 ventôse an 7", "", "1799-03-02 1799-03-02 day exact"),
        ("an VIII", "", "1799-09-23 1800-09-22 year exact"),
        ("floréal an 2", "", "1794-04-20 1794-05-19 month exact"),
        ("3e jour complémentaire an III", "", "1795-09-19 1795-09-19 day exact"),
        ("@#DFRENCH R@ VEND 3", "", "1794-09-22 1794-10-21 month exact"),
        ("@#DHEBREW@ 3 ADS 5660", "", "1900-03-04 1900-03-04 day exact"),
        ("Adar II 5660", "", "1900-03-02 1900-03-30 month exact"),
        ("5 Nisan 5661", "calendar=hebrew", "1901-03-25 1901-03-25 day exact"),
        ("ABT 50 BC", "", "-0051-01-01 -0047-12-31 year about"),
        ("18 brumaire an VIII (9 novembre 1799)", "", "1799-11-09 1799-11-09 day exact"),
        ("25 Dec 1712 Old Style", "", "1713-01-05 1713-01-05 day exact"),
    ],
)
def test_other_calendars_are_converted(text: str, context: str, expected: str) -> None:
    assert days_of(text, context) == expected


def test_a_calendar_that_cannot_be_converted_leaves_no_date() -> None:
    assert days_of("@#DROMAN@ 3 MAY 700") == "- - none phrase"


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

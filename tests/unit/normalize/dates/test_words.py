"""Tests for `forebear.normalize.dates.words`."""

import pytest
from tests.reading import days_of


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("early 1850s", "", "1850-01-01 1853-12-31 decade exact"),
        ("early 19th century", "", "1801-01-01 1833-12-31 century exact"),
        ("mid-19th century", "", "1834-01-01 1866-12-31 century exact"),
        ("nineteenth century", "", "1801-01-01 1900-12-31 century exact"),
        ("winter 1850/51", "", "1850-12-01 1851-02-28 season exact"),
        ("Sommer 1850", "", "1850-06-01 1850-08-31 season exact"),
    ],
)
def test_a_decade_century_or_season_names_its_years(text: str, context: str, expected: str) -> None:
    assert days_of(text, context) == expected


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("12/13 Mar 1850", "", "1850-03-12 1850-03-13 interval between"),
        ("Mar-Apr 1850", "", "1850-03-01 1850-04-30 interval between"),
        ("18[45]0", "", "1840-01-01 1850-12-31 interval between"),
        ("12 J__ 1850", "", "1850-01-12 1850-07-12 interval between"),
        ("_2 Mar 1850", "", "1850-03-02 1850-03-22 interval between"),
        ("12 Mar 1850?", "", "1848-03-12 1852-03-12 day about"),
        ("[12] Mar 1850", "", "1850-03-12 1850-03-12 day exact"),
        ("Mar 18__", "", "1800-03-01 1899-03-31 interval between"),
        ("12/3/1850", "", "1850-03-12 1850-12-03 interval between"),
        ("12/3/1850", "locale=de", "1850-03-12 1850-03-12 day exact"),
        ("02/30/1850", "", "1850-02-01 1850-02-28 month exact"),
    ],
)
def test_doubt_is_the_hull_of_the_readings(text: str, context: str, expected: str) -> None:
    assert days_of(text, context) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("die vicesimo quarto Maii 1688", "1688-05-24 1688-05-24 day exact"),
        ("twenty-first June 1776", "1776-06-21 1776-06-21 day exact"),
        ("3tio Maij 1688", "1688-05-03 1688-05-03 day exact"),
        ("le dix-huit brumaire an VIII", "1799-11-09 1799-11-09 day exact"),
        ("premier mars 1833", "1833-03-01 1833-03-01 day exact"),
        ("l'an sept, 3 nivôse", "1798-12-23 1798-12-23 day exact"),
    ],
)
def test_days_may_be_written_in_words_and_with_latin_endings(text: str, expected: str) -> None:
    assert days_of(text) == expected


def test_a_month_may_be_broken_off() -> None:
    assert days_of("4 Septemb 1688") == "1688-09-04 1688-09-04 day exact"
    assert days_of("Winter 1850") == "1850-12-01 1851-02-28 season exact"


def test_a_slash_between_two_years_that_follow_each_other_is_that_of_a_dual_year() -> None:
    assert days_of("1666/1667") == "1667-01-01 1667-12-31 year exact"
    assert days_of("1899/1900") == "1899-01-01 1900-12-31 interval between"
    assert days_of("1850/1855") == "1850-01-01 1855-12-31 interval period"

"""Tests for `forebear.normalize.dates.figures`."""

import pytest
from tests.reading import days_of


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("1850?", "", "1848-01-01 1852-12-31 year about"),
        ("1850-03~", "", "1848-03-01 1852-03-31 month about"),
        ("1850-XX", "", "1850-01-01 1850-12-31 year exact"),
        ("1850/..", "", "1850-01-01 - interval period"),
        ("[1850..]", "", "1850-01-01 - year after"),
        ("[1850,1852]", "", "1850-01-01 1852-12-31 interval between"),
        ("{1850-03..1850-05}", "", "1850-03-01 1850-05-31 interval period"),
        ("1850-23", "", "1850-09-01 1850-11-30 season exact"),
        ("1850~/1855", "", "1850-01-01 1855-12-31 interval period"),
        ("-0049/-0043", "", "-0049-01-01 -0043-12-31 interval period"),
        ("A+1836-04-03", "", "1834-04-03 1838-04-03 day about"),
        ("A/+1850", "", "- 1850-12-31 year before"),
        ("+1850-03-12T10:00:00Z", "", "1850-03-12 1850-03-12 day exact"),
    ],
)
def test_formal_dates_say_how_sure_they_are(text: str, context: str, expected: str) -> None:
    assert days_of(text, context) == expected


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("Q1 1850", "", "1850-01-01 1850-03-31 quarter exact"),
        ("JFM 1850", "", "1850-01-01 1850-03-31 quarter exact"),
        ("March quarter 1850", "", "1850-01-01 1850-03-31 quarter exact"),
        ("1850-Q4", "", "1850-10-01 1850-12-31 quarter exact"),
        ("quarter ending June 1850", "", "1850-04-01 1850-06-30 quarter exact"),
    ],
)
def test_a_quarter_is_three_months(text: str, context: str, expected: str) -> None:
    assert days_of(text, context) == expected


def test_an_unread_digit_of_a_day_leaves_the_days_it_may_be() -> None:
    assert days_of("1791-11-1X") == "1791-11-10 1791-11-19 interval between"


def test_points_between_figures_may_stand_apart() -> None:
    assert days_of("3 . 4 . 1833") == "1833-04-03 1833-04-03 day exact"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("am 12.3.1850", "1850-03-12 1850-03-12 day exact"),
        ("geboren am 12.3.1850", "1850-03-12 1850-03-12 day exact"),
        ("le 19/08/1890", "1890-08-19 1890-08-19 day exact"),
        ("in 18500312", "- - none phrase"),
    ],
)
def test_words_that_add_nothing_may_precede_figures(text: str, expected: str) -> None:
    assert days_of(text) == expected

"""Tests for `forebear.normalize.dates.feasts`."""

import pytest
from tests.reading import days_of


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("Lady Day 1700", "", "1700-03-25 1700-03-25 day exact"),
        ("Whit Sunday 1850", "", "1850-05-19 1850-05-19 day exact"),
        ("Dom. 2 Adventus 1780", "", "1780-12-10 1780-12-10 day exact"),
        ("2. Advent 1780", "", "1780-12-10 1780-12-10 day exact"),
        ("Dom. 2 post Epiph. 1760", "", "1760-01-20 1760-01-20 day exact"),
        ("3rd Sunday in Lent 1850", "", "1850-03-03 1850-03-03 day exact"),
        ("3. Sonntag nach Trinitatis 1760", "", "1760-06-22 1760-06-22 day exact"),
        ("Dominica Oculi 1700", "", "1700-03-14 1700-03-14 day exact"),
        ("Ascension Day 1850", "", "1850-05-09 1850-05-09 day exact"),
        ("Easter 1500", "", "1500-04-19 1500-04-19 day exact"),
        ("Feast of St Michael 1612", "", "1612-09-29 1612-09-29 day exact"),
    ],
)
def test_a_feast_is_a_day_of_its_year(text: str, context: str, expected: str) -> None:
    assert days_of(text, context) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Monday after Michaelmas 1612", "1612-10-01 1612-10-01 day exact"),
        ("Friday next before Easter 1850", "1850-03-29 1850-03-29 day exact"),
        ("Michaelmas Eve 1612", "1612-09-28 1612-09-28 day exact"),
        ("May Day 1688", "1688-05-01 1688-05-01 day exact"),
        ("Purification of the B.V.M. 1650", "1650-02-02 1650-02-02 day exact"),
    ],
)
def test_days_are_counted_from_a_feast(text: str, expected: str) -> None:
    assert days_of(text) == expected

"""Tests for `forebear.search.terms.values`: the date table of FIELDS.md, row by row."""

import pytest
from hypothesis import given

from forebear.normalize.dates import read_date
from forebear.records.record import Day, HistoricalDate
from forebear.search.terms.values import allowed_years, bounded_date_terms, named_values
from strategies import dates

DECADES = {f"18{decade}x" for decade in range(10)}


def closed(first: int, last: int) -> HistoricalDate:
    return HistoricalDate(
        text="", start=Day(first, 1, 1), end=Day(last, 12, 31), precision="interval"
    )


@pytest.mark.parametrize(
    ("text", "names", "first", "last"),
    [
        ("12 MAR 1851", {"1851", "1851-03", "1851-03-12", "--03-12"}, 1851, 1851),
        ("MAR 1851", {"1851", "1851-03"}, 1851, 1851),
        ("1851", {"1851"}, 1851, 1851),
        ("MAR Q 1851", {"1851", "1851-q1"}, 1851, 1851),
        ("DEC Q 1851", {"1851", "1851-q4"}, 1851, 1851),
        ("12 MAR 950", {"950", "0950-03", "0950-03-12", "--03-12"}, 950, 950),
        ("15 MAR 44 BC", {"-43", "-0043-03", "-0043-03-15", "--03-15"}, -43, -43),
        (
            "11 FEB 1731/32",
            {"1731", "1731-02", "1731-02-11", "1732", "1732-02", "1732-02-11", "--02-11"},
            1731,
            1732,
        ),
        ("ABT 1850", {"1850"}, 1848, 1852),
        ("CAL 1850", {"1850"}, 1849, 1851),
        ("EST 1850", {"1850"}, 1845, 1855),
        ("ABT 12 MAR 1850", {"1850"}, 1848, 1852),
        ("BET 1850 AND 1855", {"185x"}, 1850, 1855),
        ("BET 1848 AND 1862", {"184x", "185x", "186x"}, 1848, 1862),
        ("185X", {"185x"}, 1850, 1859),
        ("BET JAN 1851 AND MAR 1851", {"1851"}, 1851, 1851),
        ("FROM 1850 TO 1862", {str(year) for year in range(1850, 1863)}, 1850, 1862),
        ("BEF 1850", set(), 1840, 1850),
        ("AFT 1850", set(), 1850, 1860),
        ("BEF 12 MAR 1850", set(), 1840, 1850),
    ],
)
def test_a_date_names_what_it_says_and_allows_what_it_may_mean(
    text: str, names: set[str], first: int, last: int
) -> None:
    date = read_date(text)

    assert set(named_values(date)) == names
    assert list(allowed_years(date)) == list(range(first, last + 1))


def test_a_century_names_its_decades() -> None:
    assert set(named_values(closed(1801, 1899))) == DECADES
    assert list(allowed_years(closed(1801, 1900))) == list(range(1801, 1901))


def test_a_span_longer_than_a_life_says_nothing() -> None:
    assert len(allowed_years(closed(1740, 1850))) == 111
    assert not allowed_years(closed(1739, 1850))
    assert not set(named_values(closed(1739, 1850)))


def test_a_date_that_was_not_understood_says_nothing() -> None:
    date = read_date("in the year of the flood")

    assert not allowed_years(date)
    assert not set(named_values(date))


@given(dates())
def test_every_year_named_is_allowed(date: HistoricalDate) -> None:
    years = {int(value) for value in named_values(date) if value.isdigit()}

    assert years <= set(allowed_years(date))


def test_an_open_date_is_cut_to_what_its_surroundings_allow() -> None:
    before = read_date("bef 1850")

    def years(first: int | None, last: int | None) -> set[str]:
        terms = bounded_date_terms("death", before, first, last)
        return {term.partition("=")[2] for term in terms if term.startswith("death.year=")}

    assert years(None, None) == {str(year) for year in range(1840, 1851)}
    assert years(1848, None) == {"1848", "1849", "1850"}
    assert years(None, 1841) == {"1840", "1841"}
    assert years(1900, None) == years(None, None)  # a contradiction is no bound

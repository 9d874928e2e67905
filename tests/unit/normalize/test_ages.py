"""Tests for `forebear.normalize.ages`."""

import csv
import datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.normalize.dates.intervals import plus_days
from forebear.records.record import Age, Day, HistoricalDate

CENSUS_1881 = read_date("3 Apr 1881")
age_texts = st.text(max_size=20) | st.lists(
    st.sampled_from(
        [
            "1",
            "9",
            "21",
            "70",
            "1/2",
            "9/12",
            "y",
            "m",
            "w",
            "d",
            "years",
            "mo",
            "and",
            "or",
            "-",
            "about",
            "?",
            "over",
            "under",
            "infant",
            "2_",
        ]
    ),
    max_size=5,
).map(" ".join)
event_dates = st.sampled_from(["12 Mar 1850", "1850", "29 Feb 1852", "bef 1700", "6 Jun 1841", "?"])


def born(text: str, on: str, source: str = "burial") -> tuple[str, str]:
    age = read_age(text, at=read_date(on), source=source)
    return str(age.born_from or ""), str(age.born_to or "")


@pytest.mark.parametrize("text", ["23", "23 y", "23 years", "23 yrs", "23y", "Aged 23", "23 YEARS"])
def test_a_completed_age_allows_one_year_of_births(text: str) -> None:
    assert born(text, "3 Apr 1881", "census") == ("1857-04-04", "1858-04-03")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("4 m", "1849-10-13", "1849-11-12"),
        ("16 months", "1848-10-13", "1848-11-12"),
        ("5 mo.", "1849-09-13", "1849-10-12"),
        ("4 momths", "1849-10-13", "1849-11-12"),
        ("2 w", "1850-02-20", "1850-02-26"),
        ("23 weks", "1849-09-26", "1849-10-02"),
        ("6 weeks 5 days", "1850-01-24", "1850-01-24"),
        ("5 d", "1850-03-07", "1850-03-07"),
        ("20 hours", "1850-03-11", "1850-03-12"),
        ("30 mins", "1850-03-11", "1850-03-12"),
        ("1y9m", "1848-05-13", "1848-06-12"),
        ("1 year & 8 mo", "1848-06-13", "1848-07-12"),
        ("2 yr + 3 mo", "1847-11-13", "1847-12-12"),
        ("1 ur 10 mo", "1848-04-13", "1848-05-12"),
        ("1 yr 14 d", "1849-02-26", "1849-02-26"),
        ("2 1/2 years", "1847-08-13", "1847-09-12"),
        ("2  1/4", "1847-11-13", "1847-12-12"),
        ("1 1/2years", "1848-08-13", "1848-09-12"),
        ("2 1/2 m", "1849-12-13", "1850-01-12"),
        ("Infant", "1849-03-13", "1850-03-12"),
        ("7 ?", "1840-03-13", "1845-03-12"),
        ("40? yrs", "1807-03-13", "1812-03-12"),
        ("2*", "1820-03-13", "1830-03-12"),
    ],
)
def test_the_forms_of_the_burial_registers_are_understood(text: str, start: str, end: str) -> None:
    assert born(text, "12 Mar 1850") == (start, end)


@pytest.mark.parametrize("text", ["21", "of full age", "full age", "of age"])
def test_of_full_age_at_a_marriage_is_21_or_more(text: str) -> None:
    assert born(text, "5 Oct 1850", "marriage") == ("", "1829-10-05")


def test_21_is_full_age_at_a_marriage_only() -> None:
    assert born("21", "3 Apr 1881", "census") == ("1859-04-04", "1860-04-03")


@pytest.mark.parametrize("text", ["Minor", "minor", "under age"])
def test_a_minor_is_under_21(text: str) -> None:
    assert born(text, "5 Oct 1850", "marriage") == ("1829-10-06", "1850-10-05")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("15 y", "1821-06-07", "1826-06-06"),
        ("65 y", "1771-06-07", "1776-06-06"),
        ("10 y", "1830-06-07", "1831-06-06"),
        ("23 y", "1817-06-07", "1818-06-06"),
        ("9 m", "1840-08-07", "1840-09-06"),
    ],
)
def test_adults_of_the_census_of_1841_were_rounded_down(text: str, start: str, end: str) -> None:
    assert born(text, "6 Jun 1841", "census") == (start, end)


def test_only_the_census_rounds_and_only_in_1841() -> None:
    assert born("65", "6 Jun 1841", "burial") == ("1775-06-07", "1776-06-06")
    assert born("65", "30 Mar 1851", "census") == ("1785-03-31", "1786-03-30")


def test_an_event_known_by_its_year_allows_the_births_of_every_day_in_it() -> None:
    assert born("23", "1850", "death") == ("1826-01-02", "1827-12-31")


def test_an_event_with_one_end_bounds_the_birth_on_that_side() -> None:
    assert born("23", "bef 1850") == ("", "1827-12-31")


@pytest.mark.parametrize("at", [None, HistoricalDate(text="?", qualifier="phrase")])
def test_without_a_date_an_age_is_only_its_text(at: HistoricalDate | None) -> None:
    assert read_age("23", at=at, source="census") == Age(text="23")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "?",
        "unknown",
        "I16",
        "under 0",
        "40 days and under 1 month",
        "13 ,pmtjs",
        "aged",
        "5 5",
        "1000",
    ],
)
def test_an_age_that_is_not_understood_is_only_its_text(text: str) -> None:
    assert read_age(text, at=CENSUS_1881, source="burial") == Age(text=text)


def test_a_child_was_born_by_its_baptism() -> None:
    assert read_age("", at=CENSUS_1881, source="baptism") == Age(text="", born_to=Day(1881, 4, 3))


@given(age_texts, event_dates, st.sampled_from(["census", "marriage", "burial", "baptism", ""]))
def test_any_text_is_kept_and_births_are_in_order_and_not_after_the_event(
    text: str, on: str, source: str
) -> None:
    at = read_date(on)

    age = read_age(text, at=at, source=source)

    assert age.text == text
    assert age.born_from is None or age.born_to is None or age.born_from <= age.born_to
    assert age.born_to is None or at.end is None or age.born_to <= at.end


def completed_years(birth: Day, event: datetime.date) -> int:
    had_birthday = (birth.month, birth.day) <= (event.month, event.day)
    return event.year - birth.year - (0 if had_birthday else 1)


@given(st.integers(0, 110), st.dates(datetime.date(1000, 1, 1), datetime.date(2199, 12, 31)))
@example(0, datetime.date(2001, 2, 28))
@example(24, datetime.date(1852, 2, 29))
def test_those_born_in_the_interval_have_that_age_and_nobody_else(
    years: int, event: datetime.date
) -> None:
    age = read_age(str(years), at=read_date(f"{event:%Y-%m-%d}"))

    assert age.born_from is not None
    assert age.born_to is not None
    assert completed_years(age.born_from, event) == years
    assert completed_years(age.born_to, event) == years
    assert completed_years(plus_days(age.born_from, -1), event) == years + 1
    assert completed_years(plus_days(age.born_to, 1), event) == years - 1


@pytest.mark.shared
def test_golden_ages_are_right(shared_data: Path) -> None:
    with (shared_data / "golden" / "ages.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    wrong = [
        row
        for row in rows
        if born(row["text"], row["event_date"], row["source"])
        != (row["birth_start"], row["birth_end"])
    ]

    assert rows
    assert wrong == []


@pytest.mark.shared
def test_every_age_of_the_registers_is_understood_but_three(shared_data: Path) -> None:
    columns = {"marriages": ("groom_age", "bride_age"), "burials": ("age",)}
    not_understood = []
    for name, ages in columns.items():
        path = shared_data / "records" / "freereg" / f"freereg_{name}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                texts = [row[age] for age in ages if row[age].strip()]
                not_understood += [t for t in texts if not read_age(t, at=CENSUS_1881).born_to]

    assert sorted(not_understood) == ["13 ,pmtjs", "?", "I16"]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("4 Jahre und 7 Monate", "1845-07-13", "1845-08-12"),
        ("âgé de 4 ans et 7 mois", "1845-07-13", "1845-08-12"),
        ("trois semaines", "1850-02-13", "1850-02-19"),
        ("ein Jahr", "1848-03-13", "1849-03-12"),
        ("giorni 5", "1850-03-07", "1850-03-07"),
        ("oud 52 jaar", "1797-03-13", "1798-03-12"),
        ("plus de 60 ans", "", "1790-03-12"),
        ("unter 14", "1836-03-13", "1850-03-12"),
        ("30 oder 31", "1818-03-13", "1820-03-12"),
        ("half a year", "1849-08-13", "1849-09-12"),
        ("3 years, 1 month, and 2 days", "1847-02-10", "1847-02-10"),
        ("under the age of 5", "1845-03-13", "1850-03-12"),
        ("a young child", "1837-03-13", "1850-03-12"),
        ("totgeboren", "1850-03-12", "1850-03-12"),
        ("enfant", "1837-03-13", "1850-03-12"),
        ("lat 52 mający", "1797-03-13", "1798-03-12"),
        ("52 y.o.", "1797-03-13", "1798-03-12"),
    ],
)
def test_ages_are_understood_in_other_languages(text: str, start: str, end: str) -> None:
    assert born(text, "12 Mar 1850") == (start, end)


@pytest.mark.parametrize("text", ["about 52", "c52", "~52", "52 or thereabouts", "52 circa"])
def test_doubt_may_stand_before_or_after_an_age(text: str) -> None:
    assert born(text, "12 Mar 1850") == ("1795-03-13", "1800-03-12")


@pytest.mark.parametrize(
    "text",
    [
        "45th year",
        "w 45 roku życia",
        "45d year of his age",
        "in his 45th yr.",
        "dans sa 45e année",
        "im 45sten Jahr",
        "45 yrs next birthday",
    ],
)
def test_the_nth_year_is_not_completed(text: str) -> None:
    assert born(text, "12 Mar 1850") == ("1805-03-13", "1806-03-12")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("three score and ten", 70),
        ("fourscore", 80),
        ("a hundred and two years", 102),
        ("one hundred", 100),
        ("dreiundzwanzig Jahre", 23),
        ("trent'anni", 30),
        ('"23"', 23),
        ("[23]", 23),
        ("23 [sic]", 23),
        ("19, a minor", 19),
        ("23ʸ", 23),
        ("a 52-year-old", 52),
        ("agd 52", 52),
    ],
)
def test_an_age_may_be_counted_in_words_and_stand_among_signs(text: str, years: int) -> None:
    assert born(text, "12 Mar 1850") == born(str(years), "12 Mar 1850")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("anni 3 mesi 1 giorni 2", "1847-02-10", "1847-02-10"),
        ("circa anni 52", "1795-03-13", "1800-03-12"),
        ("from 30 to 31", "1818-03-13", "1820-03-12"),
        ("21 years of age and upwards", "", "1829-03-12"),
        ("100 and upwards", "", "1750-03-12"),
        ("2_ yrs", "1820-03-13", "1830-03-12"),
        ("2-6/12", "1847-08-13", "1847-09-12"),
    ],
)
def test_units_and_ranges_may_stand_elsewhere(text: str, start: str, end: str) -> None:
    assert born(text, "12 Mar 1850") == (start, end)

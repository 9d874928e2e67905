"""Tests for `forebear.normalize.dates.parser`, through `read_date`."""

import csv
import datetime
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.reading import days_of

from forebear.normalize.dates import NO_CONTEXT, read_date
from forebear.normalize.dates.parser import parse_date
from forebear.records.record import Day, HistoricalDate

date_words = st.sampled_from(
    [
        "12",
        "3",
        "00",
        "29",
        "31",
        "2[39]",
        "Mar",
        "Feb",
        "Ma_",
        "1850",
        "1731/32",
        "18__",
        "1850s",
        "[1850]",
        "1850-03",
        "?",
        "*",
        "-",
        "/",
        "<",
        "c.",
        "abt",
        "bef",
        "bet",
        "and",
        "or",
        "to",
    ]
)
date_texts = st.text(max_size=40) | st.lists(date_words, max_size=6).map(" ".join)

modern_days = st.dates(datetime.date(1000, 1, 1), datetime.date(2199, 12, 31))


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("29 Jul 1726", "1726-07-29", "1726-07-29", "day"),
        ("21 JUL 1735", "1735-07-21", "1735-07-21", "day"),
        (" 9 May 1890", "1890-05-09", "1890-05-09", "day"),
        ("26 Jun  1904", "1904-06-26", "1904-06-26", "day"),
        ("Jul 1726", "1726-07-01", "1726-07-31", "month"),
        ("1726", "1726-01-01", "1726-12-31", "year"),
        ("* Jul 1726", "1726-07-01", "1726-07-31", "month"),
        (" * 1726", "1726-01-01", "1726-12-31", "year"),
        ("12 * 1726", "1726-01-01", "1726-12-31", "year"),
        ("* \t*  1862", "1862-01-01", "1862-12-31", "year"),
        ("12 Mar 1851", "1851-03-12", "1851-03-12", "day"),
        ("12th March 1851", "1851-03-12", "1851-03-12", "day"),
        ("March 12, 1851", "1851-03-12", "1851-03-12", "day"),
        ("the 12th day of March 1851", "1851-03-12", "1851-03-12", "day"),
        ("12-Mar-1851", "1851-03-12", "1851-03-12", "day"),
        ("1851-03-12", "1851-03-12", "1851-03-12", "day"),
        ("1851-03", "1851-03-01", "1851-03-31", "month"),
        ("12.3.1851", "1851-03-12", "1851-03-12", "day"),
        ("19/08/1890", "1890-08-19", "1890-08-19", "day"),
        ("1850s", "1850-01-01", "1859-12-31", "decade"),
        ("1800s", "1800-01-01", "1899-12-31", "century"),
        ("185_", "1850-01-01", "1859-12-31", "decade"),
        ("18__", "1800-01-01", "1899-12-31", "century"),
        ("31 April 1850", "1850-04-01", "1850-04-30", "month"),
        ("29 Feb 1833", "1833-02-01", "1833-02-28", "month"),
        ("Bapt 18 Dec 1690", "1690-12-18", "1690-12-18", "day"),
        ("3 7ber 1702", "1702-09-03", "1702-09-03", "day"),
    ],
)
def test_a_plain_date_names_its_days(text: str, start: str, end: str, precision: str) -> None:
    assert days_of(text) == f"{start} {end} {precision} exact"


@pytest.mark.parametrize(
    ("text", "start", "year"),
    [
        ("11 Feb 1732/3", "1733-02-11", 1732),
        ("4 Mar 1699/00", "1700-03-04", 1699),
        ("3 Jan 1732/1733", "1733-01-03", 1732),
        ("Jul 1726/7", "1727-07-01", 1726),
        (" * 1704/05", "1705-01-01", 1704),
        ("1750/51", "1751-01-01", 1750),
    ],
)
def test_a_dual_year_is_the_later_and_keeps_the_one_written(
    text: str, start: str, year: int
) -> None:
    date = read_date(text)

    assert str(date.start) == start
    assert date.end is not None
    assert date.end.year == date.first_year
    assert date.qualifier == "exact"
    assert date.written_year == year


def test_after_the_change_of_style_a_slash_is_doubt() -> None:
    assert days_of("18 Mar 1751/52") == "1751-03-18 1752-03-18 interval between"
    assert read_date("18 Mar 1751/52").written_year is None


@pytest.mark.parametrize(
    ("text", "start", "end", "precision", "qualifier"),
    [
        ("ABT 1850", "1848-01-01", "1852-12-31", "year", "about"),
        ("abt. Feb 1850", "1848-02-01", "1852-02-29", "month", "about"),
        ("Circa 29 Feb 1852", "1850-02-28", "1854-02-28", "day", "about"),
        ("c1850", "1848-01-01", "1852-12-31", "year", "about"),
        ("ca 1850", "1848-01-01", "1852-12-31", "year", "about"),
        ("1850?", "1848-01-01", "1852-12-31", "year", "about"),
        ("c. 1850s", "1848-01-01", "1861-12-31", "decade", "about"),
        ("CAL 1823", "1822-01-01", "1824-12-31", "year", "calculated"),
        ("est 1790", "1785-01-01", "1795-12-31", "year", "estimated"),
        ("BEF 12 MAR 1850", "", "1850-03-12", "day", "before"),
        ("before 1850", "", "1850-12-31", "year", "before"),
        ("Aft. Mar 1850", "1850-03-01", "", "month", "after"),
        ("EST AFT 1731", "1731-01-01", "", "year", "after"),
        ("BET 1850 AND 1855", "1850-01-01", "1855-12-31", "interval", "between"),
        ("between 1855 and 1850", "1850-01-01", "1855-12-31", "interval", "between"),
        ("between 3 and 4 Jan 2001", "2001-01-03", "2001-01-04", "interval", "between"),
        ("1850-1855", "1850-01-01", "1855-12-31", "interval", "between"),
        ("1850 – 1855", "1850-01-01", "1855-12-31", "interval", "between"),
        ("30 Dec 1850 - 2 Jan 1851", "1850-12-30", "1851-01-02", "interval", "between"),
        ("March or April 1850", "1850-03-01", "1850-04-30", "interval", "between"),
        ("FROM 1850 TO 1860", "1850-01-01", "1860-12-31", "interval", "period"),
        ("TO 1860", "", "1860-12-31", "interval", "period"),
        ("from 3 May 1812", "1812-05-03", "", "interval", "period"),
        ("INT 1850 (about)", "1850-01-01", "1850-12-31", "year", "phrase"),
        ("18 Dec 18__", "1800-12-18", "1899-12-18", "interval", "between"),
        ("18 Dec 185_", "1850-12-18", "1859-12-18", "interval", "between"),
        ("12 Ma_ 1850", "1850-03-12", "1850-05-12", "interval", "between"),
        ("4/5/1811", "1811-04-05", "1811-05-04", "interval", "between"),
    ],
)
def test_a_qualified_date_allows_what_its_words_say(
    text: str, start: str, end: str, precision: str, qualifier: str
) -> None:
    assert days_of(text) == f"{start or '-'} {end or '-'} {precision} {qualifier}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "9 Jul *",
        "not known",
        "12 Mar",
        "Tuesday",
        "18500",
        "5600",
        "99__",
        "9990s",
        "0000-00-00",
        "99/99/9999",
        "page 12",
        "aged 23",
        "between a and b",
        "____",
        "12 3 50",
        "x" * 200,
        "15 Shevat",
        "13 floréal",
        "Michaelmas",
        "@#DUNKNOWN@ 12 MAR 1850",
    ],
)
def test_text_that_is_no_date_is_a_phrase(text: str) -> None:
    assert read_date(text) == HistoricalDate(text=text, qualifier="phrase", precision="none")


@given(date_texts)
@example("bet 2[39] and 31 Feb 1850")
@example("٣ Mar ١٨٥٠")
def test_any_text_is_kept_and_its_ends_are_in_order(text: str) -> None:
    date = read_date(text)

    assert date.text == text
    assert date.start is None or date.end is None or date.start <= date.end
    assert date.is_known == (date.precision != "none")


@given(modern_days, st.sampled_from(["%d %b %Y", "%B %d, %Y", "%Y-%m-%d", "%d.%m.%Y", "%d %B %Y"]))
def test_a_day_written_in_any_way_is_that_day(date: datetime.date, form: str) -> None:
    day = Day(date.year, date.month, date.day)

    parsed = read_date(date.strftime(form))

    assert (parsed.start, parsed.end, parsed.precision) == (day, day, "day")


@pytest.mark.shared
def test_every_date_of_the_registers_is_understood_but_those_without_a_year(
    shared_data: Path,
) -> None:
    columns = {
        "baptisms": ("birth_date", "baptism_date"),
        "marriages": ("marriage_date",),
        "burials": ("burial_date",),
    }
    phrases: set[str] = set()
    for name, dates in columns.items():
        path = shared_data / "records" / "freereg" / f"freereg_{name}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                phrases |= {row[date] for date in dates if not read_date(row[date]).is_known}

    assert {phrase for phrase in phrases if phrase.strip()} == {"2 Sep *"}


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("tussen 1850 en 1855", "", "1850-01-01 1855-12-31 interval between"),
        ("nicht nach 1850", "", "- 1850-12-31 year before"),
        ("12 grudnia 1850 r.", "", "1850-12-12 1850-12-12 day exact"),
        ("1850. március 12.", "", "1850-03-12 1850-03-12 day exact"),
        ("12Mar1850", "", "1850-03-12 1850-03-12 day exact"),
        ("3 Geo. III", "", "1762-10-25 1763-10-24 year exact"),
        ("MDCCL", "", "1750-01-01 1750-12-31 year exact"),
        ("INT 12 MAR 1850 (from age)", "", "1850-03-12 1850-03-12 day phrase"),
        ("1850 to 1860", "", "1850-01-01 1860-12-31 interval period"),
        ("1850 circa", "", "1848-01-01 1852-12-31 year about"),
    ],
)
def test_words_of_many_languages_are_understood(text: str, context: str, expected: str) -> None:
    assert days_of(text, context) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("van 1763 tot 1770", "1763-01-01 1770-12-31 interval period"),
        ("od 1763 do 1770", "1763-01-01 1770-12-31 interval period"),
        ("między 1763 a 1764", "1763-01-01 1764-12-31 interval between"),
        ("post-1763", "1763-01-01 - year after"),
        ("1850 or 51", "1850-01-01 1851-12-31 interval between"),
        ("1733 of 1735", "1733-01-01 1735-12-31 interval between"),
        ("31 Dec 1733/1 Jan 1734", "1733-12-31 1734-01-01 interval between"),
        ("May 3-9, 1733", "1733-05-03 1733-05-09 interval between"),
        ("XVIIe siècle", "1601-01-01 1700-12-31 century exact"),
        ("died: 7 Aug 1733", "1733-08-07 1733-08-07 day exact"),
        ("[c. 1850]", "1848-01-01 1852-12-31 year about"),
    ],
)
def test_two_ends_and_bounds_have_words_in_every_language(text: str, expected: str) -> None:
    assert days_of(text) == expected


def test_a_month_in_front_of_a_whole_date_is_an_event() -> None:
    assert days_of("mar. 5 Oct 1699") == "1699-10-05 1699-10-05 day exact"
    assert days_of("Mar. 5 1699") == "1699-03-05 1699-03-05 day exact"


def test_a_stands_for_on_before_a_day_and_for_to_between_two_dates() -> None:
    assert days_of("a 3 de noviembre de 1811") == "1811-11-03 1811-11-03 day exact"
    assert days_of("dal 1763 a 1770") == "1763-01-01 1770-12-31 interval period"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 (24) Nov 1885", "1885-11-24 1885-11-24 day exact"),
        ("19 Jan. 1701-2", "1702-01-19 1702-01-19 day exact"),
        ("3 8.bre 1799", "1799-10-03 1799-10-03 day exact"),
        ("3-go maja 1799", "1799-05-03 1799-05-03 day exact"),
        ("3ʳᵈ May 1799", "1799-05-03 1799-05-03 day exact"),
        ("am dreiundzwanzigsten Mai 1799", "1799-05-23 1799-05-23 day exact"),
        ("ultimo die Februarii 1696", "1696-02-29 1696-02-29 day exact"),
        ("-- May 1799", "1799-05-01 1799-05-31 month exact"),
        ("[1799 ?]", "1797-01-01 1801-12-31 year about"),
        ("bapt. & bur. 3 May 1699", "1699-05-03 1699-05-03 day exact"),
        ("married by licence 3 May 1799", "1799-05-03 1799-05-03 day exact"),
        ("First day, 4th of Third month 1810", "1810-03-04 1810-03-04 day exact"),
        ("18th day, 10th month, 1745", "1745-12-18 1745-12-18 day exact"),
        ("??/09/1802", "1802-09-01 1802-09-30 month exact"),
        ("b.1802", "1802-01-01 1802-12-31 year exact"),
        ("?1802", "1800-01-01 1804-12-31 year about"),
        ("xxiiijth of Maye 1599", "1599-05-24 1599-05-24 day exact"),
        ("Sunday after Easter 1866", "1866-04-08 1866-04-08 day exact"),
        ("années 1840", "1840-01-01 1849-12-31 decade exact"),
    ],
)
def test_what_clerks_wrote_around_a_date_does_not_hide_it(text: str, expected: str) -> None:
    assert days_of(text) == expected


def test_every_number_of_four_figures_is_read_as_the_parser_reads_it() -> None:
    texts = [f"{number:04}" for number in range(10_000)]

    assert list(map(read_date, texts)) == [parse_date(text, NO_CONTEXT) for text in texts]


def test_a_year_loads_no_parser() -> None:
    code = (
        "import sys; from forebear.normalize.dates import read_date;"
        "read_date('1851'); print('forebear.normalize.dates.parser' in sys.modules);"
        "read_date('abt 1851'); print('forebear.normalize.dates.parser' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("850", "0850-01-01 0850-12-31 year exact"),
        ("0850", "0850-01-01 0850-12-31 year exact"),
        ("ABT 987", "0985-01-01 0989-12-31 year about"),
        ("BEF 999", "- 0999-12-31 year before"),
        ("TO 907", "- 0907-12-31 interval period"),
        ("FROM 850", "0850-01-01 - interval period"),
        ("12 MAR 0907", "0907-03-12 0907-03-12 day exact"),
        ("12 MAR 907", "0907-03-12 0907-03-12 day exact"),
        ("12 FEB 907/08", "0908-02-12 0908-02-12 day exact"),
        ("BET 850 AND 900", "0850-01-01 0900-12-31 interval between"),
        ("BET 950 AND 1050", "0950-01-01 1050-12-31 interval between"),
        ("FROM 901 TO 955", "0901-01-01 0955-12-31 interval period"),
        ("INT 850 (about)", "0850-01-01 0850-12-31 year phrase"),
        ("@#DJULIAN@ 987", "0987-01-06 0988-01-05 year exact"),
        ("850 BCE", "-0849-01-01 -0849-12-31 year exact"),
        ("@#DFRENCH R@ 12 VEND 3", "1794-10-03 1794-10-03 day exact"),
        ("BET 3 AND 4 JAN 2001", "2001-01-03 2001-01-04 interval between"),
    ],
)
@pytest.mark.parametrize("version", ["gedcom", "gedcom7"])
def test_a_year_of_three_figures_is_one_in_gedcom(text: str, expected: str, version: str) -> None:
    assert days_of(text, f"collection={version}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("95", "0095-01-01 0095-12-31 year exact"),
        ("ABT 7", "0005-01-01 0009-12-31 year about"),
        ("12 MAR 95", "0095-03-12 0095-03-12 day exact"),
    ],
)
def test_only_gedcom_7_has_years_of_fewer_figures(text: str, expected: str) -> None:
    assert days_of(text, "collection=gedcom7") == expected
    assert days_of(text, "collection=gedcom") == days_of(text) == "- - none phrase"


def test_a_number_of_three_figures_is_no_year_elsewhere() -> None:
    assert days_of("850") == days_of("abt 987") == "- - none phrase"

"""Tests for the forms of dates in `forebear.normalize.date_forms`, through `parse_date`."""

import pytest

from forebear.normalize.dates import parse_date


def written(text: str, context: str = "") -> str:
    date = parse_date(text, **dict(fact.split("=") for fact in context.split()))
    return f"{date.start or '-'} {date.end or '-'} {date.precision} {date.qualifier}"


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text, context) == expected


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
    assert written(text) == expected


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
    assert written(text) == expected


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
    assert written(text) == expected


def test_an_unread_digit_of_a_day_leaves_the_days_it_may_be() -> None:
    assert written("1791-11-1X") == "1791-11-10 1791-11-19 interval between"


def test_a_month_may_be_broken_off() -> None:
    assert written("4 Septemb 1688") == "1688-09-04 1688-09-04 day exact"
    assert written("Winter 1850") == "1850-12-01 1851-02-28 season exact"


def test_a_month_in_front_of_a_whole_date_is_an_event() -> None:
    assert written("mar. 5 Oct 1699") == "1699-10-05 1699-10-05 day exact"
    assert written("Mar. 5 1699") == "1699-03-05 1699-03-05 day exact"


def test_a_stands_for_on_before_a_day_and_for_to_between_two_dates() -> None:
    assert written("a 3 de noviembre de 1811") == "1811-11-03 1811-11-03 day exact"
    assert written("dal 1763 a 1770") == "1763-01-01 1770-12-31 interval period"


def test_a_calendar_that_cannot_be_converted_leaves_no_date() -> None:
    assert written("@#DROMAN@ 3 MAY 700") == "- - none phrase"


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
    assert written(text) == expected


def test_a_slash_between_two_years_that_follow_each_other_is_that_of_a_dual_year() -> None:
    assert written("1666/1667") == "1667-01-01 1667-12-31 year exact"
    assert written("1899/1900") == "1899-01-01 1900-12-31 interval between"
    assert written("1850/1855") == "1850-01-01 1855-12-31 interval period"


def test_points_between_figures_may_stand_apart() -> None:
    assert written("3 . 4 . 1833") == "1833-04-03 1833-04-03 day exact"

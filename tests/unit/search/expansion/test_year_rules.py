"""Tests for `forebear.search.expansion.year_rules`: year ranges, and rules 5 to 9 and 12."""

from typing import Any

import pytest
from hypothesis import given

from forebear.normalize.dates import read_date
from forebear.records.record import HistoricalDate
from forebear.search.expansion.year_rules import (
    OPEN_SIDE_YEARS,
    YearRange,
    birth_from_age,
    inferred_birth,
    inferred_death,
    inferred_marriage,
    joined,
    last_sign_of_life,
    lifetime,
    quarters_of,
    tail_years,
    window_years,
    year_range_of,
)
from forebear.search.query.person_query import KnownAge
from strategies import dates

NOTHING: dict[str, Any] = {
    "sex": "m",
    "baptisms": (),
    "marriages": (),
    "children": (),
    "parents_marriages": (),
    "siblings": (),
    "spouses": (),
}


def years(text: str) -> YearRange:
    span = year_range_of(read_date(text))
    assert span is not None
    return span


@pytest.mark.parametrize(
    ("text", "named", "within1"),
    [
        ("1851", [1851], range(1850, 1853)),
        ("12 Mar 1851", [1851], range(1850, 1853)),
        ("abt 1850", [1850], range(1847, 1854)),
        ("cal 1850", [1850], range(1848, 1853)),
        ("est 1850", [1850], range(1844, 1857)),
        ("bet 1850 and 1853", [1850, 1851, 1852, 1853], range(1849, 1855)),
        ("185x", list(range(1850, 1860)), range(1849, 1861)),
        ("from 1850 to 1852", [1850, 1851, 1852], range(1849, 1854)),
        ("11 Feb 1731/32", [1731, 1732], range(1730, 1734)),
        ("12 Mar 950", [950], range(949, 952)),
        ("15 Mar 44 BC", [-43], range(-44, -41)),
        ("bef 1850", [], range(1839, 1852)),
        ("aft 1850", [], range(1849, 1862)),
    ],
)
def test_a_date_of_the_query_names_years_and_widens(
    text: str, named: list[int], within1: range
) -> None:
    span = years(text)

    assert sorted(span.named) == named
    assert span.widened(1) == within1


@pytest.mark.parametrize(
    ("text", "compatible"),
    [
        ("1850", range(1840, 1861)),
        ("bef 1850", range(1840 - OPEN_SIDE_YEARS, 1861)),
        ("aft 1850", range(1840, 1860 + OPEN_SIDE_YEARS + 1)),
    ],
)
def test_an_open_side_tolerates_a_whole_life(text: str, compatible: range) -> None:
    assert years(text).compatible(10) == compatible


def test_an_open_side_rules_nothing_out() -> None:
    assert (years("1850").earliest, years("1850").latest) == (1850, 1850)
    assert (years("bef 1850").earliest, years("bef 1850").latest) == (1730, 1850)
    assert (years("aft 1850").earliest, years("aft 1850").latest) == (1850, 1970)


def test_a_date_without_years_is_no_span() -> None:
    assert year_range_of(read_date("bet 1700 and 1850")) is None
    assert year_range_of(HistoricalDate(text="long ago", qualifier="phrase")) is None


@given(dates())
def test_a_span_holds_what_its_date_names_and_tolerates_what_it_holds(
    date: HistoricalDate,
) -> None:
    span = year_range_of(date)

    assert span is not None
    assert set(span.named) <= set(span.widened(0)) <= set(span.compatible(0))


@pytest.mark.parametrize(
    ("at", "age", "first", "last"),
    [("3 Apr 1881", 30, 1850, 1851), ("1881", 0, 1880, 1881), ("abt 1881", 30, 1848, 1853)],
)
def test_an_age_at_a_date_gives_the_birth(at: str, age: int, first: int, last: int) -> None:
    born = birth_from_age(KnownAge(at=read_date(at), years=age))

    assert born is not None
    assert (born.first, born.last) == (first, last)
    assert born.named == tuple(range(first, last + 1))
    assert born.note == f"birth inferred from age {age} in {at}"


def test_an_age_at_an_open_date_leaves_the_birth_open() -> None:
    born = birth_from_age(KnownAge(at=read_date("aft 1881"), years=30))

    assert born is not None
    assert (born.first, born.last, born.named) == (1850, 1861, ())
    assert born.latest == 1861 + OPEN_SIDE_YEARS


def test_an_age_at_no_date_gives_nothing() -> None:
    assert birth_from_age(KnownAge(at=read_date("bet 1600 and 1900"), years=30)) is None


@pytest.mark.parametrize(
    ("source", "is_female", "first", "last", "words"),
    [
        ("marriages", False, 1900 - 35, 1900 - 15, "the marriage"),
        ("marriages", True, 1900 - 32, 1900 - 14, "the marriage"),
        ("children", False, 1900 - 49, 1900 - 13, "the first child"),
        ("children", True, 1900 - 39, 1900 - 15, "the first child"),
        ("parents_marriages", False, 1901, 1925, "the parents' marriage"),
        ("siblings", False, 1880, 1920, "a sibling"),
        ("spouses", True, 1888, 1912, "the spouse"),
    ],
)
def test_a_birth_is_worked_out_from_another_event(
    source: str, is_female: bool, first: int, last: int, words: str
) -> None:
    facts = {**NOTHING, "sex": "f" if is_female else "m", source: (years("1900"),)}

    born = inferred_birth(**facts)

    assert born is not None
    assert (born.first, born.last) == (first, last)
    assert born.note == f"birth inferred from {words}"
    assert born.named == ()


def test_the_best_source_of_a_birth_is_taken_and_its_earliest_event() -> None:
    sources = ["marriages", "children", "parents_marriages", "siblings", "spouses"]
    facts = dict(NOTHING)

    for source in reversed(sources):
        facts[source] = (years("1900"), years("1950"))
        better = inferred_birth(**facts)
        assert better == inferred_birth(**{**NOTHING, source: (years("1900"),)})
    assert inferred_birth(**NOTHING) is None


def test_a_birth_worked_out_from_an_open_date_is_open_too() -> None:
    born = inferred_birth(**{**NOTHING, "marriages": (years("aft 1850"),)})

    assert born is not None
    assert (born.first, born.last) == (1815, 1845)
    assert born.latest == 1845 + OPEN_SIDE_YEARS


def test_a_death_lies_between_the_last_event_and_the_hundredth_birthday() -> None:
    died = inferred_death(years("abt 1850"), 1881)

    assert died is not None
    assert (died.first, died.last) == (1881, 1952)


def test_a_death_without_other_events_lies_after_the_birth() -> None:
    died = inferred_death(years("1850"), None)

    assert died is not None
    assert (died.first, died.last) == (1850, 1950)
    assert inferred_death(None, 1881) is None


def test_a_last_event_past_the_hundredth_birthday_is_believed() -> None:
    died = inferred_death(years("1750"), 1881)

    assert died is not None
    assert (died.first, died.last) == (1881, 1881)


@pytest.mark.parametrize(
    ("birth", "children", "expected"),
    [
        ("1850", ["1876", "1880"], (1866, 1877)),
        ("1850", ["abt 1876"], (1866, 1879)),
        ("1850", [], (1866, 1910)),
        (None, ["1876"], (1851, 1877)),
        ("1850", ["1860"], None),
        (None, [], None),
    ],
)
def test_a_marriage_lies_between_sixteen_and_a_year_after_the_first_child(
    birth: str | None, children: list[str], expected: tuple[int, int] | None
) -> None:
    wed = inferred_marriage(years(birth) if birth else None, [years(born) for born in children])

    assert (wed and (wed.first, wed.last)) == expected


@pytest.mark.parametrize(
    ("birth", "death", "first", "last"),
    [
        ("1850", "1911", 1850, 1911),
        ("abt 1850", "abt 1911", 1848, 1913),
        ("1850", None, 1850, 1950),
        (None, "1911", 1811, 1911),
        ("1850", "1840", 1850, 1850),
        ("bef 1850", "1911", 1730, 1911),
        ("1850", "aft 1881", 1850, 2001),
        ("aft 1850", None, 1850, 2070),
        (None, "bef 1850", 1630, 1850),
    ],
)
def test_a_lifetime_runs_from_the_earliest_birth_to_the_latest_death(
    birth: str | None, death: str | None, first: int, last: int
) -> None:
    life = lifetime(years(birth) if birth else None, years(death) if death else None)

    assert life is not None
    assert (life.first, life.last) == (first, last)


def test_nobody_knows_the_lifetime_of_whom_nothing_is_known() -> None:
    assert lifetime(None, None) is None


def test_several_dates_of_one_event_allow_what_any_of_them_does() -> None:
    both = joined([years("1850"), years("aft 1860")])

    assert both is not None
    assert (both.first, both.last, both.earliest, both.latest) == (1850, 1870, 1850, 1980)
    assert joined([]) is None


def test_a_baptism_tells_the_birth_best() -> None:
    facts = {**NOTHING, "baptisms": [years("1851")], "marriages": [years("1900")]}

    birth = inferred_birth(**facts)

    assert birth is not None
    assert (birth.first, birth.last, birth.named) == (1850, 1851, ())
    assert "baptism" in birth.note


def test_a_father_may_have_died_before_the_last_child_was_born() -> None:
    child = [years("1880")]

    assert last_sign_of_life([years("1851")], child, "m") == 1879
    assert last_sign_of_life([years("1851")], child, "f") == 1880
    assert last_sign_of_life([], [], "f") is None


@pytest.mark.parametrize(
    ("record_type", "kind", "expected"),
    [
        ("marriage", "usual", range(1869, 1892)),
        ("marriage", "hard", range(1863, 1912)),
        ("residence", "usual", range(1872, 1913)),
        ("probate", "usual", range(1911, 1915)),
        ("divorce", "usual", range(1876, 1916)),
        ("naturalization", "usual", range(1872, 1912)),
        ("family_tree", "usual", None),
    ],
)
def test_every_kind_of_record_has_its_time_of_life(
    record_type: str, kind: Any, expected: range | None
) -> None:
    life = {"b": years("1851"), "d": years("1911"), "m": years("1875")}

    assert window_years(record_type, kind, life) == expected


def test_where_the_arrival_is_known_a_naturalization_is_reckoned_from_it() -> None:
    by_letter = {"b": years("1851"), "a": years("1880")}

    assert window_years("naturalization", "usual", by_letter) == range(1882, 1901)


def test_estates_and_papers_outlive_a_person() -> None:
    assert [tail_years(name) for name in ("census", "residence", "land_tax", "newspaper")] == [
        *(0, 2, 10, 50)
    ]


@pytest.mark.parametrize(
    ("date", "quarter", "following"),
    [
        ("1 Jan 1851", "1851-q1", "1851-q2"),
        ("31 Mar 1851", "1851-q1", "1851-q2"),
        ("Apr 1851", "1851-q2", "1851-q3"),
        ("31 Dec 1851", "1851-q4", "1852-q1"),
    ],
)
def test_an_event_is_registered_in_its_quarter_or_the_next(
    date: str, quarter: str, following: str
) -> None:
    assert quarters_of([read_date(date)]) == {quarter}
    assert quarters_of([read_date(date)], and_next=True) == {quarter, following}


def test_a_year_alone_has_no_quarter() -> None:
    assert quarters_of([read_date("1851")]) == frozenset()

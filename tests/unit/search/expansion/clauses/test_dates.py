"""Tests for `forebear.search.expansion.clauses.dates`: days, years apart, what follows an event."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from forebear.normalize.dates import read_date
from forebear.records.record import Day
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.clauses.dates import days_around

Clauses = Callable[..., dict[str, Clause]]

PRINCIPAL = {"record.role=principal"}
RUNGS = ("exact", "within1", "within2", "within5", "within10")


def events(**dates: str) -> dict[str, Any]:
    return {"events": [{"kind": kind, "date": date} for kind, date in dates.items()]}


def dated(field: str, named: Iterable[object], years: Iterable[object]) -> frozenset[str]:
    """Return the terms of a date that names and allows these."""
    named, years = list(named), list(years)
    of_date = {f"{field}.date={value}" for value in named}
    of_date |= {f"{field}.year={year}" for year in years}
    of_date |= {f"has={field}.date"} if named else set()
    return frozenset(of_date | ({f"has={field}.year"} if years else set()))


def in_year(year: int, field: str = "event") -> frozenset[str]:
    return dated(field, [year], [year])


def levels(by_name: dict[str, Clause], fact: str, persona: frozenset[str]) -> set[str]:
    return {
        name.rpartition(".")[2]
        for name, clause in by_name.items()
        if name.rpartition(".")[0] == fact and clause.fires_on(persona)
    }


@pytest.mark.parametrize(
    ("off", "expected"),
    [
        (0, set(RUNGS)),
        (1, set(RUNGS[1:])),
        (2, set(RUNGS[2:])),
        (3, set(RUNGS[3:])),
        (5, set(RUNGS[3:])),
        (6, set(RUNGS[4:])),
        (10, set(RUNGS[4:])),
        (11, {"conflict"}),
    ],
)
@pytest.mark.parametrize("side", [-1, 1])
def test_years_apart(clauses: Clauses, off: int, expected: set[str], side: int) -> None:
    by_name = clauses("census", **events(birth="1851"))

    fired_levels = levels(by_name, "birth.year", in_year(1851 + side * off, "birth"))

    assert fired_levels - {"age_band"} == expected


@pytest.mark.parametrize(
    ("query", "named", "years", "expected"),
    [
        # A closed span gives `exact` all its years.
        ("bet 1850 and 1853", [1853], [1853], set(RUNGS)),
        ("abt 1850", [1850], [1850], set(RUNGS)),
        ("abt 1850", [1852], [1852], set(RUNGS[1:])),
        ("abt 1850", [1862], [1862], set(RUNGS[4:])),
        ("abt 1850", [1863], [1863], {"conflict"}),
        # An open date names no year, allows ten, and contradicts nothing on its open side.
        ("bef 1850", [1850], [1850], set(RUNGS[1:])),
        ("bef 1850", [1840], [1840], set(RUNGS[1:])),
        ("bef 1850", [1830], [1830], {"within10"}),
        ("bef 1850", [1829], [1829], set()),
        ("bef 1850", [1740], [1740], set()),
        ("bef 1850", [1861], [1861], {"conflict"}),
        ("aft 1850", [1900], [1900], set()),
        ("aft 1850", [1839], [1839], {"conflict"}),
        # On a record neither.
        ("1850", [], range(1840, 1851), set(RUNGS[1:])),
        ("1900", [], range(1840, 1851), set()),
        ("1850", ["185x"], range(1850, 1860), set(RUNGS[1:])),
        ("1830", ["185x"], range(1850, 1860), {"conflict"}),
    ],
)
def test_dates_that_are_no_single_year(
    clauses: Clauses, query: str, named: list[object], years: Iterable[int], expected: set[str]
) -> None:
    by_name = clauses("baptism", **events(birth=query))

    assert levels(by_name, "birth.year", dated("birth", named, years)) == expected


def test_a_missing_date_is_one_that_allows_nothing(clauses: Clauses) -> None:
    by_name = clauses("marriage", **events(marriage="1875"))
    part = "record.part=marriage/1870/groom"

    undated = frozenset({part})
    open_date = frozenset({part, *dated("marriage", [], range(1840, 1851))})

    assert levels(by_name, "marriage.year", undated) == {"missing"}
    assert levels(by_name, "marriage.year", open_date) == set()


@pytest.mark.parametrize(
    ("query", "named", "expected"),
    [
        (
            "12 Mar 1851",
            ["1851", "1851-03", "1851-03-12", "--03-12"],
            {"day", "month", "day_month"},
        ),
        ("12 Mar 1851", ["1851", "1851-03", "1851-03-13", "--03-13"], {"month"}),
        ("12 Mar 1851", ["1815", "1815-03", "1815-03-12", "--03-12"], {"day_month"}),
        ("12 Mar 1851", ["1851"], set()),
        ("Mar 1851", ["1851", "1851-03", "1851-03-12", "--03-12"], {"month"}),
        ("11 Feb 1731/32", ["1731", "1731-02", "1731-02-11"], {"day", "month"}),
        ("12 Mar 950", ["950", "0950-03", "0950-03-12"], {"day", "month"}),
        ("15 Mar 44 BC", ["-43", "-0043-03", "-0043-03-15"], {"day", "month"}),
        ("Mar q 1851", ["1851", "1851-q1"], set()),
    ],
)
def test_the_same_day_and_month(
    clauses: Clauses, query: str, named: list[str], expected: set[str]
) -> None:
    by_name = clauses("baptism", **events(birth=query))

    assert levels(by_name, "birth.date", dated("birth", named, [])) == expected


@pytest.mark.parametrize("vague", ["1851", "abt 12 Mar 1851", "aft 12 Mar 1851", "bef 1851"])
def test_a_vague_date_has_no_day(clauses: Clauses, vague: str) -> None:
    by_name = clauses("baptism", **events(birth=vague))

    assert not {name for name in by_name if name.startswith("birth.date.")}
    assert "event.delay.days90" not in by_name


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("1851-03-11", {"years1"}),
        ("1851-03-12", {"days90", "years1"}),
        ("1851-06-10", {"days90", "years1"}),
        ("1851-06-11", {"years1"}),
        ("1852-06-11", {"years1"}),
        ("1853-01-01", set()),
    ],
)
def test_a_baptism_follows_the_birth(clauses: Clauses, day: str, expected: set[str]) -> None:
    by_name = clauses("baptism", **events(birth="12 Mar 1851"))
    year = day[:4]

    child = dated("event", [day, year], [year]) | PRINCIPAL
    assert levels(by_name, "event.delay", child) == expected


def test_the_day_of_a_baptism_is_not_compared_with_the_birth_of_the_parents(
    clauses: Clauses,
) -> None:
    by_name = clauses("baptism", **events(birth="12 Mar 1851", baptism="30 Mar 1851"))
    mother = dated("event", ["1851-03-30", "1851-03", 1851], [1851]) | {"record.role=parent"}

    assert levels(by_name, "event.delay", mother | PRINCIPAL)
    assert levels(by_name, "baptism.year", mother | PRINCIPAL)
    assert levels(by_name, "baptism.date", mother | PRINCIPAL)
    for fact in ("event.delay", "baptism.year", "baptism.date"):
        assert not levels(by_name, fact, mother)


def test_a_burial_follows_the_death_within_two_weeks(clauses: Clauses) -> None:
    by_name = clauses("burial", **events(death="25 Dec 1910"))

    assert levels(by_name, "event.delay", dated("event", ["1911-01-08"], [1911])) == {
        "days14",
        "years1",
    }
    assert levels(by_name, "event.delay", dated("event", ["1911-01-09"], [1911])) == {"years1"}


@pytest.mark.parametrize(
    ("record_type", "clause", "query", "year", "note"),
    [
        ("burial", "birth.year.inferred", events(marriage="1875"), 1850, "the marriage"),
        ("burial", "death.year.inferred", events(birth="1851"), 1911, "the last known event"),
        ("marriage", "marriage.year.inferred", events(birth="1851"), 1875, "birth and children"),
    ],
)
def test_what_the_rules_infer_is_compared_and_explained(
    clauses: Clauses, record_type: str, clause: str, query: dict[str, Any], year: int, note: str
) -> None:
    built = clauses(record_type, given="Mary", **query)[clause]

    assert built.fires_on(in_year(year, clause.split(".")[0]))
    assert built.note.endswith(f"inferred from {note}")


def test_an_age_is_compared_with_the_age(clauses: Clauses) -> None:
    by_name = clauses("marriage", **events(birth="1851"))
    aged = frozenset({"birth.year.age=1849", "birth.year.age=1850"})

    assert levels(by_name, "birth.year", aged) == {"from_age1", "from_age2", "from_age5"}
    assert levels(by_name, "birth.year", frozenset({"birth.year.age=1853"})) == {
        "from_age2",
        "from_age5",
    }


def test_a_birth_inferred_from_an_age_is_noted(clauses: Clauses) -> None:
    by_name = clauses("census", age={"at": "1881", "years": 30})

    assert by_name["birth.year.exact"].any_of == (
        frozenset({"birth.date=1850", "birth.date=1851"}),
    )
    assert by_name["birth.year.exact"].note == "birth inferred from age 30 in 1881"


def test_days_run_over_months_and_leap_days() -> None:
    terms = days_around("event.date", [read_date("27 Feb 1852")], before=0, after=3)

    days = (Day(1852, 2, 27), Day(1852, 2, 28), Day(1852, 2, 29), Day(1852, 3, 1))
    assert terms == {f"event.date={day}" for day in days}


def test_banns_come_in_the_half_year_before_the_wedding(clauses: Clauses) -> None:
    banns = clauses("marriage", given="Mary", **events(marriage="2 Jun 1875"))[
        "marriage.date.banns"
    ]

    assert banns.fires_on(frozenset({"record.subtype=banns", "event.date=1875-05-09"}))
    assert banns.fires_on(frozenset({"record.subtype=licence", "event.date=1875-05"}))
    assert not banns.fires_on(frozenset({"record.subtype=banns", "event.date=1875-06-09"}))
    assert not banns.fires_on(frozenset({"record.subtype=church", "event.date=1875-05-09"}))


@pytest.mark.parametrize(("day", "fires"), [("1911-02-05", True), ("1911-03-15", False)])
def test_a_notice_appears_in_the_month_of_the_event(
    clauses: Clauses, day: str, fires: bool
) -> None:
    notice = clauses("newspaper", given="Mary", **events(death="30 Jan 1911"))["death.notice.match"]

    persona = frozenset({"record.subtype=death notice", f"event.date={day}"})
    assert notice.fires_on(persona) == fires


def test_estates_are_settled_within_years(clauses: Clauses) -> None:
    by_name = clauses("probate", given="Mary", **events(death="1911"))

    assert by_name["event.delay.years3"].fires_on(frozenset({"event.year=1914"}))
    assert not by_name["event.delay.years3"].fires_on(frozenset({"event.year=1915"}))


def test_a_year_has_no_days_to_count_from(clauses: Clauses) -> None:
    assert "event.delay.days14" not in clauses("burial", given="Mary", **events(death="1911"))

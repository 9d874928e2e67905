"""Tests for `forebear.search.expansion.levels.delays`: what follows an event."""

from collections.abc import Callable
from typing import Any

import pytest

from forebear.normalize.dates import read_date
from forebear.records.record import Day
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.levels.delays import days_around

Clauses = Callable[..., dict[str, Clause]]


def events(**dates: str) -> dict[str, Any]:
    return {"events": [{"kind": kind, "date": date} for kind, date in dates.items()]}


def test_days_run_over_months_and_leap_days() -> None:
    found = days_around("event.date", [read_date("27 Feb 1852")], before=0, after=3)

    days = (Day(1852, 2, 27), Day(1852, 2, 28), Day(1852, 2, 29), Day(1852, 3, 1))
    assert found == {f"event.date={day}" for day in days}


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
    made = clauses("probate", given="Mary", **events(death="1911"))

    assert made["event.delay.years3"].fires_on(frozenset({"event.year=1914"}))
    assert not made["event.delay.years3"].fires_on(frozenset({"event.year=1915"}))


def test_a_year_has_no_days_to_count_from(clauses: Clauses) -> None:
    assert "event.delay.days14" not in clauses("burial", given="Mary", **events(death="1911"))

"""Clauses about dates: the same day, years apart, in conflict, and what follows an event.

What follows is a few days or years later: a burial, a notice, banns before a marriage, the quarter
of registration.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from forebear.normalize.dates.intervals import plus_days
from forebear.records.record import HistoricalDate
from forebear.search.expansion.catalog import (
    PRINCIPAL,
    CatalogRow,
    Clause,
    Condition,
    all_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.clauses.builder import Builder, build_missing
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.year_rules import YearRange, quarters_of
from forebear.search.terms.term import term, terms
from forebear.search.terms.values import named_values

CONFLICT_YEARS = 10
USUAL_YEARS = range(1400, 2100)
_MONTH = re.compile(r"-?\d+-\d\d")
_DAY = re.compile(r"-?\d+-\d\d-\d\d")
# The record's own event, seen as the person's: only of the one the record is about.
OWN_EVENTS = frozenset({"baptism", "burial", "service"})
ADULT_BAPTISM = frozenset({"record.subtype=adult"})


BANNS_DAYS = 183  # a licence is good for half a year
NOTICE_DAYS = 30
BANNS = ("banns", "licence", "license", "intention", "contract", "bond")
LONGEST_RUN = 400  # days; a vaguer date has no day to count from


@lru_cache(maxsize=4096)
def year_terms(field: str, first: int, last: int) -> Condition:
    """Return the terms of a run of years, both ends inside; the same runs come often."""
    if first in USUAL_YEARS and last in USUAL_YEARS:
        return frozenset(_usual_terms(field)[first - USUAL_YEARS[0] : last - USUAL_YEARS[0] + 1])
    return terms(field, range(first, last + 1))


@cache
def _usual_terms(field: str) -> list[str]:
    """Return the terms of all usual years: a life is many runs of them."""
    return [term(field, year) for year in USUAL_YEARS]


def years_of(field: str, runs: Iterable[range]) -> Condition:
    """Return the terms of several runs of years."""
    years = [year_terms(field, run[0], run[-1]) for run in runs if run]
    return years[0] if len(years) == 1 else frozenset().union(*years)


def note_of(spans: Iterable[YearRange]) -> str:
    """Return what a rule says of how the years were inferred."""
    return next((span.note for span in spans if span.note), "")


def build_within(years: int) -> Builder:
    """Return the builder for "at most this many years apart, nearest ends"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        spans = facts.needed_spans(row)
        near = years_of(row.fields[0], (span.widened(years) for span in spans))
        return term_clause(row, near, note=note_of(spans))

    return build


def build_named_year(row: CatalogRow, facts: Facts) -> Clause | None:
    """The year named is the same."""
    spans = facts.needed_spans(row)
    named = {year for span in spans for year in span.named}
    return term_clause(row, terms(row.fields[0], named), note=note_of(spans))


def build_inferred(row: CatalogRow, facts: Facts) -> Clause | None:
    """The year fits what the rules infer when the query does not say."""
    span = facts.inferred.get(row.subject, None)
    if span is None:
        return None
    return term_clause(row, years_of(row.fields[0], [span.widened(0)]), note=span.note)


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """More than ten years off, whichever way the dates are read."""
    spans = facts.needed_spans(row)
    accepted = years_of(row.fields[1], (span.compatible(CONFLICT_YEARS) for span in spans))
    if not accepted:
        return None
    if row.subject == "baptism":  # that of an adult says that it is one
        accepted |= ADULT_BAPTISM
    role = PRINCIPAL if row.subject in OWN_EVENTS else frozenset()
    return conflict_clause(row, accepted, role=role)


def build_date(form: Callable[[HistoricalDate], Iterable[str]]) -> Builder:
    """Return the builder for a day or month that is the same."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        dates = facts.needed_dates(row)
        values = {value for date in dates for value in form(date)}
        return term_clause(row, terms(row.fields[0], values))

    return build


def days_of(facts: Facts) -> frozenset[str]:
    """Return the days on which something is known to have happened to the person."""
    return frozenset(day for date in facts.own_dates for day in _day(date))


def _day(date: HistoricalDate) -> Iterable[str]:
    return [value for value in named_values(date) if _DAY.fullmatch(value)]


def _month(date: HistoricalDate) -> Iterable[str]:
    return [value for value in named_values(date) if _MONTH.fullmatch(value)]


def _day_month(date: HistoricalDate) -> Iterable[str]:
    return [value for value in named_values(date) if value.startswith("--")]


def build_delay_days(days: int) -> Builder:
    """Return the builder for "within this many days after" a known day."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        dates = [date for date in facts.needed_dates(row) if date.start == date.end]
        return term_clause(row, days_around(row.fields[0], dates, before=0, after=days))

    return build


def build_delay_years(years: int) -> Builder:
    """Return the builder for the year of a birth or death and some years after it."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        runs = (range(span.first, span.last + years + 1) for span in facts.needed_spans(row))
        return term_clause(row, years_of(row.fields[0], runs))

    return build


def build_inquest(row: CatalogRow, facts: Facts) -> Clause | None:
    """An inquest within a year after the death."""
    runs = (range(span.first, span.last + 2) for span in facts.needed_spans(row))
    return all_clause(row, [terms("record.subtype", ["inquest"]), years_of("event.year", runs)])


def build_banns(row: CatalogRow, facts: Facts) -> Clause | None:
    """Banns or a license in the six months before the marriage."""
    dates = facts.needed_dates(row)
    days = days_around("event.date", dates, before=BANNS_DAYS, after=0)
    return all_clause(row, [terms("record.subtype", BANNS), days])


def build_notice(row: CatalogRow, facts: Facts) -> Clause | None:
    """A notice of the event, printed within thirty days of it."""
    days = days_around("event.date", facts.needed_dates(row), before=0, after=NOTICE_DAYS)
    return all_clause(row, [terms("record.subtype", [f"{row.subject} notice"]), days])


def build_quarter(*, and_next: bool) -> Builder:
    """Return the builder for the quarter in which an event was registered (rule 9)."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        quarters = quarters_of(facts.needed_dates(row), and_next=and_next)
        return term_clause(row, terms("event.date", quarters))

    return build


def days_around(
    field: str, dates: Iterable[HistoricalDate], *, before: int, after: int
) -> Condition:
    """Return the terms of every day from ``before`` to ``after`` days off, and of their months."""
    days: set[str] = set()
    for date in dates:
        if date.start is None or date.end is None:
            continue
        day, last = plus_days(date.start, -before), plus_days(date.end, after)
        for _ in range(LONGEST_RUN):
            days.add(str(day))
            if before:
                days.add(str(day)[:-3])
            if day >= last:
                break
            day = plus_days(day, 1)
    return terms(field, days)


BUILDERS: dict[str, Builder] = {
    "date.day": build_date(_day),
    "date.month": build_date(_month),
    "date.day_month": build_date(_day_month),
    "year.exact": build_named_year,
    **{f"year.within{years}": build_within(years) for years in (1, 2, 5, 10)},
    **{f"year.from_age{years}": build_within(years) for years in (1, 2, 5)},
    "year.age_band": build_within(0),
    "year.inferred": build_inferred,
    "year.missing": build_missing,
    "year.conflict": build_conflict,
    **{f"delay.days{days}": build_delay_days(days) for days in (7, 14, 30, 90)},
    **{f"delay.years{years}": build_delay_years(years) for years in (1, 2, 3)},
    "delay.inquest": build_inquest,
    "date.banns": build_banns,
    "notice.match": build_notice,
    "quarter.match": build_quarter(and_next=False),
    "quarter.next": build_quarter(and_next=True),
}

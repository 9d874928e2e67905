"""Clauses about dates: the same day, years apart, from an age, missing, more than ten years off."""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from forebear.records.record import HistoricalDate
from forebear.search.expansion.catalog import (
    PRINCIPAL,
    CatalogRow,
    Clause,
    Condition,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.levels.names import Builder
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.rules.absence import build_missing
from forebear.search.expansion.spans import Span
from forebear.search.terms.dates import named_values
from forebear.search.terms.fields import term, terms

CONFLICT_YEARS = 10
USUAL_YEARS = range(1400, 2100)
_MONTH = re.compile(r"-?\d+-\d\d")
_DAY = re.compile(r"-?\d+-\d\d-\d\d")
# The record's own event, seen as the person's: only of the one the record is about.
OWN_EVENTS = frozenset({"baptism", "burial", "service"})
ADULT_BAPTISM = frozenset({"record.subtype=adult"})


@lru_cache(maxsize=4096)
def year_terms(field: str, first: int, last: int) -> Condition:
    """Return the terms of a run of years, both ends inside; the same runs are asked for often."""
    if first in USUAL_YEARS and last in USUAL_YEARS:
        return frozenset(_usual_terms(field)[first - USUAL_YEARS[0] : last - USUAL_YEARS[0] + 1])
    return terms(field, range(first, last + 1))


@cache
def _usual_terms(field: str) -> list[str]:
    """Return the terms of all usual years: a life is many runs of them."""
    return [term(field, year) for year in USUAL_YEARS]


def years_of(field: str, runs: Iterable[range]) -> Condition:
    """Return the terms of several runs of years."""
    found = [year_terms(field, run[0], run[-1]) for run in runs if run]
    return found[0] if len(found) == 1 else frozenset().union(*found)


def note_of(spans: Iterable[Span]) -> str:
    """Return what a rule says of how the years were worked out."""
    return next((span.note for span in spans if span.note), "")


def build_within(years: int) -> Builder:
    """Return the builder for "at most so many years apart, nearest ends"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        spans = facts.needed_spans(row)
        found = years_of(row.fields[0], (span.widened(years) for span in spans))
        return term_clause(row, found, note=note_of(spans))

    return build


def build_named_year(row: CatalogRow, facts: Facts) -> Clause | None:
    """The year named is the same."""
    spans = facts.needed_spans(row)
    found = {year for span in spans for year in span.named}
    return term_clause(row, terms(row.fields[0], found), note=note_of(spans))


def build_inferred(row: CatalogRow, facts: Facts) -> Clause | None:
    """The year fits what the rules work out when the query does not say."""
    span = facts.inferred.get(row.subject, None)
    if span is None:
        return None
    return term_clause(row, years_of(row.fields[0], [span.widened(0)]), note=span.note)


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """More than ten years off, whichever way the dates are read."""
    spans = facts.needed_spans(row)
    accepted = years_of(row.fields[1], (span.tolerable(CONFLICT_YEARS) for span in spans))
    if not accepted:
        return None
    if row.subject == "baptism":  # the grown up who are baptized say so
        accepted |= ADULT_BAPTISM
    role = PRINCIPAL if row.subject in OWN_EVENTS else frozenset()
    return conflict_clause(row, accepted, role=role)


def build_date(form: Callable[[HistoricalDate], Iterable[str]]) -> Builder:
    """Return the builder for a day or month that is the same."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        dates = facts.needed_dates(row)
        found = {value for date in dates for value in form(date)}
        return term_clause(row, terms(row.fields[0], found))

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
}

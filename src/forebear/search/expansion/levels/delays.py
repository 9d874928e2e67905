"""Clauses about what follows an event: days and years after it, notices, banns, registration."""

from collections.abc import Iterable

from forebear.normalize.dates.intervals import plus_days
from forebear.records.record import HistoricalDate
from forebear.search.expansion.catalog import CatalogRow, Clause, Condition, all_clause, term_clause
from forebear.search.expansion.levels.dates import years_of
from forebear.search.expansion.levels.names import Builder
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.rules.quarter_indexes import quarters_of
from forebear.search.terms.fields import terms

BANNS_DAYS = 183  # a licence is good for half a year
NOTICE_DAYS = 30
BANNS = ("banns", "licence", "license", "intention", "contract", "bond")
LONGEST_RUN = 400  # days; a vaguer date has no day to count from


def build_delay_days(days: int) -> Builder:
    """Return the builder for "within so many days after" a known day."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        dates = [date for date in facts.needed_dates(row) if date.start == date.end]
        return term_clause(row, days_around(row.fields[0], dates, before=0, after=days))

    return build


def build_delay_years(years: int) -> Builder:
    """Return the builder for the year of a birth or death and so many after it."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        runs = (range(span.first, span.last + years + 1) for span in facts.needed_spans(row))
        return term_clause(row, years_of(row.fields[0], runs))

    return build


def build_inquest(row: CatalogRow, facts: Facts) -> Clause | None:
    """An inquest within a year after the death."""
    runs = (range(span.first, span.last + 2) for span in facts.needed_spans(row))
    return all_clause(row, [terms("record.subtype", ["inquest"]), years_of("event.year", runs)])


def build_banns(row: CatalogRow, facts: Facts) -> Clause | None:
    """Banns or a license in the six months before the wedding."""
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
    """Return the terms of every day from so many before to so many after, and of their months."""
    found: set[str] = set()
    for date in dates:
        if date.start is None or date.end is None:
            continue
        day, last = plus_days(date.start, -before), plus_days(date.end, after)
        for _ in range(LONGEST_RUN):
            found.add(str(day))
            if before:
                found.add(str(day)[:-3])
            if day >= last:
                break
            day = plus_days(day, 1)
    return terms(field, found)


BUILDERS: dict[str, Builder] = {
    **{f"delay.days{days}": build_delay_days(days) for days in (7, 14, 30, 90)},
    **{f"delay.years{years}": build_delay_years(years) for years in (1, 2, 3)},
    "delay.inquest": build_inquest,
    "date.banns": build_banns,
    "notice.match": build_notice,
    "quarter.match": build_quarter(and_next=False),
    "quarter.next": build_quarter(and_next=True),
}

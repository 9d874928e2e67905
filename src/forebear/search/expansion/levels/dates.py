"""Clauses about dates: the same day, years apart, times of life, before and after."""

import re
from collections.abc import Callable, Iterable

from forebear.records.dates import HistoricalDate
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.clauses import (
    Clause,
    absent_clause,
    all_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.facts import Facts
from forebear.search.expansion.rules.years import Span
from forebear.search.terms.dates import days_after, named_values
from forebear.search.terms.fields import terms

Builder = Callable[[CatalogRow, Facts], Clause | None]

CONFLICT_YEARS = 10
PARENT_AGES = {"f": (15, 50), "m": (16, 70), None: (15, 70)}
ADULT_YEARS = 14
USUAL_MARRIAGE_AGES = (18, 40)
POSSIBLE_MARRIAGE_AGES = (12, 100)
_MONTH = re.compile(r"-?\d+-\d\d")
_DAY = re.compile(r"-?\d+-\d\d-\d\d")


def build_within(years: int) -> Builder:
    """Return the builder for "at most so many years apart, nearest ends"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        spans = _needed_spans(row, facts)
        found = {year for span in spans for year in span.widened(years)}
        return term_clause(row.clause, terms(row.fields[0], found), note=_note(spans))

    return build


def build_named_year(row: CatalogRow, facts: Facts) -> Clause | None:
    """The year named is the same."""
    spans = _needed_spans(row, facts)
    found = {year for span in spans for year in span.named}
    return term_clause(row.clause, terms(row.fields[0], found), note=_note(spans))


def build_inferred(row: CatalogRow, facts: Facts) -> Clause | None:
    """The year fits what the rules work out when the query does not say."""
    span = facts.inferred.get(row.clause.split(".")[0])
    if span is None:
        return None
    return term_clause(row.clause, terms(row.fields[0], span.widened(0)), note=span.note)


def build_missing(row: CatalogRow, facts: Facts) -> Clause | None:
    """The query has the date, records of this part usually do, this one does not."""
    if facts.needed(row) is None:
        return None
    fields = row.fields[:-1]
    return absent_clause(row.clause, fields, facts.knowledge.parts_with(frozenset(fields)))


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """More than ten years off, whichever way the dates are read."""
    spans = _needed_spans(row, facts)
    accepted = {year for span in spans for year in span.tolerable(CONFLICT_YEARS)}
    return conflict_clause(row.clause, row.fields[0], terms(row.fields[1], accepted))


def build_date(form: Callable[[HistoricalDate], Iterable[str]]) -> Builder:
    """Return the builder for a day or month that is the same."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        words = facts.needed(row)
        if not words:
            return None
        dates = facts.dates[words[0].removesuffix(".date")]
        found = {value for date in dates for value in form(date)}
        return term_clause(row.clause, terms(row.fields[0], found))

    return build


def build_delay_days(days: int) -> Builder:
    """Return the builder for "within so many days after" a known day."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        words = facts.needed(row)
        if not words:
            return None
        dates = facts.dates[words[0].removesuffix(".date")]
        starts = (date.start for date in dates if date.start and date.start == date.end)
        found = {str(day) for start in starts for day in days_after(start, days)}
        return term_clause(row.clause, terms(row.fields[0], found))

    return build


def build_delay_years(row: CatalogRow, facts: Facts) -> Clause | None:
    """In the year of the birth or death, or the next."""
    found = {
        year for span in _needed_spans(row, facts) for year in range(span.first, span.last + 2)
    }
    return term_clause(row.clause, terms(row.fields[0], found))


def build_in_lifespan(row: CatalogRow, facts: Facts) -> Clause | None:
    """Dated within the lifetime."""
    life = facts.lifetime
    if life is None:
        return None
    return term_clause(row.clause, terms("event.year", life.widened(0)))


def build_known_span(row: CatalogRow, facts: Facts) -> Clause | None:
    """Between the first and the last dated event of the query."""
    spans = facts.own_spans
    if len(spans) < 2:
        return None
    first, last = min(span.first for span in spans), max(span.last for span in spans)
    return term_clause(row.clause, terms("event.year", range(first, last + 1)))


def build_before_birth(row: CatalogRow, facts: Facts) -> Clause | None:
    """More than a year before the earliest birth (rule 12)."""
    life = facts.lifetime
    return None if life is None else _outside(row, facts, first=life.first - 1)


def build_after_death(row: CatalogRow, facts: Facts) -> Clause | None:
    """After the latest death (rule 12)."""
    life = facts.lifetime
    return None if life is None else _outside(row, facts, last=life.last)


def build_before_death(row: CatalogRow, facts: Facts) -> Clause | None:
    """A burial dated before the death."""
    spans = _needed_spans(row, facts)
    return _outside(row, facts, first=min(span.earliest for span in spans)) if spans else None


def build_usual(row: CatalogRow, facts: Facts) -> Clause | None:
    """At the usual time of life for a wedding."""
    found = {
        year for span in _needed_spans(row, facts) for year in _ages(span, USUAL_MARRIAGE_AGES)
    }
    return term_clause(row.clause, terms("event.year", found))


def build_unusual(row: CatalogRow, facts: Facts) -> Clause | None:
    """At an age hardly possible for a wedding."""
    youngest, oldest = POSSIBLE_MARRIAGE_AGES
    accepted = {
        year
        for birth in _needed_spans(row, facts)
        for year in range(birth.earliest + youngest, birth.latest + oldest + 1)
    }
    return conflict_clause(row.clause, "event.date", terms("event.year", accepted))


def build_before_children(row: CatalogRow, facts: Facts) -> Clause | None:
    """A wedding no later than a year after the first child."""
    spans = _needed_spans(row, facts)
    if not spans:
        return None
    last = min(span.last for span in spans) + 1
    return term_clause(row.clause, terms("event.year", range(last - 30, last + 1)))


def build_after_children(row: CatalogRow, facts: Facts) -> Clause | None:
    """A wedding after the last child."""
    spans = _needed_spans(row, facts)
    return _outside(row, facts, last=max(span.latest for span in spans)) if spans else None


def build_as_parent(row: CatalogRow, facts: Facts) -> Clause | None:
    """Named as a parent, and of an age to be one."""
    ages = PARENT_AGES[facts.query.sex]
    years = {year for span in _needed_spans(row, facts) for year in _ages(span, ages)}
    return all_clause(row.clause, [terms("record.role", ["parent"]), terms("event.year", years)])


def build_as_adult(row: CatalogRow, facts: Facts) -> Clause | None:
    """An adult baptism of somebody who was grown up."""
    years = {year for span in _needed_spans(row, facts) for year in _ages(span, (ADULT_YEARS, 100))}
    return all_clause(row.clause, [terms("record.subtype", ["adult"]), terms("event.year", years)])


def build_ages_plausible(row: CatalogRow, facts: Facts) -> Clause | None:
    """The parents were of an age to have this child."""
    words = facts.needed(row)
    if not words:
        return None
    ages = PARENT_AGES["f" if words[0].startswith("mother") else "m"]
    years = {year for span in _needed_spans(row, facts) for year in _ages(span, ages)}
    return term_clause(row.clause, terms("event.year", years))


def build_marital(statuses: tuple[str, ...], *, after: bool) -> Builder:
    """Return the builder for a marital status on one side of the wedding (rule 8)."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        spans = _needed_spans(row, facts)
        if not spans:
            return None
        first, last = facts.knowledge.year_range()
        wedding = spans[0]
        years = range(wedding.latest + 1, last + 1) if after else range(first, wedding.earliest)
        return all_clause(row.clause, [terms("self.marital", statuses), terms("event.year", years)])

    return build


def _needed_spans(row: CatalogRow, facts: Facts) -> tuple[Span, ...]:
    words = facts.needed(row)
    return facts.spans.get(words[0].removesuffix(".year"), ()) if words else ()


def _outside(
    row: CatalogRow, facts: Facts, *, first: int | None = None, last: int | None = None
) -> Clause | None:
    """Return the conflict with being dated from ``first`` on, or up to ``last``."""
    earliest, latest = facts.knowledge.year_range()
    accepted = range(earliest if first is None else first, (latest if last is None else last) + 1)
    # Nothing in the archive lies inside: one impossible year keeps the clause a conflict.
    years = accepted or range(0, 1)
    return conflict_clause(row.clause, "event.date", terms("event.year", years))


def _ages(birth: Span, ages: tuple[int, int]) -> range:
    return range(birth.first + ages[0], birth.last + ages[1] + 1)


def _note(spans: Iterable[Span]) -> str:
    return next((span.note for span in spans if span.note), "")


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
    "year.in_lifespan": build_in_lifespan,
    "year.known_span": build_known_span,
    "year.before_birth": build_before_birth,
    "year.after_death": build_after_death,
    "year.before_death": build_before_death,
    "year.usual": build_usual,
    "year.unusual": build_unusual,
    "year.before_children": build_before_children,
    "year.after_children": build_after_children,
    "delay.days14": build_delay_days(14),
    "delay.days90": build_delay_days(90),
    "delay.years1": build_delay_years,
    "age.parent": build_as_parent,
    "age.adult": build_as_adult,
    "parents.ages_plausible": build_ages_plausible,
    "marital.before_wedding": build_marital(("single",), after=False),
    "marital.after_wedding": build_marital(("married", "widowed"), after=True),
    "marital.still_single": build_marital(("single",), after=True),
}

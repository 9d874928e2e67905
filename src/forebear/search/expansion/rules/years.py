"""Spans of years, and rules 5 to 8 and 12: what one date says about another.

Rule 5   an age gives a birth: n years old at t was born in t-n-1 or t-n
Rule 6   birth unknown: from a marriage, a child, a sibling or a spouse
Rule 7   death unknown: between the last known event and a hundredth birthday
Rule 8   marriage unknown: from sixteen on, to a year after the first child
Rule 12  the lifetime: from the earliest birth to the latest death

The offsets are those of FIELD 3.3; each result carries a note for the explanation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.records.dates import HistoricalDate
from forebear.search.query.person_query import KnownAge
from forebear.search.terms.dates import allowed_years, named_values

MAX_AGE_YEARS = 100
OPEN_SIDE_YEARS = 110  # how far an open date reaches before it excludes anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Years that are possible, both ends inside, and the ones the text itself names."""

    first: int
    last: int
    named: tuple[int, ...] = ()
    open_before: bool = False
    open_after: bool = False
    note: str = ""

    def widened(self, years: int) -> range:
        """Return the years at most so many away."""
        return range(self.first - years, self.last + years + 1)

    def tolerable(self, years: int) -> range:
        """Return the years that do not contradict the span."""
        before = OPEN_SIDE_YEARS if self.open_before else years
        after = OPEN_SIDE_YEARS if self.open_after else years
        return range(self.first - before, self.last + after + 1)


def span_of(date: HistoricalDate) -> Span | None:
    """Return the years a date of the query allows."""
    years = allowed_years(date)
    if not years:
        return None
    exact = [int(value) for value in named_values(date) if len(value) == 4 and value.isdigit()]
    closed = date.start is not None and date.end is not None
    return Span(
        first=years[0],
        last=years[-1],
        named=tuple(exact or (years if closed else ())),
        open_before=date.start is None,
        open_after=date.end is None,
    )


def birth_from_age(age: KnownAge) -> Span | None:
    """Return the birth years that an age at a date allows (rule 5)."""
    at = span_of(age.at)
    if at is None:
        return None
    first, last = at.first - age.years - 1, at.last - age.years
    return Span(
        first=first,
        last=last,
        named=tuple(range(first, last + 1)),
        note=f"birth worked out from age {age.years} in {age.at.text}",
    )


def inferred_birth(
    *,
    is_female: bool,
    marriages: Sequence[Span],
    children: Sequence[Span],
    parents_marriages: Sequence[Span],
    siblings: Sequence[Span],
    spouses: Sequence[Span],
) -> Span | None:
    """Return the birth years that the best other event implies (rule 6)."""
    usual_age, spread = (23, 9) if is_female else (25, 10)
    parent_age, parent_spread = (27, 12) if is_female else (31, 18)
    if marriages:
        return _around(marriages[0], -usual_age, spread, "the marriage")
    if children:
        return _around(children[0], -parent_age, parent_spread, "the first child")
    if parents_marriages:
        wedding = parents_marriages[0]
        return Span(
            first=wedding.first + 1,
            last=wedding.last + 25,
            note="birth worked out from the parents' marriage",
        )
    if siblings:
        return _around(siblings[0], 0, 20, "a sibling")
    return _around(spouses[0], 0, 12, "the spouse") if spouses else None


def inferred_death(birth: Span | None, last_event: int | None) -> Span | None:
    """Return the years in which the person may have died (rule 7)."""
    if birth is None:
        return None
    first = birth.first if last_event is None else max(birth.first, last_event)
    last = max(first, birth.last + MAX_AGE_YEARS)
    return Span(first=first, last=last, note="death worked out from the last known event")


def inferred_marriage(birth: Span | None, children: Sequence[Span]) -> Span | None:
    """Return the years in which the person may have married (rule 8)."""
    if birth is None and not children:
        return None
    first_child = min((child.first for child in children), default=None)
    first = birth.first + 16 if birth else (first_child or 0) - 25
    last = first_child + 1 if first_child is not None else first + 44
    if last < first:
        return None
    return Span(first=first, last=last, note="marriage worked out from birth and children")


def lifetime(birth: Span | None, death: Span | None) -> Span | None:
    """Return the years the person may have lived in (rule 12)."""
    if birth is None:
        if death is None:
            return None
        return Span(first=death.first - MAX_AGE_YEARS, last=death.last, note="lifetime")
    last = death.last if death is not None else birth.last + MAX_AGE_YEARS
    return Span(first=birth.first, last=max(last, birth.first), note="lifetime")


def _around(span: Span, offset: int, spread: int, source: str) -> Span:
    return Span(
        first=span.first + offset - spread,
        last=span.last + offset + spread,
        note=f"birth worked out from {source}",
    )

"""Spans of years, and rules 5 to 8 and 12: what one date says about another.

Rule 5   an age gives a birth: n years old at t was born in t-n-1 or t-n
Rule 6   birth unknown: from a marriage, a child, a sibling or a spouse
Rule 7   death unknown: between the last known event and a hundredth birthday
Rule 8   marriage unknown: from sixteen on, to a year after the first child
Rule 12  the lifetime: from the earliest birth to the latest death

The offsets are those of FIELD 3.3; each result carries a note for the explanation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

    @property
    def earliest(self) -> int:
        """Return the first year that is not ruled out; an open side reaches over a life."""
        return self.tolerable(0)[0]

    @property
    def latest(self) -> int:
        """Return the last year that is not ruled out."""
        return self.tolerable(0)[-1]

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
    exact = [int(value) for value in named_values(date) if value.lstrip("-").isdigit()]
    closed = date.start is not None and date.end is not None
    return Span(
        first=years[0],
        last=years[-1],
        named=tuple(exact or (years if closed else ())),
        open_before=date.start is None,
        open_after=date.end is None,
    )


def joined(spans: Sequence[Span]) -> Span | None:
    """Return the years that any of several dates of one event allows."""
    if not spans:
        return None
    return Span(
        first=min(span.first for span in spans),
        last=max(span.last for span in spans),
        open_before=any(span.open_before for span in spans),
        open_after=any(span.open_after for span in spans),
    )


def birth_from_age(age: KnownAge) -> Span | None:
    """Return the birth years that an age at a date allows (rule 5)."""
    at = span_of(age.at)
    if at is None:
        return None
    first, last = at.first - age.years - 1, at.last - age.years
    return replace(
        at,
        first=first,
        last=last,
        named=tuple(range(first, last + 1)) if at.named else (),
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
    if parents_marriages:  # from one to twenty-five years after it
        return _around(parents_marriages[0], 13, 12, "the parents' marriage")
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
    first = birth.first + 16 if birth else min(child.first for child in children) - 25
    last = min(child.last for child in children) + 1 if children else first + 44
    if last < first:
        return None
    return Span(first=first, last=last, note="marriage worked out from birth and children")


def lifetime(birth: Span | None, death: Span | None) -> Span | None:
    """Return the years the person may have lived in (rule 12)."""
    if birth is None:
        if death is None:
            return None
        return Span(first=death.earliest - MAX_AGE_YEARS, last=death.latest, note="lifetime")
    last = death.latest if death is not None else birth.latest + MAX_AGE_YEARS
    return Span(first=birth.earliest, last=max(last, birth.earliest), note="lifetime")


def _around(span: Span, offset: int, spread: int, source: str) -> Span:
    """Return a birth so many years from an event, open where the event is."""
    return replace(
        span,
        first=span.first + offset - spread,
        last=span.last + offset + spread,
        named=(),
        note=f"birth worked out from {source}",
    )

"""A span: the years that a date of the query allows, and those that its text names."""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.records.record import HistoricalDate
from forebear.search.terms.dates import allowed_years, named_values

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

    def aged(self, youngest: int, oldest: int) -> range:
        """Return the years in which somebody born in the span is of such an age."""
        return range(self.first + youngest, self.last + oldest + 1)


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

"""Which dates of a query cannot be true together, and which of them is then left aside?

Nobody marries, arrives or dies before being born.  Where a query says so, one of two dates is
wrong; the birth is the one that is known best as a rule, so the other is ignored, and said to be.
"""

from dataclasses import replace

from forebear.search.expansion.spans import Span, span_of
from forebear.search.query.person_query import LifeEvent, PersonQuery

SLACK_YEARS = 1  # a year off is no contradiction


def contradictions(query: PersonQuery) -> tuple[str, ...]:
    """Return what is ignored because it lies before the birth, in words."""
    return tuple(
        f"{event.kind} {event.date.text} (it lies before the birth)"
        for event in query.events
        if event.date is not None and _is_before(event, _birth(query))
    )


def without_contradictions(query: PersonQuery) -> PersonQuery:
    """Return the query without the dates that cannot be true together with the birth."""
    birth = _birth(query)
    if birth is None:
        return query
    events = tuple(
        replace(event, date=None) if _is_before(event, birth) else event for event in query.events
    )
    return replace(query, events=events)


def _birth(query: PersonQuery) -> Span | None:
    dates = [event.date for event in query.events if event.kind == "birth" and event.date]
    spans = [span for date in dates if (span := span_of(date))]
    return min(spans, key=lambda span: span.earliest, default=None)


def _is_before(event: LifeEvent, birth: Span | None) -> bool:
    if birth is None or event.kind == "birth" or event.date is None:
        return False
    span = span_of(event.date)
    return span is not None and span.latest < birth.earliest - SLACK_YEARS

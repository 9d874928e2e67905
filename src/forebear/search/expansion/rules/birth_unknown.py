"""Rule 6: a birth that nobody states, from the event that tells most about it.

A baptism tells it within a year; a marriage, a first child, the parents' marriage, a sibling
or a spouse within the years between which such things usually lie.
"""

from collections.abc import Sequence
from dataclasses import replace

from forebear.records.record import Sex
from forebear.search.expansion.spans import Span

AT_WEDDING = {"f": (23, 9), "m": (25, 10), None: (25, 10)}  # the usual age, and how far from it
AT_FIRST_CHILD = {"f": (27, 12), "m": (31, 18), None: (31, 18)}
AFTER_PARENTS_WEDDING = (13, 12)  # from one to twenty-five years
SIBLING_GAP = 20
SPOUSE_GAP = 12


def inferred_birth(
    *,
    sex: Sex | None,
    baptisms: Sequence[Span],
    marriages: Sequence[Span],
    children: Sequence[Span],
    parents_marriages: Sequence[Span],
    siblings: Sequence[Span],
    spouses: Sequence[Span],
) -> Span | None:
    """Return the birth years that the best other event implies."""
    if baptisms:
        return replace(
            baptisms[0],
            first=baptisms[0].first - 1,
            named=(),
            note="birth worked out from the baptism",
        )
    if marriages:
        age, spread = AT_WEDDING[sex]
        return _around(marriages[0], -age, spread, "the marriage")
    if children:
        age, spread = AT_FIRST_CHILD[sex]
        return _around(children[0], -age, spread, "the first child")
    if parents_marriages:
        return _around(parents_marriages[0], *AFTER_PARENTS_WEDDING, "the parents' marriage")
    if siblings:
        return _around(siblings[0], 0, SIBLING_GAP, "a sibling")
    return _around(spouses[0], 0, SPOUSE_GAP, "the spouse") if spouses else None


def _around(span: Span, offset: int, spread: int, source: str) -> Span:
    """Return a birth so many years from an event, open where the event is."""
    return replace(
        span,
        first=span.first + offset - spread,
        last=span.last + offset + spread,
        named=(),
        note=f"birth worked out from {source}",
    )

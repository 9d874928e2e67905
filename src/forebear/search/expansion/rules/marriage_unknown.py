"""Rule 8: a wedding that nobody states: from sixteen on, to a year after the first child."""

from collections.abc import Sequence

from forebear.search.expansion.spans import Span

YOUNGEST = 16
MARRYING_YEARS = 44  # from sixteen to sixty
BEFORE_FIRST_CHILD = 25


def inferred_marriage(birth: Span | None, children: Sequence[Span]) -> Span | None:
    """Return the years in which the person may have married."""
    if birth is None and not children:
        return None
    if birth is not None:
        first = birth.first + YOUNGEST
    else:
        first = min(child.first for child in children) - BEFORE_FIRST_CHILD
    last = min(child.last for child in children) + 1 if children else first + MARRYING_YEARS
    if last < first:
        return None
    return Span(first=first, last=last, note="marriage worked out from birth and children")


def wedding_limit(children: Sequence[Span]) -> int:
    """Return the last year that is still before, or hardly after, the first child."""
    return min(child.last for child in children) + 1


def last_child(children: Sequence[Span]) -> int:
    """Return the last year in which a wedding is not after all the children."""
    return max(child.latest for child in children) + 1

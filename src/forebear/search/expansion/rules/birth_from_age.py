"""Rule 5: an age gives a birth: whoever was n years old at t was born in t-n-1 or t-n."""

from dataclasses import replace

from forebear.search.expansion.spans import Span, span_of
from forebear.search.query.person_query import KnownAge


def birth_from_age(age: KnownAge) -> Span | None:
    """Return the birth years that an age at a date allows."""
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

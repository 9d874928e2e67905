"""Rule 7: a death that nobody states lies between the last known event and a hundredth birthday.

A child may be born in the year after its father's death, so the last child's birth bounds a
father's death by the year before.
"""

from forebear.records.record import Sex
from forebear.search.expansion.spans import Span

MAX_AGE_YEARS = 100


def inferred_death(birth: Span | None, last_event: int | None) -> Span | None:
    """Return the years in which the person may have died."""
    if birth is None:
        return None
    first = birth.first if last_event is None else max(birth.first, last_event)
    last = max(first, birth.last + MAX_AGE_YEARS)
    return Span(first=first, last=last, note="death worked out from the last known event")


def last_sign_of_life(own_events: list[Span], children: list[Span], sex: Sex | None) -> int | None:
    """Return the year of the last event at which the person was surely alive."""
    posthumous = 0 if sex == "f" else 1
    years = [span.first for span in own_events]
    years += [span.first - posthumous for span in children]
    return max(years, default=None)

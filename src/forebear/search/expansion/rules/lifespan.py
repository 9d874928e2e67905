"""Rule 12: when may a kind of record tell of a person at all, and when does it usually?

The lifetime runs from the earliest birth to the latest death; what is unknown of it is worked
out.  ``tables/windows.csv`` says for each record type where its records lie, in years from birth
(b), death (d), marriage (m) or arrival (a): the hard window is what is possible, the usual one
where most are.  Estates and directories outlive a person, so some windows have a tail.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from forebear.search.expansion.rules.death_unknown import MAX_AGE_YEARS
from forebear.search.expansion.spans import Span
from forebear.tables import read_table

WindowKind = Literal["hard", "usual"]


class End(NamedTuple):
    """An end of a window: so many years from an event."""

    event: str  # b, d, m or a
    years: int


class Window(NamedTuple):
    """Where the records of a type lie."""

    first: End
    last: End


def lifetime(birth: Span | None, death: Span | None) -> Span | None:
    """Return the years the person may have lived in."""
    if birth is None:
        if death is None:
            return None
        return Span(first=death.earliest - MAX_AGE_YEARS, last=death.latest, note="lifetime")
    last = death.latest if death is not None else birth.latest + MAX_AGE_YEARS
    return Span(first=birth.earliest, last=max(last, birth.earliest), note="lifetime")


def window_years(record_type: str, kind: WindowKind, events: Mapping[str, Span]) -> range | None:
    """Return the years of the first window whose events are known, by their letters."""
    for window in _windows().get((record_type, kind), ()):
        first, last = (events.get(end.event) for end in window)
        if first is not None and last is not None:
            start = first.earliest if kind == "hard" else first.first
            stop = last.latest if kind == "hard" else last.last
            return range(start + window.first.years, stop + window.last.years + 1)
    return None


def tail_years(record_type: str) -> int:
    """Return how long after a death records of a type may still be made."""
    windows = _windows().get((record_type, "hard"), ())
    return max((w.last.years for w in windows if w.last.event == "d"), default=0)


@cache
def _windows() -> dict[tuple[str, str], list[Window]]:
    found: dict[tuple[str, str], list[Window]] = {}
    for row in read_table("search/windows"):
        window = Window(_end(row["first"]), _end(row["last"]))
        found.setdefault((row["record_type"], row["kind"]), []).append(window)
    return found


def _end(text: str) -> End:
    """Return an end as the table writes it: b, d+3, b-1."""
    return End(text[0], int(text[1:] or 0))

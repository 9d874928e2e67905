"""Rule 9: in which quarter is an event registered?

Civil registration is indexed by quarters, named by their last month.  A birth may be registered
six weeks later, so in its quarter or the next; deaths and weddings in their own.  A district is
named after its market town, and covers the places around it.
"""

from collections.abc import Iterable

from forebear.records.record import HistoricalDate

MONTHS = 3
NEAR_DISTRICT_KM = 20  # how far a place lies from the town that its district is named after


def quarters_of(dates: Iterable[HistoricalDate], *, and_next: bool = False) -> frozenset[str]:
    """Return the quarters of events, as indexes date them.

    >>> from forebear.normalize.dates import read_date
    >>> sorted(quarters_of([read_date("12 Dec 1851")], and_next=True))
    ['1851-q4', '1852-q1']
    """
    found: set[str] = set()
    for date in dates:
        if date.precision not in ("day", "month", "quarter") or date.start is None:
            continue
        year, quarter = date.start.year, (date.start.month + MONTHS - 1) // MONTHS
        found.add(f"{year}-q{quarter}")
        if and_next:
            found.add(f"{year + 1}-q1" if quarter == 4 else f"{year}-q{quarter + 1}")
    return frozenset(found)

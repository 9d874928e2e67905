"""In which years may something have happened?  Rules 5 to 9 and 12 of the table ``search/rules``.

5. *An age gives a birth*: whoever was n years old at t was born in t-n-1 or t-n.
6. *A birth that is not stated* follows from the event that says most about it: a baptism within a
   year; a marriage, a first child, the parents' marriage, a sibling or a spouse within the years
   between which such things usually lie.
7. *A death that is not stated* lies between the last known event and a hundredth birthday.  A
   child may be born in the year after its father's death, so the last child's birth bounds a
   father's death by the year before.
8. *A marriage that is not stated* lies between the age of sixteen and a year after the first child.
9. *An event is registered* in a quarter.  Civil registration is indexed by quarters, named by their
   last month.  A birth may be registered six weeks later, so in its quarter or the next; deaths and
   marriages in their own.  A district is named after its market town, and covers the places around
   it.
12. *A lifetime* runs from the earliest birth to the latest death; what is unknown of it is
   inferred.  The table ``search/windows`` says for each record type where its records lie, in years
   from birth (b), death (d), marriage (m) or arrival (a): the hard window is what is possible, the
   usual one where most are.  Estates and directories outlive a person, so some windows have a tail.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

from forebear.records.record import HistoricalDate, Sex
from forebear.search.query.person_query import KnownAge
from forebear.search.terms.values import allowed_years, named_values
from forebear.tables import read_table

OPEN_SIDE_YEARS = 110  # how far an open date reaches before it excludes anything


@dataclass(frozen=True, slots=True, kw_only=True)
class YearRange:
    """The years that a date allows, both ends inside, and those that its text names."""

    first: int
    last: int
    named: tuple[int, ...] = ()
    open_before: bool = False
    open_after: bool = False
    note: str = ""

    @property
    def earliest(self) -> int:
        """Return the first year that is not ruled out; an open side reaches over a life."""
        return self.compatible(0)[0]

    @property
    def latest(self) -> int:
        """Return the last year that is not ruled out."""
        return self.compatible(0)[-1]

    def widened(self, years: int) -> range:
        """Return the years at most this many away."""
        return range(self.first - years, self.last + years + 1)

    def compatible(self, years: int) -> range:
        """Return the years that do not contradict the range."""
        before = OPEN_SIDE_YEARS if self.open_before else years
        after = OPEN_SIDE_YEARS if self.open_after else years
        return range(self.first - before, self.last + after + 1)

    def aged(self, youngest: int, oldest: int) -> range:
        """Return the years in which those born in the range are of such an age."""
        return range(self.first + youngest, self.last + oldest + 1)


def year_range_of(date: HistoricalDate) -> YearRange | None:
    """Return the years a date of the query allows."""
    years = allowed_years(date)
    if not years:
        return None
    exact = [int(value) for value in named_values(date) if value.lstrip("-").isdigit()]
    closed = date.start is not None and date.end is not None
    return YearRange(
        first=years[0],
        last=years[-1],
        named=tuple(exact or (years if closed else ())),
        open_before=date.start is None,
        open_after=date.end is None,
    )


def joined(spans: Sequence[YearRange]) -> YearRange | None:
    """Return the years that any of several dates of one event allows."""
    if not spans:
        return None
    return YearRange(
        first=min(span.first for span in spans),
        last=max(span.last for span in spans),
        open_before=any(span.open_before for span in spans),
        open_after=any(span.open_after for span in spans),
    )


# Rule 5: an age.


def birth_from_age(age: KnownAge) -> YearRange | None:
    """Return the birth years that an age at a date allows."""
    at = year_range_of(age.at)
    if at is None:
        return None
    first, last = at.first - age.years - 1, at.last - age.years
    return replace(
        at,
        first=first,
        last=last,
        named=tuple(range(first, last + 1)) if at.named else (),
        note=f"birth inferred from age {age.years} in {age.at.text}",
    )


# Rule 6: a birth that is not stated.

AT_MARRIAGE = {"f": (23, 9), "m": (25, 10), None: (25, 10)}  # the usual age, and how far from it
AT_FIRST_CHILD = {"f": (27, 12), "m": (31, 18), None: (31, 18)}
AFTER_PARENTS_MARRIAGE = (13, 12)  # from one to twenty-five years
SIBLING_GAP = 20
SPOUSE_GAP = 12


def inferred_birth(
    *,
    sex: Sex | None,
    baptisms: Sequence[YearRange],
    marriages: Sequence[YearRange],
    children: Sequence[YearRange],
    parents_marriages: Sequence[YearRange],
    siblings: Sequence[YearRange],
    spouses: Sequence[YearRange],
) -> YearRange | None:
    """Return the birth years that the best other event implies."""
    if baptisms:
        return replace(
            baptisms[0],
            first=baptisms[0].first - 1,
            named=(),
            note="birth inferred from the baptism",
        )
    if marriages:
        age, spread = AT_MARRIAGE[sex]
        return _around(marriages[0], -age, spread, "the marriage")
    if children:
        age, spread = AT_FIRST_CHILD[sex]
        return _around(children[0], -age, spread, "the first child")
    if parents_marriages:
        return _around(parents_marriages[0], *AFTER_PARENTS_MARRIAGE, "the parents' marriage")
    if siblings:
        return _around(siblings[0], 0, SIBLING_GAP, "a sibling")
    return _around(spouses[0], 0, SPOUSE_GAP, "the spouse") if spouses else None


def _around(span: YearRange, offset: int, spread: int, source: str) -> YearRange:
    """Return a birth some years from an event, open where the event is."""
    return replace(
        span,
        first=span.first + offset - spread,
        last=span.last + offset + spread,
        named=(),
        note=f"birth inferred from {source}",
    )


# Rule 7: a death that is not stated.

MAX_AGE_YEARS = 100


def inferred_death(birth: YearRange | None, last_event: int | None) -> YearRange | None:
    """Return the years in which the person may have died."""
    if birth is None:
        return None
    first = birth.first if last_event is None else max(birth.first, last_event)
    last = max(first, birth.last + MAX_AGE_YEARS)
    return YearRange(first=first, last=last, note="death inferred from the last known event")


def last_sign_of_life(
    own_events: list[YearRange], children: list[YearRange], sex: Sex | None
) -> int | None:
    """Return the year of the last event at which the person was surely alive."""
    posthumous = 0 if sex == "f" else 1
    years = [span.first for span in own_events]
    years += [span.first - posthumous for span in children]
    return max(years, default=None)


# Rule 8: a marriage that is not stated.

YOUNGEST = 16
MARRYING_YEARS = 44  # from sixteen to sixty
BEFORE_FIRST_CHILD = 25


def inferred_marriage(birth: YearRange | None, children: Sequence[YearRange]) -> YearRange | None:
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
    return YearRange(first=first, last=last, note="marriage inferred from birth and children")


def marriage_limit(children: Sequence[YearRange]) -> int:
    """Return the last year that is still before, or hardly after, the first child."""
    return min(child.last for child in children) + 1


def last_child(children: Sequence[YearRange]) -> int:
    """Return the last year in which a marriage is not after all the children."""
    return max(child.latest for child in children) + 1


# Rule 9: quarters of registration.

MONTHS = 3
NEAR_DISTRICT_KM = 20  # how far a place lies from the town that its district is named after


def quarters_of(dates: Iterable[HistoricalDate], *, and_next: bool = False) -> frozenset[str]:
    """Return the quarters of events, as indexes date them.

    >>> from forebear.normalize.dates import read_date
    >>> sorted(quarters_of([read_date("12 Dec 1851")], and_next=True))
    ['1851-q4', '1852-q1']
    """
    quarters: set[str] = set()
    for date in dates:
        if date.precision not in ("day", "month", "quarter") or date.start is None:
            continue
        year, quarter = date.start.year, (date.start.month + MONTHS - 1) // MONTHS
        quarters.add(f"{year}-q{quarter}")
        if and_next:
            quarters.add(f"{year + 1}-q1" if quarter == 4 else f"{year}-q{quarter + 1}")
    return frozenset(quarters)


# Rule 12: lifetimes.

WindowKind = Literal["hard", "usual"]


class End(NamedTuple):
    """An end of a window: a number of years from an event."""

    event: str  # b, d, m or a
    years: int


class Window(NamedTuple):
    """Where the records of a type lie."""

    first: End
    last: End


def lifetime(birth: YearRange | None, death: YearRange | None) -> YearRange | None:
    """Return the years the person may have lived in."""
    if birth is None:
        if death is None:
            return None
        return YearRange(first=death.earliest - MAX_AGE_YEARS, last=death.latest, note="lifetime")
    last = death.latest if death is not None else birth.latest + MAX_AGE_YEARS
    return YearRange(first=birth.earliest, last=max(last, birth.earliest), note="lifetime")


def window_years(
    record_type: str, kind: WindowKind, events: Mapping[str, YearRange]
) -> range | None:
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
    windows: dict[tuple[str, str], list[Window]] = {}
    for row in read_table("search/windows"):
        window = Window(_end(row["first"]), _end(row["last"]))
        windows.setdefault((row["record_type"], row["kind"]), []).append(window)
    return windows


def _end(text: str) -> End:
    """Return an end as the table writes it: b, d+3, b-1."""
    return End(text[0], int(text[1:] or 0))

"""A date as people wrote it: an interval of days, and the words it came from.

A historical date is seldom one day.  "Abt 1850" may be any day of five years, "Feb
1731/32" has two years, "bef 1850" has no beginning.  So a date is the interval of days
it allows, how precisely it was stated, and the text, which is never lost.  Days are
proleptic Gregorian with astronomical years, so that years before Christ fit as well.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Qualifier = Literal[
    "exact", "about", "calculated", "estimated", "before", "after", "between", "period", "phrase"
]
# "interval" has two ends or two readings; the rest is what one date names.
Precision = Literal[
    "day", "month", "season", "quarter", "year", "decade", "century", "interval", "none"
]


class Day(NamedTuple):
    """A day of the proleptic Gregorian calendar; the year before 1 is 0."""

    year: int
    month: int
    day: int

    def __str__(self) -> str:
        sign = "-" if self.year < 0 else ""
        return f"{sign}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoricalDate:
    """An interval of days, both ends inside; ``None`` is an open end."""

    text: str
    start: Day | None = None
    end: Day | None = None
    qualifier: Qualifier = "exact"
    precision: Precision = "none"
    # The year as then written, where the modern one differs: 11 Feb 1731/32 has 1731.
    written_year: int | None = None

    @property
    def is_known(self) -> bool:
        """Say whether the date bounds anything at all."""
        return self.start is not None or self.end is not None

    @property
    def first_year(self) -> int | None:
        """Return the earliest year the date allows, if it is bounded below."""
        return self.start.year if self.start else None

    @property
    def last_year(self) -> int | None:
        """Return the latest year the date allows, if it is bounded above."""
        return self.end.year if self.end else None

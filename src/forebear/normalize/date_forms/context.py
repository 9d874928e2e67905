"""What is known about a date beside its text?

The same words mean different days in different books: "Mar 1850" is a quarter in an index of
civil registration, "12/3/1850" is in December in America, and "11 Feb 1700" lies in two years
where the year began on 25 March.  What is not known is left empty, and then nothing is assumed.
"""

import re
from functools import cache
from typing import NamedTuple

from forebear.records.record import Day
from forebear.tables import read_table

_MARKS = re.compile(
    r"@#d(julian|hebrew|french r|gregorian|roman|unknown)@|\b(julian|hebrew|french_r|gregorian)\b"
)
_STYLES = re.compile(
    r"[\s,(]*(?:\b(?P<os>o\. ?s\.?|os|old style)"
    r"|\b(?P<sv>st\. ?v\.?|stilo vet(?:eri|\.)|alten stils)"
    r"|\b(?P<ns>n\. ?s\.?|ns|new style|st\. ?n\.?|stilo novo|neuen stils))[\s)]*$"
)
_CALENDARS = {
    **{"french r": "republican", "french_r": "republican", "gregorian": ""},
    "roman": "unknown",  # a mark of GEDCOM that was never given a calendar
}


class DateContext(NamedTuple):
    """What the source of a date says: its kind, locale, calendar and country."""

    collection: str = ""  # "bmd_index": a quarter is named by its last month
    locale: str = ""  # us: the month before the day; uk, de, fr, nl: the day before the month
    calendar: str = ""  # julian, quaker, hebrew, republican
    country: str = ""
    is_old_style: bool = False  # in England that left the year in doubt as well as the day

    @property
    def is_julian(self) -> bool:
        """Say whether days are marked as Julian."""
        return self.calendar == "julian"


class CalendarSwitch(NamedTuple):
    """How a country counted days and years until it changed."""

    last_julian: Day
    first_gregorian: Day
    last_spring_year: int  # the last year written that began on 25 March


def take_marks(text: str, context: DateContext) -> tuple[str, DateContext]:
    """Return the text without the marks of calendar and style, and the context with them."""
    if style := _STYLES.search(text):
        text = text[: style.start()]
        calendar = "" if style["ns"] else "julian"
        context = context._replace(calendar=calendar, is_old_style=bool(style["os"]))
    if mark := _MARKS.search(text):
        name = mark[1] or mark[2]
        context = context._replace(calendar=_CALENDARS.get(name, name))
        text = text[: mark.start()] + " " + text[mark.end() :]
    return " ".join(text.split()), context


def calendar_switch(country: str) -> CalendarSwitch | None:
    """Return when and how a country changed its calendar, if the table knows it."""
    return _switches().get(country)


@cache
def _switches() -> dict[str, CalendarSwitch]:
    return {
        row["country"]: CalendarSwitch(
            _day(row["last_julian"]), _day(row["first_gregorian"]), int(row["last_spring_year"])
        )
        for row in read_table("normalize/calendar_switches")
    }


def _day(text: str) -> Day:
    return Day(*map(int, text.split("-")))

"""Which day is Michaelmas 1612, or the third Sunday after Trinity 1760?

Clerks dated by the church year.  The table gives fixed feasts by month and day and movable ones
by their distance from Easter or from the first Sunday of Advent; Sundays are counted from some
of them. Easter is reckoned by the calendar of the country and time, and the day is left as
written there.
"""

import re
from functools import cache
from typing import NamedTuple

from anyascii import anyascii

from forebear.normalize.date_forms.calendars import from_julian, to_julian
from forebear.normalize.date_forms.computus import gregorian_easter, julian_easter
from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.numbers import read_number
from forebear.normalize.date_forms.readings import date_of, read_civil, uses_julian_days
from forebear.normalize.days import day_of_number, number_of_day
from forebear.records.record import Day, HistoricalDate
from forebear.tables import read_table, word_set

FIRST_GREGORIAN_EASTER = 1583
_YEAR = re.compile(r"(?:^|(?<=[\s,.]))([0-9]{4})(?:/([0-9]{4}|[0-9]{1,2}))?(?=$|[\s,.])")
_WORD = re.compile(r"[a-z]+|[0-9]+(?:st|nd|rd|th)?")
_RULE = re.compile(r"(easter|advent|[0-9]{2}-[0-9]{2})([+-][0-9]+)?")
_NEAR = {"eve": -1, "vigil": -1, "vigilia": -1, "morrow": 1, "octave": 7}
_WEEKDAYS = {"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6}
_VIRGIN = re.compile(r"\bb\. ?v\. ?m\b\.?|\bbvm\b")


class _Rule(NamedTuple):
    """A day of the church year: from which feast or date, and how many days on."""

    anchor: str  # easter, advent, or month and day
    days: int
    sundays: str = ""  # the Sundays counted from it: after it, or in it (the first is itself)
    is_counted: bool = False  # such a Sunday
    weekday: int = 0  # the day of the week from Monday, if the one after the feast is meant
    is_before: bool = False  # the one before it


def read_feast(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the day of a feast that clean, lower-case text names with its year."""
    year = _YEAR.search(text)
    rule = _rule_named(_YEAR.sub(" ", text, count=1)) if year else None
    if not year or not rule:
        return None
    number = int(year[1])
    later = year[2] is not None and str(number + 1).endswith(year[2])
    day = _day_of(rule, number + later, context)
    readings = read_civil(*day, context=context, is_dual=later)
    if len(readings) == 2 and not rule.anchor[0].isdigit():  # it moved from year to year
        other = _day_of(rule, number + 1, context)
        readings[1:] = read_civil(*other, context=context, is_dual=True)
    return date_of(text, readings)


def _day_of(rule: _Rule, year: int, context: DateContext) -> Day:
    """Return the day as written in the calendar of its place and time."""
    is_julian = year < FIRST_GREGORIAN_EASTER or context.is_julian
    is_julian = is_julian or uses_julian_days(year, 4, 1, context.country)
    anchor = _anchor(rule.anchor, year, is_julian=is_julian)
    number = number_of_day(from_julian(*anchor) if is_julian else anchor) + rule.days
    if rule.is_counted:  # "after Epiphany" counts from the Sunday before, if it is no Sunday
        number -= number % 7
    if rule.weekday:
        days = (rule.weekday - number) % 7 or 7
        number += days % 7 - 7 if rule.is_before else days
    day = day_of_number(number)
    return to_julian(day) if is_julian else day


def _anchor(name: str, year: int, *, is_julian: bool) -> Day:
    if name == "easter":
        return julian_easter(year) if is_julian else gregorian_easter(year)
    if name != "advent":
        month, day = map(int, name.split("-"))
        return Day(year, month, day)
    latest = Day(year, 12, 3)  # the first Sunday of Advent is the nearest to 30 November
    number = number_of_day(from_julian(*latest) if is_julian else latest)
    sunday = day_of_number(number - number % 7)
    return to_julian(sunday) if is_julian else sunday


def _rule_named(text: str) -> _Rule | None:
    words = _key_words(text)
    if not words or len(words) > 8:
        return None
    if words[0] in _NEAR and (rule := _rules().get(" ".join(words[1:]))):
        return rule._replace(days=rule.days + _NEAR[words[0]])
    if words[-1] in _NEAR and (rule := _rules().get(" ".join(words[:-1]))):
        near = rule._replace(days=rule.days + _NEAR[words[-1]])
        return _rules().get(" ".join(words), near)
    return _rules().get(" ".join(words)) or _weekday_named(words) or _sunday_named(words)


def _weekday_named(words: list[str]) -> _Rule | None:
    """Return the rule of a day of the week by a feast: "monday next after michaelmas"."""
    weekday = _WEEKDAYS.get(words[0])
    rule = _rules().get(" ".join(words[2:])) if weekday else None
    if not rule or not weekday or words[1] not in {*word_set("feasts.after"), "before"}:
        return None
    return rule._replace(weekday=weekday, is_before=words[1] == "before")


def _sunday_named(words: list[str]) -> _Rule | None:
    """Return the rule of a counted Sunday: "dom 3 post trin", "5th sunday after trinity"."""
    is_sunday = not word_set("feasts.sundays").isdisjoint(words)
    plain = [
        word
        for word in words
        if word not in word_set("feasts.sundays") and word not in word_set("feasts.after")
    ]
    if (
        not is_sunday
        and word_set("feasts.after").isdisjoint(words)
        and "advent" not in " ".join(plain)
    ):
        return None
    if (
        plain
        and (rule := _rules().get(" ".join(plain)))
        and is_sunday
        and word_set("feasts.after").isdisjoint(words)
    ):
        return rule  # "Dom. Invocavit"
    if is_sunday and " ".join(plain) in _rules():
        plain = ["1", *plain]  # "Sunday after Easter"
    number = read_number(plain[0]) if len(plain) > 1 else None
    rule = _rules().get(" ".join(plain[1:])) if number else None
    if not rule or not rule.sundays or not number or number > 30:
        return None
    weeks = number if rule.sundays == "after" else number - 1
    return rule._replace(days=rule.days + 7 * weeks, is_counted=True)


def _key_words(text: str) -> list[str]:
    text = _VIRGIN.sub("blessed virgin mary", text)
    plain = re.sub(r"'s?\b", "", anyascii(text).lower().replace("-", " "))
    words = (word for word in _WORD.findall(plain) if word not in word_set("feasts.filler"))
    return ["st" if word in word_set("feasts.saints") else word for word in words]


@cache
def _rules() -> dict[str, _Rule]:
    rules: dict[str, _Rule] = {}
    for row in read_table("normalize/feasts"):
        match = _RULE.fullmatch(row["rule"])
        if match:
            rule = _Rule(match[1], int(match[2] or 0), row["sundays"])
            rules |= {" ".join(_key_words(name)): rule for name in row["names"].split("|")}
    return rules

"""Which day is Michaelmas 1612 or the third Sunday after Trinity 1760, and which year 12 Eliz?

Clerks dated by the church year.  The table gives fixed feasts by month and day and movable ones
by their distance from Easter or from the first Sunday of Advent; Sundays are counted from some
of them. Easter is reckoned by the calendar of the country and time, and the day is left as
written there.

English law and manors dated by the years of the reign, each from the day of the accession.  Days
are as then written.
"""

import re
from functools import cache
from typing import NamedTuple

from anyascii import anyascii

from forebear.normalize.dates.calendars import gregorian_easter, julian_easter
from forebear.normalize.dates.intervals import (
    DateContext,
    DateReading,
    date_of,
    day_of_number,
    from_julian,
    number_of_day,
    plus_days,
    plus_years,
    read_civil,
    to_julian,
    uses_julian_days,
)
from forebear.normalize.dates.words import month_named, read_number, vocabulary
from forebear.records.record import Day, HistoricalDate
from forebear.tables import read_table

FIRST_GREGORIAN_EASTER = 1583
MAX_WORDS = 8  # of the name of a feast
MAX_SUNDAYS = 30
_YEAR = re.compile(r"(?:^|(?<=[\s,.]))([0-9]{4})(?:/([0-9]{4}|[0-9]{1,2}))?(?=$|[\s,.])")
_WORD = re.compile(r"[a-z]+|[0-9]+(?:st|nd|rd|th)?")
_RULE = re.compile(r"(easter|advent|[0-9]{2}-[0-9]{2})([+-][0-9]+)?")
_VIRGIN = re.compile(r"\bb\. ?v\. ?m\b\.?|\bbvm\b")
_COUNTING = ("sunday", "after")
_REGNAL_WORD = re.compile(r"[^\W_]+")
_ORDINALS = dict(zip("12345678", ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"], strict=True))


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
    if not 0 < len(words) <= MAX_WORDS:
        return None
    if len(words) == 1 and month_named(words[0]) and "day" not in text:
        return None  # in May, but not May Day
    rules, near = _rules(), vocabulary("near feast")
    if words[0] in near and (rule := rules.get(" ".join(words[1:]))):
        return rule._replace(days=rule.days + int(near[words[0]]))
    if rule := rules.get(" ".join(words)):
        return rule
    if words[-1] in near and (rule := rules.get(" ".join(words[:-1]))):
        return rule._replace(days=rule.days + int(near[words[-1]]))
    return _weekday_named(words) or _sunday_named(words)


def _weekday_named(words: list[str]) -> _Rule | None:
    """Return the rule of a day of the week by a feast: "monday next after michaelmas"."""
    weekday = vocabulary("weekday").get(words[0])
    rule = _rules().get(" ".join(words[2:])) if weekday else None
    direction = vocabulary("feast").get(words[1]) if rule else None
    if not rule or not weekday or direction not in ("after", "before"):
        return None
    return rule._replace(weekday=int(weekday), is_before=direction == "before")


def _sunday_named(words: list[str]) -> _Rule | None:
    """Return the rule of a counted Sunday: "dom 3 post trin", "5th sunday after trinity"."""
    rules = _rules()
    meanings = [vocabulary("feast").get(word) for word in words]
    is_sunday, is_after = "sunday" in meanings, "after" in meanings
    rest = [w for w, meaning in zip(words, meanings, strict=True) if meaning not in _COUNTING]
    feast = rules.get(" ".join(rest))
    if not is_sunday and not is_after and not any(word.startswith("advent") for word in rest):
        return None
    if feast and is_sunday and not is_after:
        return feast  # "Dom. Invocavit"
    if feast and is_sunday:
        rest = ["1", *rest]  # "Sunday after Easter"
    number = read_number(rest[0]) if len(rest) > 1 else None
    rule = rules.get(" ".join(rest[1:])) if number else None
    if not rule or not rule.sundays or not number or number > MAX_SUNDAYS:
        return None
    weeks = number if rule.sundays == "after" else number - 1
    return rule._replace(days=rule.days + 7 * weeks, is_counted=True)


def _key_words(text: str) -> list[str]:
    text = _VIRGIN.sub("blessed virgin mary", text)
    ascii_text = re.sub(r"'s?\b", "", anyascii(text).lower().replace("-", " "))
    meanings = vocabulary("feast")
    words = [word for word in _WORD.findall(ascii_text) if meanings.get(word) != "filler"]
    return ["st" if meanings.get(word) == "saint" else word for word in words]


@cache
def _rules() -> dict[str, _Rule]:
    rules: dict[str, _Rule] = {}
    for row in read_table("normalize/dates/feasts"):
        match = _RULE.fullmatch(row["rule"])
        if match:
            rule = _Rule(match[1], int(match[2] or 0), row["sundays"])
            rules |= {" ".join(_key_words(name)): rule for name in row["names"].split("|")}
    return rules


def read_regnal_year(text: str, _context: DateContext) -> HistoricalDate | None:
    """Return the year of a reign that clean, lower-case text names: "12 eliz", "3 geo. iii"."""
    words = [word for word in _REGNAL_WORD.findall(text) if word not in vocabulary("reign")]
    if not 2 <= len(words) <= 4:
        return None
    year = read_number(words[0])
    name = " ".join([words[1], *(_ORDINALS.get(word, word) for word in words[2:])])
    start, length = _reigns().get(name, (None, 0))
    if not start or not year or year > length:
        return None
    first = plus_years(start, year - 1)
    return date_of(text, [DateReading(first, plus_days(plus_years(first, 1), -1), "year")])


@cache
def _reigns() -> dict[str, tuple[Day, int]]:
    return {
        name: (Day(*map(int, row["accession"].split("-"))), int(row["years"]))
        for row in read_table("normalize/dates/reigns")
        for name in row["names"].split("|")
    }

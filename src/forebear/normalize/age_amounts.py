"""How long is "1 year 7 months", "9/12", "2½", "3w", "36 hours"?

An age in completed units allows less than one unit more, so an amount is read with the smallest
unit it names: "2y 5m" is at least two years and five months and less than one month more.
Hours and minutes leave the day of birth in doubt, since the hour of the event is unknown.
"""

import re
from functools import cache
from typing import NamedTuple

from forebear.normalize.age_words import age_word
from forebear.normalize.days import plus_days, plus_months
from forebear.records.record import Day
from forebear.tables import read_table

_FRACTIONS = {"½": " 1/2", "¼": " 1/4", "¾": " 3/4"}


class Amount(NamedTuple):
    """A length of time, months counted before days."""

    months: int = 0
    days: int = 0

    def plus(self, other: "Amount", times: int = 1) -> "Amount":
        """Return this amount and ``times`` the other."""
        return Amount(self.months + times * other.months, self.days + times * other.days)

    def before(self, day: Day) -> Day:
        """Return the day that lies this amount before another."""
        return plus_days(plus_months(day, -self.months), -self.days)


class AgeAmount(NamedTuple):
    """An amount of age in completed units, and the smallest of these."""

    amount: Amount
    unit: Amount


YEAR, MONTH, WEEK, DAY = Amount(months=12), Amount(months=1), Amount(days=7), Amount(days=1)
_UNITS = {"year": YEAR, "month": MONTH, "week": WEEK, "day": DAY}
_TWO_DAYS = Amount(days=2)


def read_age_amount(text: str) -> AgeAmount | None:
    """Return the amount that clean, lower-case text names; a bare number is years.

    >>> read_age_amount("1 6/12")
    AgeAmount(amount=Amount(months=18, days=0), unit=Amount(months=1, days=0))
    """
    for sign, fraction in _FRACTIONS.items():
        text = text.replace(sign, fraction)
    total, position = AgeAmount(Amount(), YEAR), 0
    while position < len(text) or position == 0:
        item = _item().match(text, position)
        read = _read_item(*item.groups(), is_alone=item.span() == (0, len(text))) if item else None
        if not item or not read:
            return None
        total, position = AgeAmount(total.amount.plus(read.amount), read.unit), item.end()
    return total


def is_unit(word: str) -> bool:
    """Say whether the word is a unit of age, in any language."""
    return word in _unit_words()


def _read_item(
    whole: str | None, top: str | None, bottom: str | None, word: str, *, is_alone: bool
) -> AgeAmount | None:
    unit_name = _unit_words().get(word, "") if word else "year" if is_alone else ""
    number = int(whole or 0)
    if unit_name in ("hour", "minute"):
        return AgeAmount(Amount(days=number // 24 if unit_name == "hour" else 0), _TWO_DAYS)
    if unit_name not in _UNITS:
        return None
    unit = _UNITS[unit_name]
    amount = Amount().plus(unit, number)
    if top is None or bottom is None:
        return AgeAmount(amount, unit)
    part = _read_fraction(int(top), int(bottom)) if unit == YEAR else AgeAmount(Amount(), unit)
    return AgeAmount(amount.plus(part.amount), part.unit) if part else None


def _read_fraction(top: int, bottom: int) -> AgeAmount | None:
    """Read a part of a year; census takers wrote months in twelfths and weeks in 52nds."""
    if bottom in (2, 3, 4, 6, 12):
        return AgeAmount(Amount(months=12 * top // bottom), MONTH)
    if bottom == 52:
        return AgeAmount(Amount(days=7 * top), WEEK)
    return AgeAmount(Amount(days=top), DAY) if bottom == 365 else None


@cache
def _item() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:([0-9]{1,3})(?![0-9]*\s?/)|(?=[0-9]+\s?/))"  # the number, unless only a fraction
        r"\s*(?:([0-9]{1,3})\s?/\s?([0-9]{1,3}))?"  # a fraction
        r"\s*([^\W\d_]*)\.?"  # a unit
        rf"(?:\s*,?\s*(?:[,&+]|{age_word('joint')}(?=\s)))?\s*"  # what joins it to the next
    )


@cache
def _unit_words() -> dict[str, str]:
    return {
        word: row["unit"]
        for row in read_table("normalize/age_units")
        for word in row["words"].split()
    }

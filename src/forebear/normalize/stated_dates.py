"""Which days does one date in words name, as it stands: day, month and year in any order?

Every word is a day, a month, a year, an unreadable mark or filler, and the order of kinds
(day month year, month day year, year alone ...) says whether it is a date.  A part may have
several readings: ``1_ Mar 1850`` is one of ten days, ``12 Ma_`` is March or May, ``185_`` ten
years.  Then the date is the hull of them all.

A dual year (``1731/32``) is one year written in two reckonings, where the year began on
25 March until 1752: the later number is ours, the earlier the one then written.  After that
a slash is doubt between two years.
"""

import re
from functools import cache
from itertools import product
from typing import NamedTuple

from forebear.normalize.date_words import words_meaning
from forebear.normalize.days import last_day, month_length
from forebear.normalize.read_table import read_table
from forebear.records.dates import Day, HistoricalDate, Precision

LAST_DUAL_YEAR = 1750  # its January to March are also 1751
LAST_YEAR = 2199  # what is greater is another calendar, or no year
_ORDERS = re.compile(r"(?:[d?]?[m?])?y|m[d?]y|y[m?][d?]?|ydm")
_BREAKS = re.compile(r"[\s,.]+|(?<=\S)-")
_UNREADABLE = re.compile(r"[*_?]+|x{2,}|0{1,2}")
_DAY = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|d|er|e)?")
_YEAR = re.compile(r"[0-9]{4}")
_SLASHED_YEAR = re.compile(r"([0-9]{4})/([0-9]{4}|[0-9]{1,2})")
_YEARS = re.compile(r"([0-9]{3}0)s")
_MASK = re.compile(r"(?=.*[_?x*\[])(?:[0-9_?x*]|\[[0-9]+\]){2,4}")
_MASKED_MONTH = re.compile(r"[a-z_*?]{2,}")


class _Part(NamedTuple):
    """A word of a date: its kind (d, m, y or ? for unreadable) and what it may be."""

    kind: str
    readings: tuple[int, ...] = ()
    written_year: int | None = None
    is_span: bool = False  # "1850s" names its years, rather than doubting which


def read_stated_date(text: str) -> HistoricalDate | None:
    """Return the date that clean, lower-case text names, without qualifying words."""
    words = [word for word in _BREAKS.split(text) if word and word not in words_meaning("filler")]
    parts = [_read_word(word) for word in words]
    known = [part for part in parts if part]
    order = "".join(part.kind for part in known)
    if len(known) < len(parts) or not _ORDERS.fullmatch(order):
        return None
    by_kind = {part.kind: part for part in known}
    years = by_kind["y"].readings
    if min(years) < 1 or max(years) > LAST_YEAR:
        return None
    months = by_kind["m"].readings if "m" in by_kind else ()
    days = by_kind["d"].readings if "d" in by_kind and months else ()
    return _hull(text, by_kind["y"], months, days)


def _hull(text: str, year: _Part, months: tuple[int, ...], days: tuple[int, ...]) -> HistoricalDate:
    """Return the interval from the earliest to the latest reading."""
    possible = [
        Day(*reading)
        for reading in product(year.readings, months, days)
        if 0 < reading[2] <= month_length(*reading[:2])
    ]
    if possible:
        start, end, count = min(possible), max(possible), len(possible)
    else:  # no day, or one the month does not have: the month is kept
        count = len(year.readings) * max(len(months), 1)
        start = Day(year.readings[0], months[0] if months else 1, 1)
        end = last_day(year.readings[-1], months[-1] if months else 12)
    precision: Precision = "day" if possible else "month" if months else "year"
    return HistoricalDate(
        text=text,
        start=start,
        end=end,
        qualifier="exact" if count == 1 or (year.is_span and not months) else "between",
        precision=precision if count == 1 else "interval",
        written_year=year.written_year,
    )


def _read_word(word: str) -> _Part | None:
    if word in _months():
        return _Part("m", (_months()[word],))
    if _UNREADABLE.fullmatch(word):
        return _Part("?")
    if day := _DAY.fullmatch(word):
        return _Part("d", (int(day[1]),))
    return _read_year(word) or _read_mask(word)


def _read_year(word: str) -> _Part | None:
    if _YEAR.fullmatch(word):
        return _Part("y", (int(word),))
    if years := _YEARS.fullmatch(word):
        first = int(years[1])  # 1850s is a decade, but 1800s a century
        return _Part("y", (first, first + (10 if first % 100 else 100) - 1), is_span=True)
    if slashed := _SLASHED_YEAR.fullmatch(word):
        return _read_slashed_year(slashed[1], slashed[2])
    return None


def _read_slashed_year(written: str, other: str) -> _Part | None:
    earlier = int(written)
    turn = 10 ** len(other)
    later = earlier + (int(other) - earlier) % turn
    if later == earlier + 1 and earlier <= LAST_DUAL_YEAR:
        return _Part("y", (later,), written_year=earlier)
    is_doubt = len(other) < len(written) and 0 < later - earlier < 10
    return _Part("y", (earlier, later)) if is_doubt else None


def _read_mask(word: str) -> _Part | None:
    """Read a part in which some characters were unreadable or have alternatives."""
    if not _MASK.fullmatch(word):
        months = _masked_months(word)
        return _Part("m", months) if months else None
    places = re.findall(r"\[[0-9]+\]|.", word)
    choices = [
        place.strip("[]") if place[-1] in "0123456789]" else "0123456789" for place in places
    ]
    numbers = tuple(sorted({int("".join(digits)) for digits in product(*choices)}))
    if len(places) == 2:
        return _Part("d", tuple(number for number in numbers if 0 < number <= 31))
    if len(places) == 4 and len(numbers) <= 100:
        return _Part("y", numbers, is_span=re.fullmatch(r"[0-9]+[_?x*]+", word) is not None)
    return None


def _masked_months(word: str) -> tuple[int, ...]:
    if not _MASKED_MONTH.fullmatch(word):
        return ()
    pattern = re.compile(re.sub(r"[_?]", ".", word.replace("*", ".*")))
    return tuple(month for name, month in _month_abbreviations().items() if pattern.fullmatch(name))


@cache
def _months() -> dict[str, int]:
    return {
        word: int(row["month"]) for row in read_table("months") for word in row["words"].split()
    }


@cache
def _month_abbreviations() -> dict[str, int]:
    return {row["words"].split()[0]: int(row["month"]) for row in read_table("months")}

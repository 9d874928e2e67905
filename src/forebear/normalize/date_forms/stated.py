"""Which days does one date in words name, as it stands: day, month and year in any order?

Every word is a day, a month, a year, an unreadable mark or filler, and the order of kinds
(day month year, month day year, year alone ...) says whether it is a date.  A part may have
several readings: ``1_ Mar 1850`` is one of ten days, ``12 Ma_`` is March or May, ``185_`` ten
years, ``12/13`` one of two days.

A dual year (``1731/32``) is one year written in two reckonings, where the year began on
25 March until 1752: the later number is ours, the earlier the one then written.  After that
a slash is doubt between two years.  A pair of days as far apart as the Julian and the Gregorian
calendar (``12/24 Jan 1880``) is one day written in both.
"""

import re
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from forebear.normalize.date_forms.calendars import to_julian
from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.month_names import month_named, months_masked
from forebear.normalize.date_forms.numbers import number_named, read_number, read_roman
from forebear.normalize.date_forms.readings import (
    LAST_SPRING_YEAR,
    LAST_YEAR,
    Reading,
    date_of,
    read_civil,
    read_span,
)
from forebear.normalize.date_words import words_meaning
from forebear.normalize.days import last_day, month_length
from forebear.records.record import Day, HistoricalDate, Precision

_ORDERS = re.compile(r"(?:[d?]?[m?])?y|m[d?]y|y[m?][d?]?|y[d?]m")
_BREAKS = re.compile(r"[\s,.;:()]+|(?<=[^\s-])-(?=[^\s-])")
_UNREADABLE = re.compile(r"[*_?]+|x{2,}|0{1,2}|-{1,3}")
_ROMAN_DAY = re.compile(r"([ivxj]+)(?:th|st|nd|rd|d|o|°)?")  # iij May, xxiiijth of Maye
_LAST_WORDS = frozenset({"last", "ultimo", "ultima", "letzten", "dernier", "sista"})
_LAST_DAY = -1  # of whichever month it stands with
_ERA = re.compile(r"([0-9]{1,4})\s?(bce?|ad|ce)\b|\b(ad|bc)\s?([0-9]{1,4})\b")
_ERA_POINTS = re.compile(r"\b([abc])\.\s?([cde])\b\.?(?:\s?(e)\b\.?)?")
_MAY_DAY = re.compile(r"\bmay day\b")
_DAYS = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_SLASHED_YEAR = re.compile(r"([0-9]{4})/([0-9]{4}|[0-9]{1,2})")
_MASK = re.compile(r"(?=.*[_?x*\[])(?:[0-9_?x*]|\[[0-9]+\]){2,4}")
_MASKED_SPAN = re.compile(r"[0-9]+([_?x*]{1,2})")


class _Part(NamedTuple):
    """A word of a date: its kind (d, m, y or ? for unreadable) and what it may be."""

    kind: str
    readings: tuple[int, ...] = ()
    written_year: int | None = None
    span: Precision = "none"  # "185_" names a decade, rather than doubting which year


def read_stated_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text names, without qualifying words."""
    if _MAY_DAY.search(text):
        return None  # a feast
    plain = _ERA.sub(_with_era, _ERA_POINTS.sub(r"\1\2\3", text))
    words = [w for w in _BREAKS.split(plain) if w and w not in words_meaning("filler")]
    if not 0 < len(words) <= 4:
        return None
    has_month = any(month_named(word) for word in words)
    parts = [_read_word(word, has_month=has_month) for word in words]
    known = [part for part in parts if part]
    order = "".join(part.kind for part in known)
    if len(known) < len(parts) or not _ORDERS.fullmatch(order):
        return None
    return _date_of_parts(text, {part.kind: part for part in known}, context)


def _date_of_parts(
    text: str, parts: dict[str, _Part], context: DateContext
) -> HistoricalDate | None:
    year = parts["y"]
    months = parts["m"].readings if "m" in parts else (0,)
    days = parts["d"].readings if "d" in parts and "m" in parts else (0,)
    if year.span != "none" and months == (0,):
        first, last = Day(year.readings[0], 1, 1), last_day(year.readings[-1])
        return date_of(text, read_span(first, last, year.span, context=context))
    is_dual = year.written_year is not None
    readings: list[Reading] = []
    for y, m, d in product(year.readings, months, _one_style(days, year.readings, months)):
        day = month_length(y, m) if d == _LAST_DAY else d
        readings += read_civil(y, m, day, context=context, is_dual=is_dual)
    date = date_of(text, readings)
    return replace(date, written_year=year.written_year) if date and is_dual else date


def _one_style(
    days: tuple[int, ...], years: tuple[int, ...], months: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the second of two days where the first is the same day in the Julian calendar."""
    if len(days) != 2 or len(years) != 1 or months == (0,) or years[0] < 1582:
        return days
    julian, day = days
    if not 1 <= day <= month_length(years[0], months[0]):
        return days
    return (day,) if to_julian(Day(years[0], months[0], day)).day == julian else days


def _read_word(word: str, *, has_month: bool) -> _Part | None:
    if month := month_named(word):
        return _Part("m", (month,))
    if _UNREADABLE.fullmatch(word):
        return _Part("?")
    if has_month and (roman := _ROMAN_DAY.fullmatch(word)) and (day := read_roman(roman[1])):
        return _Part("d", (day,))
    if word in _LAST_WORDS:
        return _Part("d", (_LAST_DAY,)) if has_month else None
    if pair := _DAYS.fullmatch(word):
        return _Part("d", (int(pair[1]), int(pair[2]))) if has_month else None
    return _read_year(word, has_month=has_month) or _read_day(word) or _read_mask(word)


def _read_day(word: str) -> _Part | None:
    is_day = word[0] in "0123456789" or any(map(number_named, word.split("-")))
    number = read_number(word) if is_day else None
    return _Part("d", (number,)) if number is not None and number < 100 else None


def _read_year(word: str, *, has_month: bool) -> _Part | None:
    if word[:2] in ("ad", "bc") and word[2:].isdigit():
        number = int(word[2:])
        return _Part("y", (1 - number if word[0] == "b" else number,)) if number else None
    if word.isascii() and word.isdigit() and (len(word) == 4 or (len(word) == 3 and has_month)):
        return _Part("y", (int(word),)) if int(word) else None
    if slashed := _SLASHED_YEAR.fullmatch(word):
        return _read_slashed_year(slashed[1], slashed[2])
    roman = read_roman(word) if word[0] == "m" else None
    return _Part("y", (roman,)) if roman and roman >= 1000 else None


def _read_slashed_year(written: str, other: str) -> _Part | None:
    earlier = int(written)
    later = earlier + (int(other) - earlier) % 10 ** len(other)
    if later == earlier + 1 and earlier <= LAST_SPRING_YEAR:
        return _Part("y", (later,), written_year=earlier)
    is_doubt = later == earlier + 1 or (len(other) < len(written) and 0 < later - earlier < 10)
    return _Part("y", (earlier, later)) if is_doubt else None


def _read_mask(word: str) -> _Part | None:
    """Read a part in which some characters were unreadable or have alternatives."""
    if not _MASK.fullmatch(word):
        months = months_masked(word)
        return _Part("m", months) if months else None
    places = re.findall(r"\[[0-9]+\]|.", word)
    choices = [
        place.strip("[]") if place[-1].isdigit() or place[-1] == "]" else "0123456789"
        for place in places
    ]
    numbers = tuple(sorted({int("".join(digits)) for digits in product(*choices)}))
    if len(places) == 2:
        return _Part("d", tuple(number for number in numbers if 0 < number <= 31))
    years = tuple(number for number in numbers if 0 < number <= LAST_YEAR)
    if len(places) != 4 or len(numbers) > 200 or not years:
        return None
    span = _MASKED_SPAN.fullmatch(word)
    precision: Precision = "none" if not span else "decade" if len(span[1]) == 1 else "century"
    return _Part("y", (years[0], years[-1]) if len(years) > 1 else years, span=precision)


def _with_era(match: re.Match[str]) -> str:
    number, era = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f" {'bc' if era[0] == 'b' else 'ad'}{number} "

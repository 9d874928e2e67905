"""Which days does a date in words name: day, month and year in any order, a decade, a season?

Every word is a day, a month, a year, an unreadable mark or filler, and the order of kinds
(day month year, month day year, year alone ...) decides if it is a date.  A part may have
several readings: ``1_ Mar 1850`` is one of ten days, ``12 Ma_`` is March or May, ``185_`` ten
years, ``12/13`` one of two days.

A dual year (``1731/32``) is one year written in two reckonings, where the year began on
25 March until 1752: the later number is ours, the earlier the one then written.  After that
a slash is doubt between two years.  A pair of days as far apart as the Julian and the Gregorian
calendar (``12/24 Jan 1880``) is one day written in both.

"1850s" is ten years, but "1800s" a hundred; the 19th century is 1801 to 1900.  Early, mid and
late are the years 0-3, 4-6 and 7-9 of a decade, and the thirds of a century.  Seasons are
northern and by months; winter begins in December of the stated year.
"""

import re
from functools import cache
from itertools import product
from typing import NamedTuple

from anyascii import anyascii
from msgspec.structs import replace

from forebear.normalize.dates.intervals import (
    LAST_SPRING_YEAR,
    LAST_YEAR,
    DateContext,
    DateReading,
    date_of,
    last_day,
    month_length,
    read_civil,
    read_months,
    read_span,
    to_julian,
)
from forebear.records.record import Day, HistoricalDate, Precision
from forebear.tables import read_table, word_meanings

_ORDERS = re.compile(r"(?:[d?]?[m?])?y|m[d?]y|y[m?][d?]?|y[d?]m")
_BREAKS = re.compile(r"[\s,.;:()]+|(?<=[^\s-])-(?=[^\s-])")
_UNREADABLE = re.compile(r"[*_?]+|x{2,}|0{1,2}|-{1,3}")
_ROMAN_DAY = re.compile(r"([ivxj]+)(?:th|st|nd|rd|d|o|°)?")  # iij May, xxiiijth of Maye
_LAST_DAY = -1  # of its month
_ERA = re.compile(r"([0-9]{1,4})\s?(bce?|ad|ce)\b|\b(ad|bc)\s?([0-9]{1,4})\b")
_ERA_POINTS = re.compile(r"\b([abc])\.\s?([cde])\b\.?(?:\s?(e)\b\.?)?")
_DAYS = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_SLASHED_YEAR = re.compile(r"([0-9]{4})/([0-9]{4}|[0-9]{1,2})")
_MASK = re.compile(r"(?=.*[_?x*\[])(?:[0-9_?x*]|\[[0-9]+\]){2,4}")
_MASKED_SPAN = re.compile(r"[0-9]+([_?x*]{1,2})")
_MASKED_MONTH = re.compile(r"(?=.*[a-z])(?=.*[_*?])[a-z_*?]{2,}")
_ROMAN_NAME = re.compile(r"jan|feb|mar|apr|jun|jul|aug|sep|o[ck]t|nov|de[cz]")
_ROMAN = re.compile(r"m{0,2}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?(?:i{0,4}|i{0,3}j))")
_ROMAN_VALUES = {"i": 1, "j": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ONES_AND_TENS = re.compile("und|en|ën|og")  # dreiundzwanzig, tweeëntwintig
_FIGURES = re.compile(
    r"([0-9]{1,4})(?:st|nd|rd|th|d|er|ère|re|e|ème|eme|de|ste|ten|ter|te|den|ed|die|:e|º|°|ª|\."
    r"|us|mus|tus|um|mo|ma|do|da|ti?o|ti?a|vo|va|no|na|o|a)?"  # Latin: 1mo, 2da, 3tio, 4ta, 8vo
)
_DECADE = re.compile(r"([0-9]{3}0)(?:'?s|er)s?")
_ROMAN_ORDINAL = re.compile(r"(?:ème|eme|e|º|°)$")  # XVIIe siècle
_SEASON_YEAR = re.compile(r"([0-9]{4})(?:[/-](?:[0-9]{4}|[0-9]{1,2}))?")
_FIRST_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
# First and last year of each part, counted from the first year of the span.
_DECADE_PARTS = {"early": (0, 3), "mid": (4, 6), "late": (7, 9), "": (0, 9)}
_CENTURY_PARTS = {"early": (0, 32), "mid": (33, 65), "late": (66, 99), "": (0, 99)}


class _Part(NamedTuple):
    """A word of a date: its kind (d, m, y or ? for unreadable) and what it may be."""

    kind: str
    readings: tuple[int, ...] = ()
    written_year: int | None = None
    span: Precision = "none"  # "185_" names a decade, rather than doubting which year


def read_stated_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text names, without qualifying words."""
    text_with_eras = _ERA.sub(_mark_era, _ERA_POINTS.sub(r"\1\2\3", text))
    words = [w for w in _BREAKS.split(text_with_eras) if w and w not in words_meaning("filler")]
    if not 0 < len(words) <= 4:
        return None
    has_month = any(month_named(word) for word in words)
    parts = [part for word in words if (part := _read_word(word, has_month=has_month))]
    order = "".join(part.kind for part in parts)
    if len(parts) < len(words) or not _ORDERS.fullmatch(order):
        return None
    return _date_of_parts(text, {part.kind: part for part in parts}, context)


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
    readings: list[DateReading] = []
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
    if word in vocabulary("day"):  # "ultimo die"
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
    roman = read_roman(word) if word[0] == "m" and len(word) > 1 else None
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


def _mark_era(match: re.Match[str]) -> str:
    number, era = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f" {'bc' if era[0] == 'b' else 'ad'}{number} "


def read_span_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the decade, century or season that clean, lower-case text names."""
    words = [w.strip(".,") for w in text.replace("mid-", "mid ").replace(" - ", "-").split()]
    words = [word for word in words if word and word not in words_meaning("filler")]
    if not 0 < len(words) <= 4:
        return None
    readings = _read_season(words, context)
    part = vocabulary("span").get(words[0], "")
    if part in ("early", "mid", "late"):
        words = words[1:]
    else:
        part = ""
    if date := date_of(text, readings or _read_years(words, part, context)):
        return date
    # "early 1850", "late March 1850": part of a year or month, which are taken whole
    date = read_stated_date(" ".join(words), context) if part else None
    return date if date and date.precision in ("year", "month") else None


def _read_season(words: list[str], context: DateContext) -> list[DateReading]:
    meanings = [vocabulary("span").get(word, "") for word in words]
    seasons = [_FIRST_MONTHS[meaning] for meaning in meanings if meaning in _FIRST_MONTHS]
    years = [year for year in map(_SEASON_YEAR.fullmatch, words) if year]
    if len(words) != 2 or len(seasons) != 1 or len(years) != 1:
        return []
    return read_months(int(years[0][1]), seasons[0], "season", context=context)


def _read_years(words: list[str], part: str, context: DateContext) -> list[DateReading]:
    span_words = vocabulary("span")
    decade_words = [word for word in words if span_words.get(word) != "decade"]
    has_decade = len(decade_words) < len(words)  # années 1840
    if len(decade_words) == 1 and (years := _DECADE.fullmatch(decade_words[0] + "s" * has_decade)):
        first = int(years[1])
        return _years(first, part, is_century=first % 100 == 0, context=context)
    if len(words) == 2 and "century" in (span_words.get(words[0]), span_words.get(words[1])):
        ordinal = words[0] if span_words.get(words[1]) == "century" else words[1]
        number = read_number(ordinal) or read_roman(_ROMAN_ORDINAL.sub("", ordinal))
        if number and 1 <= number <= LAST_YEAR // 100:
            return _years(100 * number - 99, part, is_century=True, context=context)
    return []


def _years(first: int, part: str, *, is_century: bool, context: DateContext) -> list[DateReading]:
    low, high = (_CENTURY_PARTS if is_century else _DECADE_PARTS)[part]
    start, end = Day(first + low, 1, 1), last_day(first + high)
    return read_span(start, end, "century" if is_century else "decade", context=context)


def month_named(word: str) -> int | None:
    """Return the month that a lower-case word names; accents may be missing.

    >>> month_named("mrz"), month_named("fevrier"), month_named("7ber"), month_named("tuesday")
    (3, 2, 9, None)
    """
    months = _months()
    return months.get(word) or months.get(anyascii(word))


def months_masked(word: str) -> tuple[int, ...]:
    """Return the months that a word with unreadable letters may name: ``ma_`` is March or May."""
    if not _MASKED_MONTH.fullmatch(word):
        return ()
    pattern = re.compile("".join({"_": ".", "?": ".", "*": ".*"}.get(c, c) for c in word))
    # The first two words of a month in the table are its English names.
    return tuple(
        int(month)
        for month, names in month_words("gregorian").items()
        if any(map(pattern.fullmatch, names[:2]))
    )


@cache
def _months() -> dict[str, int]:
    named = [(int(month), word) for month, ws in month_words("gregorian").items() for word in ws]
    ascii_names = {anyascii(word): month for month, word in named}
    # Roman names may be broken off after four letters or more: "janua", "septemb".
    begun = {
        word[:end]: month
        for word, month in ascii_names.items()
        if _ROMAN_NAME.match(word)
        for end in range(4, len(word))
    }
    return begun | ascii_names | {word: month for month, word in named}


@cache
def month_words(calendar: str) -> dict[str, list[str]]:
    """Return the names that each month of a calendar has."""
    rows = [row for row in read_table("normalize/dates/months") if row["calendar"] == calendar]
    return {row["month"]: row["words"].split() for row in rows}


def read_number(word: str) -> int | None:
    """Return the number that a lower-case word writes in figures, in words or in Roman numerals.

    >>> read_number("3rd"), read_number("xiv"), read_number("twenty-third"), read_number("mar")
    (3, 14, 23, None)
    """
    if figures := _FIGURES.fullmatch(word):
        return int(figures[1])
    numbers = [number_named(part) for part in word.split("-")]
    return read_roman(word) if None in numbers else sum(filter(None, numbers))


def number_named(word: str) -> int | None:
    """Return the number of one word, as German and its neighbors compound it too.

    >>> number_named("seven"), number_named("dreiundzwanzig"), number_named("tweeëntwintig")
    (7, 23, 22)
    """
    numbers = number_words()
    if number := numbers.get(word):
        return number
    for joint in _ONES_AND_TENS.finditer(word):
        ones, tens = word[: joint.start()], word[joint.end() :]
        one = 1 if ones in vocabulary("compound") else numbers.get(ones, 10)
        ten = numbers.get(tens, 0)
        if one < 10 <= ten and ten % 10 == 0:
            return one + ten
    return None


def in_figures(text: str) -> str:
    """Return the text with numbers of two words, tens and ones, in figures.

    >>> in_figures("the twenty-first of june"), in_figures("die vicesimo quarto maii")
    ('the 21 of june', 'die 24 maii')
    """
    numbers = number_words()
    return _tens_and_ones().sub(lambda pair: str(numbers[pair[1]] + numbers[pair[2]]), text)


@cache
def _tens_and_ones() -> re.Pattern[str]:
    numbers = number_words().items()
    tens = "|".join(word for word, number in numbers if 10 <= number < 100 and number % 10 == 0)
    ones = "|".join(word for word, number in numbers if number < 10)
    return re.compile(rf"\b({tens})[- ]({ones})\b")


def read_roman(word: str) -> int | None:
    """Return the number of a Roman numeral, or None."""
    if not word or not _ROMAN.fullmatch(word):
        return None
    values = [_ROMAN_VALUES[letter] for letter in word]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


@cache
def number_words() -> dict[str, int]:
    """Return the numbers that have a word, cardinal and ordinal."""
    return {word: int(number) for word, number in vocabulary("number").items()}


@cache
def words_meaning(meaning: str) -> frozenset[str]:
    """Return the words around a date that have this meaning: about, before, filler ..."""
    return frozenset(word for word, value in vocabulary("date").items() if value == meaning)


def vocabulary(kind: str) -> dict[str, str]:
    """Return the meanings of the words of one kind in the table."""
    return word_meanings("normalize/dates/words")[kind]

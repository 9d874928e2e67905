"""Which day is a day of the French republican, the Hebrew or the Quaker calendar, and of Easter?

Every calendar is a way to count up to the same number of a day (`intervals.day_of_number`).  The
arithmetic of the Hebrew calendar is that of Reingold and Dershowitz, "Calendrical Calculations".
The Gregorian Easter is that of Meeus, Jones and Butcher, the Julian one that of Meeus
("Astronomical Algorithms", chapter 8); either gives a day of that calendar, as written there.

A Hebrew day is its daylight part, since it begins the evening before; in Hebrew letters the
thousands of the year are often missing.

The Society of Friends would not use the pagan names of months.  Until 1751 the first month was
March, and the eleventh and twelfth lay in January and February of what is now the next year; from
1752 the first month is January.
"""

import re
from functools import cache
from typing import NamedTuple

from anyascii import anyascii

from forebear.normalize.dates.intervals import (
    LAST_SPRING_YEAR,
    DateContext,
    DateReading,
    date_of,
    day_of_number,
    read_civil,
)
from forebear.normalize.dates.words import month_words, read_number, vocabulary
from forebear.records.record import Day, HistoricalDate, Precision

REPUBLICAN_MONTHS = 13  # twelve of thirty days, and the complementary days
LAST_REPUBLICAN_YEAR = 14
_REPUBLICAN_EPOCH = 654_415  # 22 September 1792
_REPUBLICAN_YEAR_FIRST = re.compile(r"^(?:l')?(an [^\W_]+)[\s,]+(?:le )?(?=[0-9]|[a-z])(.+)")
_WORD = re.compile(r"[^\W_]+")

FIRST_HEBREW_YEAR, LAST_HEBREW_YEAR = 4000, 5960
_HEBREW_EPOCH = -1_373_427
_MILLENNIUM = 5000
_ADAR, _SECOND_ADAR = "adr", "ads"
_HEBREW_MARKS = re.compile(r"['\"׳״’”`]|\bmena[ck]?hem (?=a[bv]\b)|מנחם (?=אב)")
_TWO_ADARS = re.compile(r"\b(adar|אדר)\s+(i{1,2}|[12]|rishon|sheni|alef|bet|א|ב|ראשון|שני)\b")
_HEBREW_FIGURES = re.compile(r"([0-9]{1,4})(?:st|nd|rd|th)?")
_VALUES = (*range(1, 10), *range(10, 100, 10), *range(100, 500, 100))
_LETTERS: dict[str, int] = dict(zip("אבגדהוזחטיכלמנסעפצקרשת", _VALUES, strict=True))
_LETTERS |= {"ך": 20, "ם": 40, "ן": 50, "ף": 80, "ץ": 90}

LAST_MARCH_YEAR = LAST_SPRING_YEAR + 1  # whose first month was March
_NUMBER = r"(?:[0-9]{1,2}(?:st|nd|rd|th|d)?|[ivxj]{1,4}|[a-z]+)"
_QUAKER_MONTH = re.compile(rf"\b({_NUMBER})[\s.]*(?:mo|month|mon|mth|m)\b\.?")
_QUAKER_MARK = re.compile(r"mo\b|month\b|mth\b")
_QUAKER_DAY = re.compile(rf"\b({_NUMBER})[\s.]*(?:da|day|d)\b\.?")
_QUAKER_YEAR = re.compile(r"\b([0-9]{4})(?:/([0-9]{4}|[0-9]{1,2}))?\b")
_CALLED = re.compile(r"[\s,(]*\bcalled\s+[a-z]+\.?\)?")
_WEEKDAY = re.compile(rf"^{_NUMBER} day,(?= \S+ (?:day )?of\b)")  # First day, 4th of Third month
_QUAKER_FILLER = re.compile(r"\b(?:of|the|in|ye|anno|year|on)\b|[.,:/-]")


class MonthOfYear(NamedTuple):
    """A month by the day it begins, and its length."""

    first_number: int
    length: int


def read_republican_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date of clean, lower-case text in the French republican calendar."""
    ascii_text = _REPUBLICAN_YEAR_FIRST.sub(r"\2 \1", anyascii(text).lower())
    is_marked = context.calendar == "republican" or re.search(r"\ban\b", ascii_text)
    month_names = _republican_months()
    if not is_marked and not any(len(w) > 3 and w in ascii_text for w in month_names):
        return None
    words = [w for w in _WORD.findall(ascii_text) if w not in vocabulary("republican")]
    months = [month_names[word] for word in words if word in month_names]
    numbers = [read_number(word) for word in words if word not in month_names]
    if len(months) > 1 or not 1 <= len(numbers) <= 1 + len(months) or None in numbers:
        return None
    if len(numbers) <= len(months) and not is_marked:
        return None  # a day without a year
    year, day = numbers[-1] or 0, (numbers[0] or 0) if len(numbers) == 2 else 0
    if day > 99:
        return None
    return date_of(text, _republican_readings(year, months[0] if months else 0, day))


def _republican_readings(year: int, month: int, day: int) -> list[DateReading]:
    if not 1 <= year <= LAST_REPUBLICAN_YEAR:
        return []
    first, last = (month, month) if month else (1, REPUBLICAN_MONTHS)
    start, end = 1, 30 if last < REPUBLICAN_MONTHS else 6 if year % 4 == 3 else 5
    precision: Precision = "month" if month else "year"
    if month and 1 <= day <= end:
        start, end, precision = day, day, "day"
    first_day, last_day = republican_day(year, first, start), republican_day(year, last, end)
    return [DateReading(first_day, last_day, precision)]


def republican_day(year: int, month: int, day: int) -> Day:
    """Return the day of the French republican calendar; leap years were 3, 7 and 11.

    >>> str(republican_day(2, 11, 9))  # 9 thermidor II
    '1794-07-27'
    """
    in_year = 30 * (month - 1) + day - 1
    return day_of_number(_REPUBLICAN_EPOCH + 365 * (year - 1) + year // 4 + in_year)


@cache
def _republican_months() -> dict[str, int]:
    months = month_words("republican").items()
    return {anyascii(word): int(month) for month, words in months for word in words}


def read_hebrew_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date of clean, lower-case text in the Hebrew calendar: 15 Shevat 5660."""
    meanings = vocabulary("hebrew")
    one_word = _TWO_ADARS.sub(
        lambda adar: _SECOND_ADAR if meanings.get(adar[2]) == "second" else _ADAR,
        _HEBREW_MARKS.sub("", text),
    )
    words = [word for word in _WORD.findall(one_word) if meanings.get(word) != "filler"]
    months = [_hebrew_month(word) for word in words]
    named = [month for month in months if month]
    if not words or len(named) > 1 or (not named and context.calendar != "hebrew"):
        return None
    numbers = [_hebrew_number(w) for w, month in zip(words, months, strict=True) if not month]
    if not 1 <= len(numbers) <= 1 + len(named) or None in numbers:
        return None
    year, day = numbers[-1] or 0, (numbers[0] or 0) if len(numbers) == 2 else 0
    return date_of(text, _hebrew_readings(year, named[0] if named else "", day))


def _hebrew_readings(year: int, code: str, day: int) -> list[DateReading]:
    year += _MILLENNIUM if 100 <= year < 1000 else 0
    if not FIRST_HEBREW_YEAR <= year <= LAST_HEBREW_YEAR:
        return []
    months = hebrew_months(year)
    first, last = (months[code], months[code]) if code else (months["tsh"], months["ell"])
    precision: Precision = "month" if code else "year"
    start, end = first.first_number, last.first_number + last.length - 1
    if code and 1 <= day <= first.length:
        start = end = first.first_number + day - 1
        precision = "day"
    return [DateReading(day_of_number(start), day_of_number(end), precision)]


def _hebrew_number(word: str) -> int | None:
    """Return a number in figures or in letters; the first letter of a year may be thousands."""
    if word.isascii():
        digits = _HEBREW_FIGURES.fullmatch(word)
        return int(digits[1]) if digits else None
    values = [_LETTERS.get(letter, 0) for letter in word]
    if 0 in values or not values:
        return None
    if len(values) > 1 and values[0] < 10 and values[0] < values[1]:
        return 1000 * values[0] + sum(values[1:])
    return sum(values)


def _hebrew_month(word: str) -> str | None:
    codes = _hebrew_codes()
    return codes.get(word) or (codes.get(anyascii(word)) if word.isalpha() else None)


@cache
def _hebrew_codes() -> dict[str, str]:
    return {word: code for code, words in month_words("hebrew").items() for word in words}


def hebrew_months(year: int) -> dict[str, MonthOfYear]:
    """Return the months of a Hebrew year from Tishri, by GEDCOM's codes for them.

    A common year has one Adar, ``adr``, which is also what is meant by ``ads``.

    >>> day_of_number(hebrew_months(5700)["tsh"].first_number + 9)
    Day(year=1939, month=9, day=23)
    """
    first = _hebrew_new_year(year)
    length = _hebrew_new_year(year + 1) - first
    is_leap = length > 380
    heshvan, kislev = (30 if length % 10 == 5 else 29), (29 if length % 10 == 3 else 30)
    lengths = {"tsh": 30, "csh": heshvan, "ksl": kislev, "tvt": 29, "shv": 30}
    lengths |= {_ADAR: 30, _SECOND_ADAR: 29} if is_leap else {_ADAR: 29}
    lengths |= {"nsn": 30, "iyr": 29, "svn": 30, "tmz": 29, "aav": 30, "ell": 29}
    months = {}
    for code, days in lengths.items():
        months[code] = MonthOfYear(first, days)
        first += days
    return {_SECOND_ADAR: months[_ADAR]} | months


def _hebrew_new_year(year: int) -> int:
    before, this, after = (_elapsed_days(near) for near in (year - 1, year, year + 1))
    delay = 2 if after - this == 356 else 1 if this - before == 382 else 0
    return _HEBREW_EPOCH + this + delay


def _elapsed_days(year: int) -> int:
    """Return the days from the epoch to the mean new moon of a year, never a Sunday's."""
    months = (235 * year - 234) // 19
    days = 29 * months + (12_084 + 13_753 * months) // 25_920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def read_quaker_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text with a numbered month names.

    Without the word "month" the context must state that months are numbered.
    """
    is_quaker = context.calendar == "quaker"
    text = _WEEKDAY.sub("", text)
    year = _QUAKER_YEAR.search(text)
    if not year or not (is_quaker or _QUAKER_MARK.search(text)):
        return None
    rest = _CALLED.sub(" ", text[: year.start()] + " " + text[year.end() :])
    month = _QUAKER_MONTH.search(rest)
    number = read_number(month[1]) if month else None
    if month:
        rest = rest[: month.start()] + " " + rest[month.end() :]
    words = _QUAKER_FILLER.sub(" ", _QUAKER_DAY.sub(r" \1 ", rest)).split()
    if not month and is_quaker and words:
        number = read_number(words.pop())
    day = read_number(words[0]) if words else 0
    if len(words) > 1 or number is None or day is None or not 1 <= number <= 12 or day > 31:
        return None
    modern, modern_month = _modern(int(year[1]), year[2] or "", number)
    plain = context._replace(country="", calendar="")
    return date_of(text, read_civil(modern, modern_month, day, context=plain, is_dual=True))


def _modern(written: int, other: str, number: int) -> tuple[int, int]:
    """Return the modern year and month of a numbered month; ``other`` is that of a dual year."""
    is_dual = bool(other) and str(written + 1).endswith(other)
    year = written + is_dual
    if year > LAST_MARCH_YEAR:
        return year, number
    if number <= 10:
        return year, number + 2
    return (year if is_dual else year + 1), number - 10


def gregorian_easter(year: int) -> Day:
    """Return Easter Sunday of the Gregorian calendar.

    >>> str(gregorian_easter(1850))
    '1850-03-31'
    """
    golden = year % 19
    century, in_century = divmod(year, 100)
    leap_centuries, rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - correction + 15) % 30
    quarters, left = divmod(in_century, 4)
    weekday = (32 + 2 * rest + 2 * quarters - epact - left) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return Day(year, month, day + 1)


def julian_easter(year: int) -> Day:
    """Return Easter Sunday of the Julian calendar, written as a `Day`.

    >>> str(julian_easter(1650))
    '1650-04-14'
    """
    moon = (19 * (year % 19) + 15) % 30
    weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
    month, day = divmod(moon + weekday + 114, 31)
    return Day(year, month, day + 1)

"""Which days does a date of the Hebrew calendar name: 15 Shevat 5660, י׳ תשרי תר״ע?

The day is the daylight part of the Hebrew day, which begins the evening before.  In Hebrew letters
the thousands of the year are often left out.
"""

import re
from functools import cache

from anyascii import anyascii

from forebear.normalize.date_forms.calendars import hebrew_months
from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.readings import Reading, date_of
from forebear.normalize.days import day_of_number
from forebear.records.record import HistoricalDate, Precision
from forebear.tables import read_table, word_set

FIRST_HEBREW_YEAR, LAST_HEBREW_YEAR = 4000, 5960
_MILLENNIUM = 5000
_MARKS = re.compile(r"['\"׳״’”`]|\bmena[ck]?hem (?=a[bv]\b)|מנחם (?=אב)")
_WORD = re.compile(r"[^\W_]+")
_VALUES = (*range(1, 10), *range(10, 100, 10), *range(100, 500, 100))
_LETTERS: dict[str, int] = dict(zip("אבגדהוזחטיכלמנסעפצקרשת", _VALUES, strict=True))
_LETTERS |= {"ך": 20, "ם": 40, "ן": 50, "ף": 80, "ץ": 90}
_TWO_WORDS = re.compile(r"\b(adar|אדר)\s+(i{1,2}|[12]|rishon|sheni|alef|bet|א|ב|ראשון|שני)\b")
_SECOND = frozenset({"ii", "2", "sheni", "bet", "ב", "שני"})


def read_hebrew_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text in the Hebrew calendar names."""
    plain = _TWO_WORDS.sub(
        lambda adar: "ads" if adar[2] in _SECOND else "adr", _MARKS.sub("", text)
    )
    words = [word for word in _WORD.findall(plain) if word not in word_set("hebrew.filler")]
    months = [_month_named(word) for word in words]
    named = [month for month in months if month]
    if not words or len(named) > 1 or (not named and context.calendar != "hebrew"):
        return None
    numbers = [_number(word) for word, month in zip(words, months, strict=True) if not month]
    if not 1 <= len(numbers) <= 1 + len(named) or None in numbers:
        return None
    year, day = numbers[-1] or 0, (numbers[0] or 0) if len(numbers) == 2 else 0
    return date_of(text, _read(year, named[0] if named else "", day))


def _read(year: int, code: str, day: int) -> list[Reading]:
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
    return [Reading(day_of_number(start), day_of_number(end), precision)]


def _number(word: str) -> int | None:
    """Return a number in figures or in letters; the first letter of a year may be thousands."""
    if word.isascii():
        digits = re.fullmatch(r"([0-9]{1,4})(?:st|nd|rd|th)?", word)
        return int(digits[1]) if digits else None
    values = [_LETTERS.get(letter, 0) for letter in word]
    if 0 in values or not values:
        return None
    if len(values) > 1 and values[0] < 10 and values[0] < values[1]:
        return 1000 * values[0] + sum(values[1:])
    return sum(values)


def _month_named(word: str) -> str | None:
    months = _months()
    return months.get(word) or (months.get(anyascii(word)) if word.isalpha() else None)


@cache
def _months() -> dict[str, str]:
    rows = [row for row in read_table("normalize/calendar_months") if row["calendar"] == "hebrew"]
    return {word: row["month"] for row in rows for word in row["words"].split()}

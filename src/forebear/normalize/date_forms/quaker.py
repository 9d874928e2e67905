"""Which days does a date with numbered months name?

The Society of Friends would not use the pagan names of months.  Until 1751 the first month was
March, and the eleventh and twelfth lay in January and February of what is now the next year; from
1752 the first month is January.
"""

import re

from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.numbers import read_number
from forebear.normalize.date_forms.readings import LAST_SPRING_YEAR, date_of, read_civil
from forebear.records.record import HistoricalDate

LAST_MARCH_YEAR = LAST_SPRING_YEAR + 1  # whose first month was March
_NUMBER = r"(?:[0-9]{1,2}(?:st|nd|rd|th|d)?|[ivxj]{1,4}|[a-z]+)"
_MONTH = re.compile(rf"\b({_NUMBER})[\s.]*(?:mo|month|mon|mth|m)\b\.?")
_DAY = re.compile(rf"\b({_NUMBER})[\s.]*(?:da|day|d)\b\.?")
_CALLED = re.compile(r"[\s,(]*\bcalled\s+[a-z]+\.?\)?")
_YEAR = re.compile(r"\b([0-9]{4})(?:/([0-9]{4}|[0-9]{1,2}))?\b")
_WEEKDAY = re.compile(rf"^{_NUMBER} day,(?= \S+ (?:day )?of\b)")  # First day, 4th of Third month
_FILLER = re.compile(r"\b(?:of|the|in|ye|anno|year|on)\b|[.,:/-]")


def read_quaker_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text with a numbered month names.

    Without the word "month" the context must say that months are numbered.
    """
    is_quaker = context.calendar == "quaker"
    text = _WEEKDAY.sub("", text)
    year = _YEAR.search(text)
    if not year or not (is_quaker or re.search(r"mo\b|month\b|mth\b", text)):
        return None
    rest = _CALLED.sub(" ", text[: year.start()] + " " + text[year.end() :])
    month = _MONTH.search(rest)
    number = read_number(month[1]) if month else None
    if month:
        rest = rest[: month.start()] + " " + rest[month.end() :]
    words = _FILLER.sub(" ", _DAY.sub(r" \1 ", rest)).split()
    if not month and is_quaker and words:
        number = read_number(words.pop())
    day = read_number(words[0]) if words else 0
    if len(words) > 1 or number is None or day is None or not 1 <= number <= 12 or day > 31:
        return None
    dual = _dual_year(year[1], year[2])
    modern, month_number = _modern(dual or int(year[1]), number, is_dual=dual is not None)
    plain = context._replace(country="", calendar="")
    return date_of(text, read_civil(modern, month_number, day, context=plain, is_dual=True))


def _modern(year: int, number: int, *, is_dual: bool) -> tuple[int, int]:
    """Return the modern year and month of a numbered month."""
    if year > LAST_MARCH_YEAR:
        return year, number
    if number <= 10:
        return year, number + 2
    return (year if is_dual else year + 1), number - 10


def _dual_year(written: str, other: str | None) -> int | None:
    if other is None:
        return None
    later = int(written) + 1
    return later if str(later).endswith(other) else None

"""Which days does a date in figures name: 1850-03-12, 12/3/1850, 3/1850, 1850 Q2, 1850/1855?

Four digits first mean year, month, day.  Otherwise the day comes first after a point; after
a slash, hyphen or space the order is the one that is possible; if both are, it is that of the
locale, and without one the date is the hull of the two readings.  Zeros, and X, are unknown
parts.  An impossible day leaves the month, an impossible month the year.

Births, marriages and deaths were indexed by quarters, each called by its number, its three months,
their initials or its last month ("Mar" for January to March).  The last month alone means the
quarter only in such an index.

Two formal languages, EDTF (ISO 8601-2) and GEDCOM X, write two ends with a slash, and an open end
as nothing or as two points.  In EDTF square brackets are one of several days and braces all of
them; in GEDCOM X an ``A`` in front is doubt.
"""

import re

from msgspec.structs import replace

from forebear.normalize.dates.intervals import (
    DateContext,
    DateReading,
    date_of,
    hull_of_ends,
    month_length,
    read_civil,
    read_months,
)
from forebear.normalize.dates.words import (
    month_named,
    read_number,
    read_stated_date,
    vocabulary,
    words_meaning,
)
from forebear.records.record import HistoricalDate

QUARTER_INDEX = "bmd_index"
_YEAR_FIRST = re.compile(
    r"(-?[0-9]{4})(?:([-/. ])\s*([0-9]{1,2}|xx)(?:\2\s*([0-9]{1,2}|xx))?\.?(?:t[0-9:.]*z?)?)?"
)
_MASKED_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-3]x|x[0-9])")
_YEAR_LAST = re.compile(r"(?:([0-9]{1,2})([-/. ])\s*)?([0-9]{1,2})([-/. ])\s*([0-9]{4})\.?")
_ROMAN_MONTH = re.compile(r"(?:([0-9]{1,2})([-/.])\s?)?([ivx]{1,4})([-/.])\s?([0-9]{4})\.?")
_SPACED_POINT = re.compile(r"(?<=[0-9])\s+([./])\s*(?=[0-9])")
_WITH_UNREAD = re.compile(
    r"(?:(?:[0-9]{1,2}|[?*_x]{1,2})[-/.]){2}[0-9]{4}|[0-9]{4}(?:[-/.](?:[0-9]{1,2}|[?*_]{1,2})){2}"
)
_UNREAD = re.compile(r"(?<![0-9?*_x])[?*_x]{1,2}(?![0-9?*_x])")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
# ISO 8601-2 numbers seasons and quarters after the months; each begins with this month.
_SEASONS = {21: 3, 22: 6, 23: 9, 24: 12}
_QUARTERS = {33: 1, 34: 4, 35: 7, 36: 10}

_QUARTER_YEAR = re.compile(r"(?<![0-9])([0-9]{4})(?![0-9])")
_QUARTER_NUMBER = re.compile(r"\bq([1-4])\b|\b([1-4])q\b")
_QUARTER_WORD = re.compile(r"[^\W\d_]+|[0-9]+(?:st|nd|rd|th|er|e)?")

_SINGLE = r"[+-]?[0-9][0-9x]{3}(?:-[0-9x]{1,2}(?:-[0-9x]{1,2}(?:t[0-9:.+z-]*)?)?)?[~?%]?"
_GEDCOM_X = re.compile(rf"(a)?(?:({_SINGLE})?(/)({_SINGLE})?|({_SINGLE}))")
_EDTF = re.compile(rf"({_SINGLE}|\.\.|)/({_SINGLE}|\.\.|)")
_SET = re.compile(rf"([\[{{])((?:{_SINGLE}|\.\.|[,\s])+)[\]}}]")
_DOUBTFUL_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}[~?%]")
_TIME = re.compile(r"t[0-9:.+z-]*$")


def read_numeric_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text in figures names."""
    words = text.split()
    start = next((at for at, word in enumerate(words) if word not in words_meaning("filler")), 0)
    if start and not words[-1].isdigit():
        text = " ".join(words[start:])  # am 12.3.1850
    text = _SPACED_POINT.sub(r"\1", text)
    if not text.isdigit() and _WITH_UNREAD.fullmatch(text):
        text = _UNREAD.sub("00", text)  # ??/09/1877
    if match := _YEAR_FIRST.fullmatch(text):
        return date_of(text, _read_year_first(match, context))
    if match := _MASKED_DAY.fullmatch(text):
        year, month = int(match[1]), int(match[2])
        mask = re.compile(match[3].replace("x", "."))
        days = [day for day in range(1, 32) if mask.fullmatch(f"{day:02}")]
        possible = [day for day in days if _likelihood(year, month, day) == 2]
        ends = [d for day in possible for d in read_civil(year, month, day, context=context)]
        return date_of(text, ends)
    if match := _COMPACT.fullmatch(text):
        year, month, day = map(int, match.groups())
        is_day = 1 <= month <= 12 and 1 <= day <= month_length(year, month)
        return date_of(text, read_civil(year, month, day, context=context)) if is_day else None
    if match := _ROMAN_MONTH.fullmatch(text):
        number = month_named(match[3]) or 0
        stated = int(match[5]), number, int(match[1] or 0)
        return date_of(text, read_civil(*stated, context=context))
    if match := _YEAR_LAST.fullmatch(text):
        return date_of(text, _read_year_last(match, context))
    return None


def _read_year_first(match: re.Match[str], context: DateContext) -> list[DateReading]:
    years, separator, second, third = match.groups()
    year, number = int(years), _number(second)
    if year == 0:
        return []
    if separator == "-" and third is None:
        return _read_pair(year, number, context)
    if separator and third is None and (separator in "/ " or not 1 <= number <= 12):
        return []
    return read_civil(year, number, _number(third), context=context)


def _read_pair(year: int, number: int, context: DateContext) -> list[DateReading]:
    """Read a year and a number: a month, a season, a quarter, or a second year."""
    if number in _SEASONS:
        return read_months(year, _SEASONS[number], "season", context=context)
    if number in _QUARTERS:
        return read_months(year, _QUARTERS[number], "quarter", context=context)
    if number > max(12, year % 100):
        return [
            reading
            for end in (year, year - year % 100 + number)
            for reading in read_civil(end, 0, 0, context=context)
        ]
    return read_civil(year, number, 0, context=context)


def _read_year_last(match: re.Match[str], context: DateContext) -> list[DateReading]:
    first, break1, second, break2, years = match.groups()
    year, month = int(years), int(second)
    if year == 0 or (first is None and break2 == " ") or (first and break1 != break2):
        return []
    if first is None:
        return read_civil(year, month, 0, context=context)
    day_first, month_first = (month, int(first)), (int(first), month)
    orders = [month_first, day_first] if context.locale == "us" else [day_first, month_first]
    if break1 == ".":
        orders = [day_first]
    best = max(_likelihood(year, *order) for order in orders)
    possible = [order for order in orders if _likelihood(year, *order) == best]
    if best < 2 or context.locale:
        possible = possible[:1]
    return [reading for order in possible for reading in read_civil(year, *order, context=context)]


def _likelihood(year: int, month: int, day: int) -> int:
    """Return how far the parts fit: 2 with the day (or none), 1 with the month, 0 not at all."""
    if not 1 <= month <= 12:
        return 0
    return 2 if 0 <= day <= month_length(year, month) else 1


def _number(digits: str | None) -> int:
    return 0 if digits in (None, "xx") else int(digits or 0)


def read_quarter(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the quarter that clean, lower-case text names."""
    years = _QUARTER_YEAR.findall(text)
    if len(years) != 1:
        return None
    meanings = vocabulary("quarter")
    rest = _QUARTER_NUMBER.sub(r" q \1\2 ", _QUARTER_YEAR.sub(" ", text, count=1))
    words = [w for w in _QUARTER_WORD.findall(rest) if meanings.get(w) != "filler"]
    others = [word for word in words if meanings.get(word) != "quarter"]
    is_index = context.collection == QUARTER_INDEX
    quarter = _quarter_named(others, is_marked=len(others) < len(words), is_index=is_index)
    if not quarter:
        return None
    return date_of(text, read_months(int(years[0]), 3 * quarter - 2, "quarter", context=context))


def _quarter_named(words: list[str], *, is_marked: bool, is_index: bool) -> int:
    """Return the number of the quarter, or 0."""
    if len(words) == 1 and (initials := vocabulary("quarter").get(words[0])):
        return int(initials)
    months = [month_named(word) or 0 for word in words]
    if len(words) == 1 and is_marked and not months[0]:
        number = read_number(words[0]) or 0
        return number if number <= 4 else 0
    is_last = len(months) == 1 and months[0] > 0 and months[0] % 3 == 0
    is_ends = len(months) == 2 and months[1] - months[0] == 2 and months[1] % 3 == 0
    is_all = len(months) == 3 and months == list(range(months[2] - 2, months[2] + 1))
    is_quarter = ((is_last or is_ends) and (is_marked or is_index)) or is_all
    return months[-1] // 3 if is_quarter and months[-1] % 3 == 0 and months[0] else 0


def read_formal_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the date that clean, lower-case text in EDTF or GEDCOM X names."""
    if ("+" in text or text.startswith("a")) and (match := _GEDCOM_X.fullmatch(text)):
        doubt, first, slash, second, single = match.groups()
        if slash:
            return _join(text, first, second, is_doubt=bool(doubt), context=context)
        return _read_single(single, context)
    if _DOUBTFUL_DAY.fullmatch(text):
        return _read_single(text, context)
    match = _EDTF.fullmatch(text)
    if match and not _are_consecutive_years(match[1], match[2]):
        return _join(text, match[1], match[2], is_doubt=False, context=context)
    if (match := _SET.fullmatch(text)) and (".." in match[2] or "," in match[2]):
        first, *_, last = re.split(r"\.\.|,", match[2])
        is_doubt = match[1] == "["
        return _join(text, first.strip(), last.strip(), is_doubt=is_doubt, context=context)
    return None


def is_doubtful(text: str) -> bool:
    """Return whether a single formal date is marked as approximate: ``A+1836``, ``1850-03~``."""
    match = _GEDCOM_X.fullmatch(text)
    return bool(match and match[5] and (match[1] or text[-1] in "~?%"))


def _are_consecutive_years(first: str, second: str) -> bool:
    """Return whether a slash between two years may be that of a dual year: 1731/1732."""
    return first.isdigit() and second.isdigit() and int(second) == int(first) + 1


def _join(
    text: str, first: str | None, second: str | None, *, is_doubt: bool, context: DateContext
) -> HistoricalDate | None:
    """Return the interval between two ends, of which one may be open."""
    start, end = (_read_single(part or "", context) for part in (first, second))
    is_open_start, is_open_end = (part in (None, "", "..") for part in (first, second))
    if not (start or is_open_start) or not (end or is_open_end):
        return None
    if start and end:
        return hull_of_ends(text, start, end, "between" if is_doubt else "period")
    bound = start or end
    if bound is None:
        return None
    open_date = replace(bound, end=None) if start else replace(bound, start=None)
    if is_doubt:
        return replace(open_date, qualifier="after" if start else "before")
    return replace(open_date, qualifier="period", precision="interval")


def _read_single(text: str, context: DateContext) -> HistoricalDate | None:
    date = _TIME.sub("", text.removeprefix("+").rstrip("~?%"))
    return read_numeric_date(date, context) or read_stated_date(date, context)

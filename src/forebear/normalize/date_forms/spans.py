"""Which years or months does a decade, a century or a season name?

"1850s" is ten years, but "1800s" a hundred; the 19th century is 1801 to 1900.  Early, mid and
late are the years 0-3, 4-6 and 7-9 of a decade, and the thirds of a century.  Seasons are
northern and by months; winter begins in December of the stated year.
"""

import re
from functools import cache

from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.numbers import read_number, read_roman
from forebear.normalize.date_forms.numeric import read_months
from forebear.normalize.date_forms.readings import LAST_YEAR, Reading, date_of, read_span
from forebear.normalize.date_forms.stated import read_stated_date
from forebear.normalize.date_words import words_meaning
from forebear.normalize.days import last_day
from forebear.records.record import Day, HistoricalDate
from forebear.tables import read_table

_YEARS = re.compile(r"([0-9]{3}0)(?:'?s|er)s?")
_ROMAN_ORDINAL = re.compile(r"(?:ème|eme|e|º|°)$")  # XVIIe siècle
_SEASON_YEAR = re.compile(r"([0-9]{4})(?:[/-](?:[0-9]{4}|[0-9]{1,2}))?")
_FIRST_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
# First and last year of each part, counted from the first year of the span.
_DECADE_PARTS = {"early": (0, 3), "mid": (4, 6), "late": (7, 9), "": (0, 9)}
_CENTURY_PARTS = {"early": (0, 32), "mid": (33, 65), "late": (66, 99), "": (0, 99)}


def read_span_date(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the decade, century or season that clean, lower-case text names."""
    words = [w.strip(".,") for w in text.replace("mid-", "mid ").replace(" - ", "-").split()]
    words = [word for word in words if word and word not in words_meaning("filler")]
    if not 0 < len(words) <= 4:
        return None
    readings = _read_season(words, context)
    part = _span_words().get(words[0], "")
    if part in ("early", "mid", "late"):
        words = words[1:]
    else:
        part = ""
    date = date_of(text, readings or _read_years(words, part, context))
    return date or (_read_vague_part(" ".join(words), context) if part else None)


def _read_season(words: list[str], context: DateContext) -> list[Reading]:
    seasons = [_FIRST_MONTHS[s] for s in map(_season_of, words) if s]
    years = [year for year in map(_SEASON_YEAR.fullmatch, words) if year]
    if len(words) != 2 or len(seasons) != 1 or len(years) != 1:
        return []
    return read_months(int(years[0][1]), seasons[0], "season", context=context)


def _season_of(word: str) -> str:
    meaning = _span_words().get(word, "")
    return meaning if meaning in _FIRST_MONTHS else ""


def _read_years(words: list[str], part: str, context: DateContext) -> list[Reading]:
    decade_words = [word for word in words if _span_words().get(word) != "decade"]
    is_said = len(decade_words) < len(words)  # années 1840
    if len(decade_words) == 1 and (years := _YEARS.fullmatch(decade_words[0] + "s" * is_said)):
        first = int(years[1])
        return _years(first, part, is_century=first % 100 == 0, context=context)
    if len(words) == 2 and "century" in (_span_words().get(words[0]), _span_words().get(words[1])):
        ordinal = words[0] if _span_words().get(words[1]) == "century" else words[1]
        number = read_number(ordinal) or read_roman(_ROMAN_ORDINAL.sub("", ordinal))
        if number and 1 <= number <= LAST_YEAR // 100:
            return _years(100 * number - 99, part, is_century=True, context=context)
    return []


def _read_vague_part(text: str, context: DateContext) -> HistoricalDate | None:
    """Read "early 1850", "late March 1850": part of a year or month, which are taken whole."""
    date = read_stated_date(text, context)
    return date if date and date.precision in ("year", "month") else None


def _years(first: int, part: str, *, is_century: bool, context: DateContext) -> list[Reading]:
    low, high = (_CENTURY_PARTS if is_century else _DECADE_PARTS)[part]
    start, end = Day(first + low, 1, 1), last_day(first + high)
    return read_span(start, end, "century" if is_century else "decade", context=context)


@cache
def _span_words() -> dict[str, str]:
    return {
        w: row["meaning"]
        for row in read_table("normalize/span_words")
        for w in row["words"].split()
    }

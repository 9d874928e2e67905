"""Which three months does a quarter of civil registration name?

Births, marriages and deaths were indexed by quarters, each called by its number, its three months,
their initials or its last month ("Mar" for January to March).  The last month alone means the
quarter only in such an index.
"""

import re

from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.month_names import month_named
from forebear.normalize.date_forms.numbers import read_number
from forebear.normalize.date_forms.numeric import read_months
from forebear.normalize.date_forms.readings import date_of
from forebear.records.record import HistoricalDate

QUARTER_INDEX = "bmd_index"
_YEAR = re.compile(r"(?<![0-9])([0-9]{4})(?![0-9])")
_WORD = re.compile(r"[^\W\d_]+|[0-9]+(?:st|nd|rd|th|er|e)?")
_QUARTER_WORDS = frozenset(
    {"q", "qr", "qtr", "quarter", "quart", "kwartaal", "quartal", "trimestre"}
)
_FILLER = frozenset({"of", "the", "in", "ending", "ended", "e", "to", "reg", "registered"})
_INITIALS = {"jfm": 1, "amj": 2, "jas": 3, "ond": 4}


def read_quarter(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the quarter that clean, lower-case text names."""
    years = _YEAR.findall(text)
    if len(years) != 1:
        return None
    rest = re.sub(r"\bq([1-4])\b|\b([1-4])q\b", r" q \1\2 ", _YEAR.sub(" ", text, count=1))
    words = [word for word in _WORD.findall(rest) if word not in _FILLER]
    others = [word for word in words if word not in _QUARTER_WORDS]
    is_index = context.collection == QUARTER_INDEX
    quarter = _quarter_named(others, is_marked=len(others) < len(words), is_index=is_index)
    if not quarter:
        return None
    return date_of(text, read_months(int(years[0]), 3 * quarter - 2, "quarter", context=context))


def _quarter_named(words: list[str], *, is_marked: bool, is_index: bool) -> int:
    """Return the number of the quarter, or 0."""
    months = [month_named(word) or 0 for word in words]
    if len(words) == 1 and words[0] in _INITIALS:
        return _INITIALS[words[0]]
    if len(words) == 1 and is_marked and not months[0]:
        number = read_number(words[0]) or 0
        return number if number <= 4 else 0
    is_last = len(months) == 1 and months[0] > 0 and months[0] % 3 == 0
    is_ends = len(months) == 2 and months[1] - months[0] == 2 and months[1] % 3 == 0
    is_all = len(months) == 3 and months == list(range(months[2] - 2, months[2] + 1))
    is_quarter = ((is_last or is_ends) and (is_marked or is_index)) or is_all
    return months[-1] // 3 if is_quarter and months[-1] % 3 == 0 and months[0] else 0

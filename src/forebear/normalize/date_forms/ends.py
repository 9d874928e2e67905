"""Which days do two dates joined in one text allow, and which does either alone?

A part that the first end lacks is borrowed from the second: in "3 and 4 Jan 2001" the 3
is of January 2001 too.  Ends in the wrong order are put right.  An end is never widened, however
vague its own words are.
"""

import re
from functools import cache

from forebear.normalize.date_forms.calendars import to_julian
from forebear.normalize.date_forms.context import DateContext, take_marks
from forebear.normalize.date_forms.feasts import read_feast
from forebear.normalize.date_forms.hebrew import read_hebrew_date
from forebear.normalize.date_forms.numbers import number_words
from forebear.normalize.date_forms.numeric import read_numeric_date
from forebear.normalize.date_forms.quaker import read_quaker_date
from forebear.normalize.date_forms.quarters import read_quarter
from forebear.normalize.date_forms.readings import hull_of_ends
from forebear.normalize.date_forms.reigns import read_regnal_year
from forebear.normalize.date_forms.republican import read_republican_date
from forebear.normalize.date_forms.spans import read_span_date
from forebear.normalize.date_forms.stated import read_stated_date
from forebear.normalize.date_words import VAGUE, split_qualifiers, words_meaning
from forebear.records.record import HistoricalDate, Qualifier

_HAS_NUMBER = re.compile(
    r"[0-9א-ת]|\bm[dclxvi]+\b|\ban [ivx]+\b"
    r"|\b[ivx]+e?m?e? si[eè]cle|\b[ivx]+ (?:secolo|wieku?)|\b(?:siglo|secolo|s[eé]culo) [ivx]+\b"
)
_CALENDAR_READERS = {
    "hebrew": read_hebrew_date,
    "republican": read_republican_date,
    "quaker": read_quaker_date,
}
_READERS = (
    read_quarter,
    read_numeric_date,
    read_quaker_date,
    read_stated_date,
    read_span_date,
    read_feast,
    read_republican_date,
    read_hebrew_date,
)


def read_end(text: str, context: DateContext) -> HistoricalDate | None:
    """Return one date, without what makes it vague: an end is not widened."""
    plain, marked = take_marks(text, context)
    qualifiers, rest = split_qualifiers(plain)
    sure = re.sub(r"(?<=[0-9]{4})\s*[~?%]$", "", rest)
    return read_one(sure, marked) if VAGUE.issuperset(qualifiers) else None


def read_one(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the one date that the text names, in any form."""
    text, context = take_marks(text, context)
    if context.calendar == "unknown" or not _has_number(text):
        return None
    if reader := _CALENDAR_READERS.get(context.calendar):
        if date := reader(text, context):
            return date
        if context.calendar != "quaker":
            return None
    dates = (read(text, context) for read in _READERS)
    return next(filter(None, dates), None) or read_regnal_year(text)


def join_ends(
    text: str,
    joint: re.Pattern[str],
    qualifier: Qualifier,
    context: DateContext,
) -> HistoricalDate | None:
    """Return the interval between two dates with such a joint between them."""
    for match in joint.finditer(text):
        first, second = text[: match.start()].strip(), text[match.end() :].strip()
        end = read_end(second, context)
        start = end and (read_end(first, context) or _read_borrowing(first, second, context))
        if start and end and first:
            return hull_of_ends(text, start, end, qualifier)
    return None


def read_style_pair(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the one day that is written in both calendars: "20 mar/1 apr 1880"."""
    first, slash, second = text.partition("/")
    day = read_one(second, context) if slash else None
    if not day or day.precision != "day" or not day.start or day.qualifier != "exact":
        return None
    julian = to_julian(day.start)
    written = read_one(first, context) or read_one(f"{first} {julian.year}", context)
    same = written and written.start and written.start[1:] == julian[1:]
    return day if same and day.start != julian else None


def joint_of(*meanings: str) -> re.Pattern[str]:
    """Return the pattern of a joint: a word of one of these meanings, or a hyphen."""
    return _joint(frozenset[str]().union(*map(words_meaning, meanings)), "and" in meanings)


@cache
def _joint(words: frozenset[str], has_slash: bool) -> re.Pattern[str]:
    signs = (
        r"|\s*-\s*|(?<=[a-z])/|\s/\s|(?<=[0-9]{4})/(?=[0-9]{1,2}\s)" if has_slash else r"|\s*-\s*"
    )
    return re.compile(rf"\s(?:{'|'.join(map(re.escape, sorted(words)))})\.?\s{signs}")


def _has_number(text: str) -> bool:
    words = text.replace("-", " ").split()
    return bool(_HAS_NUMBER.search(text)) or not number_words().keys().isdisjoint(words)


def _read_borrowing(first: str, second: str, context: DateContext) -> HistoricalDate | None:
    words = second.split()
    tails = (" ".join([first, *words[start:]]) for start in range(1, len(words)))
    return next(filter(None, (read_end(tail, context) for tail in tails)), None)

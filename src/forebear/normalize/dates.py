"""Which days does a date as people wrote it allow?

A date is read in three steps: qualifying words in front (about, before, between, and the
words of other languages in ``tables/date_words.csv``) are taken off, what is left is read as one
date or as two ends, and the qualifier says what that allows.  "About" widens by two years,
"calculated" by one, "estimated" by five; "before" and "after" include the date they name.

Nothing is guessed: text in which a word is not understood is a phrase, which has no days.
The text itself is always kept.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

from msgspec.structs import replace

from forebear.normalize.date_forms.context import DateContext, take_marks
from forebear.normalize.date_forms.ends import (
    join_ends,
    joint_of,
    read_end,
    read_one,
    read_style_pair,
)
from forebear.normalize.date_forms.formal import is_doubtful, read_formal_date
from forebear.normalize.date_forms.month_names import month_named
from forebear.normalize.date_forms.numbers import in_figures
from forebear.normalize.date_forms.readings import date_of, read_civil
from forebear.normalize.date_words import split_qualifiers
from forebear.normalize.days import last_day, plus_years
from forebear.normalize.spelling import lower_raised
from forebear.records.record import Day, HistoricalDate, Qualifier
from forebear.tables import read_table

WIDENING_YEARS: dict[Qualifier, int] = {"about": 2, "calculated": 1, "estimated": 5}
LONGEST_DATE = 80  # characters; longer text is prose
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("’‘ʼ`´′", "'"))
_EDITORIAL = re.compile(r"\[(?:sic|\?)\]|^(?:[*†✝⚭∞]|oo|\+(?=\s))\s*(?=[\w~<>])")
_BLANK = re.compile(
    r"\[(?:blank|illegible|torn|faded|unreadable|missing|unclear|indecipherable|damaged|worn)\]"
)
_SUPPLIED = re.compile(r"(?<![\w\]])\[((?:[^\[\].,]|\.(?!\.))*)\](?![\w\[])")
_SLASHED = re.compile(r"\b([0-9]{1,2})/([a-z]{3,})\.?/([0-9]{4})\b")
_PLAIN = re.compile(r"([0-9]{1,2}) ([a-z]{3,9}) ([0-9]{4})")
_RUN_TOGETHER = re.compile(r"\b([0-9]{1,2})([a-z]{3,9})([0-9]{4})\b")
_DUAL_HYPHEN = re.compile(r"(?<=[a-z.] )([0-9]{4})-([0-9]{1,2})$")
_SHORT_SECOND = re.compile(r"\b([0-9]{2})([0-9]{2})( (?:or|and|&|oder|ou|und|et|to) )([0-9]{2})$")
_DUTCH_OR = re.compile(r"\b([0-9]{4}|[0-9]{1,2}) of (?=[0-9]{1,4}\b)")
_DAYS_AFTER_MONTH = re.compile(r"^([^\W\d_]+)\.? ([0-9]{1,2}-[0-9]{1,2}),? ([0-9]{4})$")
_DOUBT = re.compile(
    r"(?<=[^\W_])(?:\s*[~%]|(?<=[0-9]{4})\s*\?|\s*\(\?\)|(?<=[a-z]|[0-9])\?(?=\s)"
    r"|,? or thereabouts?|,? or so|,?\s\(?(?:about|circa|ca|approx|approximately|abt)\.?\)?"
    r"|,? \(?(?:probably|perhaps|possibly)\)?)(?=$|\s)"
)
_REMARK = re.compile(r"\s*\([^()]*\)$")
_OTHER_STYLE = re.compile(r"\b([0-9]{1,2}) ?\(([0-9]{1,2})\)(?= ?[^\W\d])")  # 12 (24) Nov
_JOINED_ORDINAL = re.compile(r"\b([0-9]{1,2})(?:-e?(?:go|gie)|:[ade]e?)(?= )")  # 3-go, 3:e
_POINTED_MONTH = re.compile(r"\b([789x]|10|v?iii?|ix)\.\s?(?=b(?:er|re?|ris)\b)")  # 8.bre
_DOUBTFUL_YEAR = re.compile(
    r"(?<=\b[0-9]{4})\s*(?:\s\?(?=$|\])|\[\?\])|^\?(?=[0-9]{4}\b)"  # 1850 ?, 1850[?], ?1850
)
_ON = re.compile(r"^(?:a|ai|aos|a los) (?=[0-9]{1,2} )")  # "a 3 de mayo": elsewhere "a" is "to"
_MONTH_OR_EVENT = re.compile(r"^(?:mar|dec)\.? ")  # "mar. 5 Oct 1699" was a marriage
_NO_SPACE = re.compile(
    r"^(c|ca|abt|bef|aft|est|cal|[bdm](?=\.|[0-9]{4}\b)|(?:bapt?|bur|chr|ge[bd]|gest|marr)(?=\.))"
    r"\.?(?=[0-9])|^([<>~%]=?)|^(pre|post|ante)-(?=[0-9a-z])"
)


@lru_cache(maxsize=65_536)
def parse_date(
    text: str, *, collection: str = "", locale: str = "", calendar: str = "", country: str = ""
) -> HistoricalDate:
    """Return what the text allows; a phrase without days if it is not understood.

    What the source says about its dates comes as keywords: `DateContext` has them all.

    >>> date = parse_date("abt 1850")
    >>> str(date.start), str(date.end), date.qualifier, date.precision
    ('1848-01-01', '1852-12-31', 'about', 'year')
    >>> parse_date("11 Feb 1731/32").end, parse_date("not known").qualifier
    (Day(year=1732, month=2, day=11), 'phrase')
    """
    context = DateContext(collection.lower(), locale.lower(), calendar.lower(), country.lower())
    clean = _clean(text) if len(text) <= 4 * LONGEST_DATE else ""
    date = _read_text(clean, context) if 0 < len(clean) <= LONGEST_DATE else None
    return replace(date, text=text) if date else HistoricalDate(text=text, qualifier="phrase")


@cache
def census_day(year: int, *, country: str = "united kingdom") -> Day | None:
    """Return the day of the census of that year, if one was taken."""
    days = {
        (row["country"], row["year"]): row["day"] for row in read_table("normalize/census_days")
    }
    day = days.get((country, str(year)))
    return Day(*map(int, day.split("-"))) if day else None


def _clean(text: str) -> str:
    plain = unicodedata.normalize("NFC", lower_raised(text)).lower().translate(_DASHES)
    return " ".join(plain.split()).strip(" ,;")


def _read_text(text: str, context: DateContext) -> HistoricalDate | None:
    """Read the formal languages, in which every sign counts, and then prose."""
    if (date := _read_plain(text)) and context == DateContext():
        return date
    if date := read_formal_date(text, context):
        return _widen(date, "about") if is_doubtful(text) else date
    text = _OTHER_STYLE.sub(r"\1/\2", _DOUBTFUL_YEAR.sub("~", in_figures(text)))
    text = _POINTED_MONTH.sub(r"\1", _JOINED_ORDINAL.sub(r"\1", text))
    plain = _SUPPLIED.sub(r"\1", _EDITORIAL.sub(" ", _BLANK.sub("_", text)))
    plain = _RUN_TOGETHER.sub(r"\1 \2 \3", _SLASHED.sub(r"\1 \2 \3", " ".join(plain.split())))
    plain = _DAYS_AFTER_MONTH.sub(r"\2 \1 \3", _DUTCH_OR.sub(r"\1 or ", plain))
    plain = _SHORT_SECOND.sub(r"\1\2\3\1\4", _DUAL_HYPHEN.sub(r"\1/\2", plain))
    plain = " ".join(_NO_SPACE.sub(r"\1\2\3 ", _ON.sub("", plain)).split()).strip(" .,;")
    readings = dict.fromkeys((plain, _REMARK.sub("", plain), _MONTH_OR_EVENT.sub("", plain)))
    dates = (_read_qualified(reading, context) for reading in readings if reading)
    return next(filter(None, dates), None)


def _read_plain(text: str) -> HistoricalDate | None:
    """Read "12 mar 1850", the form of most dates, without looking for any other."""
    plain = _PLAIN.fullmatch(text)
    month = month_named(plain[2]) if plain else None
    if not plain or not month:
        return None
    day, year = int(plain[1]), int(plain[3])
    return date_of(text, read_civil(year, month, day, context=DateContext())) if year else None


def _read_qualified(text: str, context: DateContext) -> HistoricalDate | None:
    qualifiers, rest = split_qualifiers(text)
    if not qualifiers and rest.startswith("@#d"):
        rest, context = take_marks(rest, context)
        qualifiers, rest = split_qualifiers(rest)
    if {"after", "before"} <= set(qualifiers):
        return None
    for direction, read in _DIRECTIONS.items():
        if direction in qualifiers:
            return read(rest, context)
    date = read_one(rest, context) or read_style_pair(rest, context)
    sure = _DOUBT.sub("", rest)
    vague: list[Qualifier] = [word for word in WIDENING_YEARS if word in qualifiers]
    if date is None and sure != rest:
        date, vague = read_one(sure, context), [*vague, "about"]
    date = date or _read_two_ends(rest, context)
    return _widen(date, vague[0]) if date and vague else date


def _widen(date: HistoricalDate, qualifier: Qualifier) -> HistoricalDate:
    """Return the date some years wider at both ends, unless it had two readings already."""
    if date.qualifier != "exact" or not date.start or not date.end:
        return date
    years = WIDENING_YEARS[qualifier]
    end = plus_years(date.end, years)
    if date.precision == "month":
        end = last_day(end.year, end.month)
    return replace(date, start=plus_years(date.start, -years), end=end, qualifier=qualifier)


def _read_two_ends(text: str, context: DateContext) -> HistoricalDate | None:
    between = join_ends(text, joint_of("and"), "between", context)
    return between or join_ends(text, joint_of("to"), "period", context)


def _read_between(text: str, context: DateContext) -> HistoricalDate | None:
    return join_ends(text, joint_of("and", "to"), "between", context)


def _read_before(text: str, context: DateContext) -> HistoricalDate | None:
    date = read_end(text, context)
    return replace(date, start=None, qualifier="before") if date else None


def _read_after(text: str, context: DateContext) -> HistoricalDate | None:
    date = read_end(text, context)
    return replace(date, end=None, qualifier="after") if date else None


def _read_from(text: str, context: DateContext) -> HistoricalDate | None:
    if period := join_ends(text, joint_of("to"), "period", context):
        return period
    date = read_end(text, context)
    return replace(date, end=None, qualifier="period", precision="interval") if date else None


def _read_to(text: str, context: DateContext) -> HistoricalDate | None:
    date = read_end(text, context)
    return replace(date, start=None, qualifier="period", precision="interval") if date else None


def _read_interpreted(text: str, context: DateContext) -> HistoricalDate | None:
    date = read_end(_REMARK.sub("", text), context)
    return replace(date, qualifier="phrase") if date else None


_DIRECTIONS: dict[str, Callable[[str, DateContext], HistoricalDate | None]] = {
    "between": _read_between,
    "from": _read_from,
    "to": _read_to,
    "before": _read_before,
    "after": _read_after,
    "interpreted": _read_interpreted,
}

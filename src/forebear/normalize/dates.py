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
from dataclasses import replace
from functools import cache, lru_cache

from forebear.normalize.date_ends import join_ends, joint_of, read_end, read_one
from forebear.normalize.date_words import split_qualifiers
from forebear.normalize.days import last_day, plus_years
from forebear.normalize.read_table import read_table
from forebear.records.dates import Day, HistoricalDate, Qualifier

WIDENING_YEARS: dict[Qualifier, int] = {"about": 2, "calculated": 1, "estimated": 5}
LONGEST_DATE = 80  # characters; longer text is prose
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_EDITORIAL = re.compile(r"\[(?:sic|\?)\]|^[*†](?=\s*\S)")
_SUPPLIED = re.compile(r"\[([0-9]{4}\??)\]")
_SLASH = re.compile(r"(?<=[0-9])/(?=[a-z])|(?<=[a-z])/(?=[0-9])")
_DOUBT = re.compile(r"(?<=[0-9]{4})(?:\s*[~?%]|\s*\(\?\)|,? or thereabouts)$")
_NO_SPACE = re.compile(r"^(c|ca|abt|bef|aft)\.?(?=[0-9])|^([<>~])")


@lru_cache(maxsize=65_536)
def parse_date(text: str) -> HistoricalDate:
    """Return what the text allows; a phrase without days if it is not understood.

    >>> date = parse_date("abt 1850")
    >>> str(date.start), str(date.end), date.qualifier, date.precision
    ('1848-01-01', '1852-12-31', 'about', 'year')
    >>> parse_date("11 Feb 1731/32").end, parse_date("not known").qualifier
    (Day(year=1732, month=2, day=11), 'phrase')
    """
    clean = _clean(text)
    date = _read_qualified(clean) if len(clean) <= LONGEST_DATE else None
    return replace(date, text=text) if date else HistoricalDate(text=text, qualifier="phrase")


@cache
def census_day(year: int, *, country: str = "united kingdom") -> Day | None:
    """Return the day of the census of that year, if one was taken."""
    days = {(row["country"], row["year"]): row["day"] for row in read_table("census_days")}
    day = days.get((country, str(year)))
    return Day(*map(int, day.split("-"))) if day else None


def _clean(text: str) -> str:
    plain = unicodedata.normalize("NFC", text).lower().translate(_DASHES).strip()
    plain = _SUPPLIED.sub(r"\1", _EDITORIAL.sub(" ", plain.replace("[blank]", "_")))
    plain = _NO_SPACE.sub(r"\1\2 ", _SLASH.sub(" ", plain).strip())
    return " ".join(plain.split()).strip(" .,;")


def _read_qualified(text: str) -> HistoricalDate | None:
    qualifiers, rest = split_qualifiers(text)
    for direction, read in _DIRECTIONS.items():
        if direction in qualifiers:
            return read(rest)
    sure = _DOUBT.sub("", rest)
    date = read_one(sure) or _read_two_ends(rest)
    vague = [word for word in WIDENING_YEARS if word in qualifiers]
    if sure != rest:
        vague.append("about")
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


def _read_two_ends(text: str) -> HistoricalDate | None:
    between = join_ends(text, joint_of("and"), "between")
    return between or join_ends(text, re.compile("/"), "period", may_borrow=False)


def _read_between(text: str) -> HistoricalDate | None:
    return join_ends(text, joint_of("and", "to"), "between")


def _read_before(text: str) -> HistoricalDate | None:
    date = read_end(text)
    return replace(date, start=None, qualifier="before") if date else None


def _read_after(text: str) -> HistoricalDate | None:
    date = read_end(text)
    return replace(date, end=None, qualifier="after") if date else None


def _read_from(text: str) -> HistoricalDate | None:
    if period := join_ends(text, joint_of("to"), "period"):
        return period
    date = read_end(text)
    return replace(date, end=None, qualifier="period", precision="interval") if date else None


def _read_to(text: str) -> HistoricalDate | None:
    date = read_end(text)
    return replace(date, start=None, qualifier="period", precision="interval") if date else None


def _read_interpreted(text: str) -> HistoricalDate | None:
    date = read_one(re.sub(r"\s*\(.*\)$", "", text))
    return replace(date, qualifier="phrase") if date else None


_DIRECTIONS = {
    "between": _read_between,
    "from": _read_from,
    "to": _read_to,
    "before": _read_before,
    "after": _read_after,
    "interpreted": _read_interpreted,
}

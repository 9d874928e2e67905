"""Which days do two dates joined in one text allow, and which does either alone?

A part that the first end lacks is borrowed from the second: in "3 and 4 Jan 2001" the 3
is of January 2001 too.  Ends in the wrong order are put right.
"""

import re
from functools import cache

from forebear.normalize.date_words import VAGUE, split_qualifiers, words_meaning
from forebear.normalize.numeric_dates import read_numeric_date
from forebear.normalize.stated_dates import read_stated_date
from forebear.records.dates import HistoricalDate, Qualifier


def read_end(text: str) -> HistoricalDate | None:
    """Return one date, without what makes it vague: an end is not widened."""
    qualifiers, rest = split_qualifiers(text)
    sure = re.sub(r"(?<=[0-9]{4})\s*[~?%]$", "", rest)
    return read_one(sure) if VAGUE.issuperset(qualifiers) else None


def read_one(text: str) -> HistoricalDate | None:
    """Return the one date that the text names, in words or in figures."""
    return read_numeric_date(text) or read_stated_date(text)


def join_ends(
    text: str, joint: re.Pattern[str], qualifier: Qualifier, *, may_borrow: bool = True
) -> HistoricalDate | None:
    """Return the interval between two dates with such a joint between them."""
    for match in joint.finditer(text):
        first, second = text[: match.start()], text[match.end() :]
        end = read_end(second)
        start = read_end(first) or (_read_borrowing(first, second) if may_borrow else None)
        if start and end:
            return _interval(text, start, end, qualifier)
    return None


def joint_of(*meanings: str) -> re.Pattern[str]:
    """Return the pattern of a joint: a word of one of these meanings, or a hyphen."""
    return _joint(frozenset[str]().union(*map(words_meaning, meanings)))


@cache
def _joint(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\s(?:{'|'.join(map(re.escape, sorted(words)))})\.?\s|\s*-\s*")


def _read_borrowing(first: str, second: str) -> HistoricalDate | None:
    words = second.split()
    tails = (" ".join([first, *words[start:]]) for start in range(1, len(words)))
    return next(filter(None, map(read_end, tails)), None)


def _interval(
    text: str, first: HistoricalDate, second: HistoricalDate, qualifier: Qualifier
) -> HistoricalDate:
    starts = [date.start for date in (first, second) if date.start]
    ends = [date.end for date in (first, second) if date.end]
    return HistoricalDate(
        text=text, start=min(starts), end=max(ends), qualifier=qualifier, precision="interval"
    )

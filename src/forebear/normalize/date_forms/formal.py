"""Which days do the formal languages of dates name: EDTF (ISO 8601-2) and GEDCOM X?

Both write two ends with a slash, and an open end as nothing or as two points.  In EDTF square
brackets are one of several days and braces all of them; in GEDCOM X an ``A`` in front is doubt.
"""

import re

from msgspec.structs import replace

from forebear.normalize.date_forms.context import DateContext
from forebear.normalize.date_forms.numeric import read_numeric_date
from forebear.normalize.date_forms.readings import hull_of_ends
from forebear.normalize.date_forms.stated import read_stated_date
from forebear.records.record import HistoricalDate

_SINGLE = r"[+-]?[0-9][0-9x]{3}(?:-[0-9x]{1,2}(?:-[0-9x]{1,2}(?:t[0-9:.+z-]*)?)?)?[~?%]?"
_GEDCOM_X = re.compile(rf"(a)?(?:({_SINGLE})?(/)({_SINGLE})?|({_SINGLE}))")
_EDTF = re.compile(rf"({_SINGLE}|\.\.|)/({_SINGLE}|\.\.|)")
_SET = re.compile(rf"([\[{{])((?:{_SINGLE}|\.\.|[,\s])+)[\]}}]")
_DOUBTFUL_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}[~?%]")
_TIME = re.compile(r"t[0-9:.+z-]*$")


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
    if match := _SET.fullmatch(text):
        return _read_set(text, match[2], is_doubt=match[1] == "[", context=context)
    return None


def is_doubtful(text: str) -> bool:
    """Say whether a single formal date is marked as approximate: ``A+1836``, ``1850-03~``."""
    match = _GEDCOM_X.fullmatch(text)
    return bool(match and match[5] and (match[1] or text[-1] in "~?%"))


def _are_consecutive_years(first: str, second: str) -> bool:
    """Say whether a slash between two years may be that of a dual year: 1731/1732."""
    return first.isdigit() and second.isdigit() and int(second) == int(first) + 1


def _read_set(
    text: str, members: str, *, is_doubt: bool, context: DateContext
) -> HistoricalDate | None:
    if ".." not in members and "," not in members:
        return None
    ends = re.split(r"\.\.|,", members)
    return _join(text, ends[0].strip(), ends[-1].strip(), is_doubt=is_doubt, context=context)


def _join(
    text: str, first: str | None, second: str | None, *, is_doubt: bool, context: DateContext
) -> HistoricalDate | None:
    """Return the interval between two ends, of which one may be open."""
    start, end = (_read_single(part or "", context) for part in (first, second))
    is_open_start, is_open_end = (part in (None, "", "..") for part in (first, second))
    if not (start or is_open_start) or not (end or is_open_end) or not (start or end):
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
    plain = _TIME.sub("", text.removeprefix("+").rstrip("~?%"))
    return read_numeric_date(plain, context) or read_stated_date(plain, context)

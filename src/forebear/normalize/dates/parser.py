"""How is a date as people wrote it read?

Qualifying words in front (about, before, between, and the words of other languages in
``tables/dates/words.csv``) are removed, what is left is read as one date or as two ends, and the
qualifier decides what that allows.  "About" widens by two years, "calculated" by one, "estimated"
by five; "before" and "after" include the date they name.

Nothing is guessed: text in which a word is not understood is a phrase, which has no days.
"""

import re
from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from forebear.normalize.dates.calendars import (
    read_hebrew_date,
    read_quaker_date,
    read_republican_date,
)
from forebear.normalize.dates.feasts import read_feast, read_regnal_year
from forebear.normalize.dates.figures import (
    is_doubtful,
    read_formal_date,
    read_numeric_date,
    read_quarter,
)
from forebear.normalize.dates.intervals import (
    NO_CONTEXT,
    DateContext,
    date_of,
    hull_of_ends,
    last_day,
    plus_years,
    read_civil,
    to_julian,
)
from forebear.normalize.dates.words import (
    in_figures,
    month_named,
    number_words,
    read_span_date,
    read_stated_date,
    vocabulary,
    words_meaning,
)
from forebear.normalize.spelling import compose, lower_raised
from forebear.records.record import HistoricalDate, Qualifier

# The grammar, after `_clean` (lower case, single spaces, plain dashes) and `_tidy` (editorial
# signs removed, run-together parts set apart).  Alternatives are tried from left to right.
#
#   date       ::= plain | formal | prose | prose without a remark | prose without "mar." in front
#   plain      ::= day month year, each one word: "12 mar 1850"
#   formal     ::= EDTF | GEDCOM X; a doubtful one is widened
#   prose      ::= [calendar mark] qualifier* (pair | bound | single)
#   pair       ::= "between" end ("and" | "to") end  |  "from" end "to" end
#   bound      ::= ("before" | "after" | "from" | "to" | "interpreted") end
#   single     ::= one | one in two styles | one with a word of doubt after it | two ends
#   two ends   ::= end ("and" | "or" | "-" | "/") end  |  end "to" end
#   end        ::= vague* one, not widened; the first borrows what it lacks from the second
#   one        ::= [calendar mark] the first form that reads it; a stated calendar goes first
#   vague      ::= "about" | "calculated" | "estimated"
#
Form = Callable[[str, DateContext], HistoricalDate | None]
FORMS: dict[str, Form] = {
    "quarter": read_quarter,
    "numeric": read_numeric_date,
    "quaker": read_quaker_date,
    "feast": read_feast,
    "stated": read_stated_date,
    "span": read_span_date,
    "republican": read_republican_date,
    "hebrew": read_hebrew_date,
    "regnal": read_regnal_year,
}
# These pairs read some texts differently, and the first of the two is right; no others do.
PRECEDENCE = {
    ("quarter", "stated"): "mar 1850",  # in an index of quarters
    ("quaker", "stated"): "iii month 1650",
    ("feast", "stated"): "may day 1688",
}
_CALENDAR_FORMS = ("hebrew", "republican", "quaker")

WIDENING_YEARS: dict[Qualifier, int] = {"about": 2, "calculated": 1, "estimated": 5}
VAGUE = frozenset(WIDENING_YEARS)
MAX_LENGTH = 80  # characters; longer text is prose
MAX_PHRASE = 3  # words of a qualifier: "no later than"
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("’‘ʼ`´′", "'"))
_PLAIN = re.compile(r"([0-9]{1,2}) ([a-z]{3,9}) ([0-9]{4})")
_DOUBT = re.compile(
    r"(?<=[^\W_])(?:\s*[~%]|(?<=[0-9]{4})\s*\?|\s*\(\?\)|(?<=[a-z]|[0-9])\?(?=\s)"
    r"|,? or thereabouts?|,? or so|,?\s\(?(?:about|circa|ca|approx|approximately|abt)\.?\)?"
    r"|,? \(?(?:probably|perhaps|possibly)\)?)(?=$|\s)"
)
_END_DOUBT = re.compile(r"(?<=[0-9]{4})\s*[~?%]$")
_REMARK = re.compile(r"\s*\([^()]*\)$")
_MONTH_OR_EVENT = re.compile(r"^(?:mar|dec)\.? ")  # "mar. 5 Oct 1699" was a marriage
_HAS_NUMBER = re.compile(
    r"[0-9א-ת]|\bm[dclxvi]+\b|\ban [ivx]+\b"
    r"|\b[ivx]+e?m?e? si[eè]cle|\b[ivx]+ (?:secolo|wieku?)|\b(?:siglo|secolo|s[eé]culo) [ivx]+\b"
)
# What clerks, transcribers and programs write around a date, and what is read instead, in order.
_TIDY = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # 1850 ?, 1850[?], ?1850
        (r"(?<=\b[0-9]{4})\s*(?:\s\?(?=$|\])|\[\?\])|^\?(?=[0-9]{4}\b)", "~"),
        (r"\b([0-9]{1,2}) ?\(([0-9]{1,2})\)(?= ?[^\W\d])", r"\1/\2"),  # 12 (24) Nov
        (r"\b([0-9]{1,2})(?:-e?(?:go|gie)|:[ade]e?)(?= )", r"\1"),  # 3-go, 3:e
        (r"\b([789x]|10|v?iii?|ix)\.\s?(?=b(?:er|re?|ris)\b)", r"\1"),  # 8.bre
        (
            r"\[(?:blank|illegible|torn|faded|unreadable|missing|unclear|indecipherable"
            r"|damaged|worn)\]",
            "_",
        ),
        (r"\[(?:sic|\?)\]|^(?:[*†✝⚭∞]|oo|\+(?=\s))\s*(?=[\w~<>])", " "),
        (r"(?<![\w\]])\[((?:[^\[\].,]|\.(?!\.))*)\](?![\w\[])", r"\1"),  # [1850]: supplied
        (r"\s+", " "),
        (r"\b([0-9]{1,2})/([a-z]{3,})\.?/([0-9]{4})\b", r"\1 \2 \3"),
        (r"\b([0-9]{1,2})([a-z]{3,9})([0-9]{4})\b", r"\1 \2 \3"),
        (r"\b([0-9]{4}|[0-9]{1,2}) of (?=[0-9]{1,4}\b)", r"\1 or "),  # Dutch
        (r"^ ?([^\W\d_]+)\.? ([0-9]{1,2}-[0-9]{1,2}),? ([0-9]{4}) ?$", r"\2 \1 \3"),
        (r"(?<=[a-z.] )([0-9]{4})-([0-9]{1,2}) ?$", r"\1/\2"),
        (
            r"\b([0-9]{2})([0-9]{2})( (?:or|and|&|oder|ou|und|et|to) )([0-9]{2}) ?$",
            r"\1\2\3\1\4",
        ),
        (r"^ ?(?:a|ai|aos|a los) (?=[0-9]{1,2} )", ""),  # a 3 de mayo; elsewhere "a" is "to"
        (
            r"^ ?(?:(c|ca|abt|bef|aft|est|cal|[bdm](?=\.|[0-9]{4}\b)"
            r"|(?:bapt?|bur|chr|ge[bd]|gest|marr)(?=\.))"
            r"\.?(?=[0-9])|([<>~%]=?)|(pre|post|ante)-(?=[0-9a-z]))",
            r"\1\2\3 ",
        ),
    )
)
# A year in GEDCOM is the number that ends a date.  Up to 5.5.1 it has three figures or more, in 7
# any number; one or two figures are a year there after a month or a word, not in "BET 3 AND ...".
_YEAR_ENDS = r"(?=(?:/[0-9]{2})?(?:$| and | to | \())"
_AFTER_CODE = "(?<=jan |feb |mar |apr |may |jun |jul |aug |sep |oct |nov |dec "
_AFTER_CODE += "|abt |bef |aft |cal |est |int )"
_SHORT_YEARS = {
    "gedcom": re.compile(rf"(?<![0-9/])[0-9]{{3}}{_YEAR_ENDS}"),
    "gedcom7": re.compile(
        rf"(?<![0-9/])(?:[0-9]{{3}}|{_AFTER_CODE}[0-9]{{1,2}}|^[0-9]{{1,2}}$){_YEAR_ENDS}"
    ),
}
_MARKS = re.compile(
    r"@#d(julian|hebrew|french r|gregorian|roman|unknown)@|\b(julian|hebrew|french_r|gregorian)\b"
)
_STYLES = re.compile(
    r"[\s,(]*(?:\b(?P<os>o\. ?s\.?|os|old style)"
    r"|\b(?P<sv>st\. ?v\.?|stilo vet(?:eri|\.)|alten stils)"
    r"|\b(?P<ns>n\. ?s\.?|ns|new style|st\. ?n\.?|stilo novo|neuen stils))[\s)]*$"
)
_CALENDARS = {
    **{"french r": "republican", "french_r": "republican", "gregorian": ""},
    "roman": "unknown",  # a mark of GEDCOM that was never given a calendar
}


def parse_date(text: str, context: DateContext) -> HistoricalDate:
    """Return what the text allows, as `forebear.normalize.dates.read_date` explains."""
    clean = _clean(text) if len(text) <= 4 * MAX_LENGTH else ""
    date = _read_text(clean, context) if 0 < len(clean) <= MAX_LENGTH else None
    return replace(date, text=text) if date else HistoricalDate(text=text, qualifier="phrase")


def _clean(text: str) -> str:
    lower = compose(lower_raised(text)).lower().translate(_DASHES)
    return " ".join(lower.split()).strip(" ,;")


def _read_text(text: str, context: DateContext) -> HistoricalDate | None:
    if (date := _read_plain(text)) and context[1:] == NO_CONTEXT[1:]:
        return date
    if short_years := _SHORT_YEARS.get(context.collection):
        text = short_years.sub(lambda year: year[0].zfill(4), text)
    if date := read_formal_date(text, context):
        return _widen(date, "about") if is_doubtful(text) else date
    prose = _tidy(text)
    readings = dict.fromkeys((prose, _REMARK.sub("", prose), _MONTH_OR_EVENT.sub("", prose)))
    dates = (_read_prose(reading, context) for reading in readings if reading)
    return next(filter(None, dates), None)


def _read_plain(text: str) -> HistoricalDate | None:
    """Read "12 mar 1850", the form of most dates, without looking for any other."""
    match = _PLAIN.fullmatch(text)
    month = month_named(match[2]) if match else None
    if not match or not month:
        return None
    day, year = int(match[1]), int(match[3])
    return date_of(text, read_civil(year, month, day, context=NO_CONTEXT)) if year else None


def _tidy(text: str) -> str:
    text = in_figures(text)
    for pattern, replacement in _TIDY:
        text = pattern.sub(replacement, text)
    return " ".join(text.split()).strip(" .,;")


def _read_prose(text: str, context: DateContext) -> HistoricalDate | None:
    qualifiers, rest = split_qualifiers(text)
    if not qualifiers and rest.startswith("@#d"):
        rest, context = _take_marks(rest, context)
        qualifiers, rest = split_qualifiers(rest)
    if {"after", "before"} <= set(qualifiers):
        return None
    for direction, read in _DIRECTIONS.items():
        if direction in qualifiers:
            return read(rest, context)
    date = read_one(rest, context) or _read_style_pair(rest, context)
    sure = _DOUBT.sub("", rest)
    vague: list[Qualifier] = [word for word in WIDENING_YEARS if word in qualifiers]
    if date is None and sure != rest:
        date, vague = read_one(sure, context), [*vague, "about"]
    date = date or _read_two_ends(rest, context)
    return _widen(date, vague[0]) if date and vague else date


def split_qualifiers(text: str) -> tuple[tuple[str, ...], str]:
    """Return the meanings of the qualifying words in front of a date, and the rest.

    >>> split_qualifiers("est. aft 1731"), split_qualifiers("buried 11 apr 1758")
    ((('estimated', 'after'), '1731'), ((), '11 apr 1758'))
    """
    meanings = vocabulary("date")
    words = text.split()
    for length in range(MAX_PHRASE, 0, -1):
        meaning = meanings.get(" ".join(words[:length]).rstrip(".:,"))
        if words and meaning not in (None, "and", "filler"):
            following = words[length:]
            joined = [meanings.get(word.rstrip(".:,")) for word in following[:2]]
            if meaning == "event" and joined == ["and", "event"]:
                following = following[1:]  # "bapt. & bur."
            qualifiers, rest = split_qualifiers(" ".join(following))
            return (qualifiers if meaning == "event" else (str(meaning), *qualifiers)), rest
    return (), text


def _widen(date: HistoricalDate, qualifier: Qualifier) -> HistoricalDate:
    """Return the date some years wider at both ends, unless it had two readings already."""
    if date.qualifier != "exact" or not date.start or not date.end:
        return date
    years = WIDENING_YEARS[qualifier]
    end = plus_years(date.end, years)
    if date.precision == "month":
        end = last_day(end.year, end.month)
    return replace(date, start=plus_years(date.start, -years), end=end, qualifier=qualifier)


def read_one(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the one date that the text names, in the first form that reads it."""
    text, context = _take_marks(text, context)
    if context.calendar == "unknown" or not _has_number(text):
        return None
    if context.calendar in _CALENDAR_FORMS:
        date = FORMS[context.calendar](text, context)
        if date or context.calendar != "quaker":
            return date
    return next(filter(None, (read(text, context) for read in FORMS.values())), None)


def _take_marks(text: str, context: DateContext) -> tuple[str, DateContext]:
    """Return the text without the marks of calendar and style, and the context with them."""
    if style := _STYLES.search(text):
        text = text[: style.start()]
        calendar = "" if style["ns"] else "julian"
        context = context._replace(calendar=calendar, is_old_style=bool(style["os"]))
    if mark := _MARKS.search(text):
        name = mark[1] or mark[2]
        context = context._replace(calendar=_CALENDARS.get(name, name))
        text = text[: mark.start()] + " " + text[mark.end() :]
    return " ".join(text.split()), context


def _has_number(text: str) -> bool:
    words = text.replace("-", " ").split()
    return bool(_HAS_NUMBER.search(text)) or not number_words().keys().isdisjoint(words)


def _read_style_pair(text: str, context: DateContext) -> HistoricalDate | None:
    """Return the one day that is written in both calendars: "20 mar/1 apr 1880"."""
    first, slash, second = text.partition("/")
    day = read_one(second, context) if slash else None
    if not day or day.precision != "day" or not day.start or day.qualifier != "exact":
        return None
    julian = to_julian(day.start)
    written = read_one(first, context) or read_one(f"{first} {julian.year}", context)
    same = written and written.start and written.start[1:] == julian[1:]
    return day if same and day.start != julian else None


def _read_end(text: str, context: DateContext) -> HistoricalDate | None:
    """Return one date, without what makes it vague: an end is not widened."""
    unmarked, context = _take_marks(text, context)
    qualifiers, rest = split_qualifiers(unmarked)
    return read_one(_END_DOUBT.sub("", rest), context) if VAGUE.issuperset(qualifiers) else None


def _join_ends(
    text: str, joint: re.Pattern[str], qualifier: Qualifier, context: DateContext
) -> HistoricalDate | None:
    """Return the interval between two dates with such a joint between them, put in order."""
    for match in joint.finditer(text):
        first, second = text[: match.start()].strip(), text[match.end() :].strip()
        end = _read_end(second, context)
        start = end and (_read_end(first, context) or _read_borrowing(first, second, context))
        if start and end and first:
            return hull_of_ends(text, start, end, qualifier)
    return None


def _read_borrowing(first: str, second: str, context: DateContext) -> HistoricalDate | None:
    """Read an end that lacks a part: in "3 and 4 Jan 2001" the 3 is of January 2001 too."""
    words = second.split()
    tails = (" ".join([first, *words[start:]]) for start in range(1, len(words)))
    return next(filter(None, (_read_end(tail, context) for tail in tails)), None)


@cache
def _joint_of(*meanings: str) -> re.Pattern[str]:
    """Return the pattern of a joint: a word of one of these meanings, or a hyphen."""
    words = frozenset[str]().union(*map(words_meaning, meanings))
    signs = r"|\s*-\s*"
    if "and" in meanings:
        signs += r"|(?<=[a-z])/|\s/\s|(?<=[0-9]{4})/(?=[0-9]{1,2}\s)"
    return re.compile(rf"\s(?:{'|'.join(map(re.escape, sorted(words)))})\.?\s{signs}")


def _read_two_ends(text: str, context: DateContext) -> HistoricalDate | None:
    between = _join_ends(text, _joint_of("and"), "between", context)
    return between or _join_ends(text, _joint_of("to"), "period", context)


def _read_between(text: str, context: DateContext) -> HistoricalDate | None:
    return _join_ends(text, _joint_of("and", "to"), "between", context)


def _read_before(text: str, context: DateContext) -> HistoricalDate | None:
    date = _read_end(text, context)
    return replace(date, start=None, qualifier="before") if date else None


def _read_after(text: str, context: DateContext) -> HistoricalDate | None:
    date = _read_end(text, context)
    return replace(date, end=None, qualifier="after") if date else None


def _read_from(text: str, context: DateContext) -> HistoricalDate | None:
    if period := _join_ends(text, _joint_of("to"), "period", context):
        return period
    date = _read_end(text, context)
    return replace(date, end=None, qualifier="period", precision="interval") if date else None


def _read_to(text: str, context: DateContext) -> HistoricalDate | None:
    date = _read_end(text, context)
    return replace(date, start=None, qualifier="period", precision="interval") if date else None


def _read_interpreted(text: str, context: DateContext) -> HistoricalDate | None:
    date = _read_end(_REMARK.sub("", text), context)
    return replace(date, qualifier="phrase") if date else None


_DIRECTIONS: dict[str, Form] = {
    "between": _read_between,
    "from": _read_from,
    "to": _read_to,
    "before": _read_before,
    "after": _read_after,
    "interpreted": _read_interpreted,
}

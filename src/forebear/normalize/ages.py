"""When was a person born who was this old on that day?

An age of n completed years on day t means a birth after t less n+1 years, and not after t
less n years; the same with months, weeks and days.  Nothing is added for people who did not
know or state their age; how far to trust a source is for the search to decide.

Two sources do not mean what they write.  "21" at a marriage often means "of full age".  In
the British census of 1841 the ages of adults were to be rounded down to a multiple of five.

An age is read in three steps: it is written in figures, without words that add nothing ("aged
twenty-one years" is "21 years", "infant" is "under 1"); its form gives two bounds ("about 70",
"20-25", "in his 80th year"); and each bound is an amount of time ("1 year 7 months", "9/12").
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.dates.intervals import plus_days, plus_months
from forebear.normalize.dates.parser import VAGUE, split_qualifiers
from forebear.normalize.dates.words import number_named, words_meaning
from forebear.normalize.spelling import compose, lower_raised
from forebear.records.record import Age, Day, HistoricalDate
from forebear.tables import read_table, word_meanings

MAX_LENGTH = 80  # characters; longer text is prose
DOUBT_UNITS = 2  # "about 70" is 70, two more or two less
ROUNDED_CENSUS = 1841
ROUNDED_FROM_AGE = 15
ROUNDED_TO_YEARS = 5

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("’‘ʼ`´′", "'"))
_SIGNS = re.compile(r"[\"“”„]|\s*\[sic\]|^a\.?(?= ?[0-9])")
_BRACKETED = re.compile(r"^[(\[]([^()\[\]]+)[)\]]$")  # [23] is supplied, 2[37] is 23 or 27
_YEARS_OLD = re.compile(r"(?<=[0-9])\s*y[./]?\s?o\b\.?")  # 34 y.o., 34 y/o
_HYPHENATED = re.compile(r"-(?=(?:year|month|week|day|hour)s?\b|old\b)")  # a 52-year-old
_ELIDED = re.compile(r"(?<=nt)'(?=ann)")  # trent'anni
_SCORE = re.compile(r"(?<=three|.four)score|^fourscore")
_TENS = re.compile(r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?=[a-z]+)")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:-[^\W\d_]+)?")
_ORDINAL_WORD = re.compile(r"(?:th|first|second|third)$")
_SCORES = re.compile(r"\b([2-5]) score(?: years)?(?: and)?(?: ([0-9]{1,2})\b(?!/))?")
_HUNDRED = re.compile(r"\b(?:a |1 )?100(?:(?: and)? ([1-9][0-9]?)\b(?!\s?[/dhmw]))?")
_DASHED = re.compile(r"([0-9]{1,3})-([0-9]{1,2})-([0-9]{1,2})")  # years, months and days
_AND_A_HALF = re.compile(r"(?<=[0-9]) and a half\b")
_YEARS_AND_PART = re.compile(r"(?<=[0-9])(?:-|\s*(?:y|yrs?|years?)\.?\s+)(?=[0-9]+/[0-9]+$)")
_UNIT_FIRST = re.compile(r"([^\W\d_]+)\.? ([0-9]+)(?=$|[\s,])")
_NEXT_BIRTHDAY = re.compile(r"([0-9]{1,3})\s?(?:y|yrs?\.?|years?)? next birthday")
_MASK = re.compile(r"(?=.*[_*\[])(?:[0-9_*]|\[[0-9]+\]){1,3}")
_YEARS = re.compile(r"\s*(?:y|yrs?|years?)\.?$")
_REMARK = re.compile(r"(?<=[\w.])(?:,\s*[^\d,]+|\s*\([^\d()]+\))$")  # 19, a minor
_NO_SPACE = re.compile(r"^(c|ca|abt|~)\.?(?=[0-9])")
_DOUBT = re.compile(r"\s*(?:\(\?\)|\[\?\]|\?|(?<=.)~|,? or (?:so|thereabouts?))")
_FRACTIONS = {"½": " 1/2", "¼": " 1/4", "¾": " 3/4"}


class _Amount(NamedTuple):
    """A length of time, months counted before days."""

    months: int = 0
    days: int = 0

    def plus(self, other: "_Amount", times: int = 1) -> "_Amount":
        return _Amount(self.months + times * other.months, self.days + times * other.days)

    def before(self, day: Day) -> Day:
        return plus_days(plus_months(day, -self.months), -self.days)


class _Completed(NamedTuple):
    """An amount in completed units, and the smallest of these.

    "2y 5m" is at least two years and five months and less than one month more.
    """

    amount: _Amount
    unit: _Amount


class _Bounds(NamedTuple):
    """At least this old and, unless nothing is known above, less than that old."""

    at_least: _Amount
    less_than: _Amount | None = None


_NOTHING = _Amount()
_YEAR, _MONTH, _WEEK, _DAY = _Amount(12), _Amount(1), _Amount(days=7), _Amount(days=1)
_UNITS = {"year": _YEAR, "month": _MONTH, "week": _WEEK, "day": _DAY}
_TWO_DAYS = _Amount(days=2)
FULL_AGE = _Amount(months=12 * 21)


@lru_cache(maxsize=65_536)
def read_age(text: str, *, at: HistoricalDate | None, source: str = "") -> Age:
    """Return the days of birth that an age allows when stated at that date.

    ``source`` is what the age is written in: census, marriage, burial, baptism, ...  Without a
    date an age is only its text.

    >>> from forebear.normalize.dates import read_date
    >>> age = read_age("23", at=read_date("3 Apr 1881"), source="census")
    >>> str(age.born_from), str(age.born_to)
    ('1857-04-04', '1858-04-03')
    """
    if at is None or not at.is_known:
        return Age(text=text)
    is_rounding = source.startswith("census") and at.first_year == at.last_year == ROUNDED_CENSUS
    bounds = _read_bounds(text, source, is_rounding)
    if bounds is None:
        return Age(text=text)
    after = bounds.less_than.before(at.start) if bounds.less_than and at.start else None
    latest = bounds.at_least.before(at.end) if at.end else None
    if after and latest and after >= latest:  # "under 0", "40 days and under 1 month"
        return Age(text=text)
    return Age(text=text, born_from=plus_days(after, 1) if after else None, born_to=latest)


@lru_cache(maxsize=65_536)  # the same ages are stated on many days
def _read_bounds(text: str, source: str, is_rounding: bool) -> _Bounds | None:
    """Return what an age allows; ``is_rounding`` where the ages of adults were rounded down."""
    if not text.strip():
        return _Bounds(_NOTHING) if source == "baptism" else None
    if len(text) > MAX_LENGTH:
        return None
    age = _in_figures(text)
    completed = _read_amount(age)
    if completed and completed.unit == _YEAR:
        years = completed.amount.months // 12
        if source == "marriage" and completed.amount == FULL_AGE:
            return _Bounds(FULL_AGE)
        if is_rounding and years >= ROUNDED_FROM_AGE and years % ROUNDED_TO_YEARS == 0:
            return _Bounds(completed.amount, completed.amount.plus(_YEAR, ROUNDED_TO_YEARS))
    unremarked = _REMARK.sub("", age)
    return _read_form(age) or (_read_form(unremarked) if unremarked != age else None)


def _in_figures(text: str) -> str:
    """Return an age in lower case and figures, without words that add nothing.

    >>> _in_figures("Aged twenty-one years."), _in_figures("Infant"), _in_figures("annorum 60")
    ('21 years', 'under 1', '60 annorum')
    """
    patterns = _patterns()
    age = compose(lower_raised(text)).lower().translate(_DASHES)
    age = _SIGNS.sub("", " ".join(age.split()).replace(" & ", " and ")).strip()
    age = _HYPHENATED.sub(" ", _YEARS_OLD.sub("y", _BRACKETED.sub(r"\1", age)))
    if meaning := _phrase(age) or _phrase(patterns.trailing.sub("", age)):
        return meaning
    age = patterns.leading.sub("", _without_number_words(age))
    age = _AND_A_HALF.sub(" 1/2", _DASHED.sub(r"\1y \2m \3d", age))
    age = patterns.between.sub(lambda ends: f"{ends[1] or ends[2]} or {ends[3]}", age)
    age = _YEARS_AND_PART.sub(" ", age)
    age = patterns.trailing.sub("", _phrase(age) or patterns.inside.sub("", age))
    return _units_last(patterns.article.sub(_one, age))


def _phrase(age: str) -> str:
    phrases = _vocabulary("phrase")
    phrase = age.strip(" .").replace("-", " ")
    return phrases.get(phrase) or phrases.get(re.sub(r"^an? ", "", phrase), "")


def _without_number_words(age: str) -> str:
    if not any(map(str.isalpha, age)):
        return age
    apart = _SCORE.sub(lambda word: word[0].replace("score", " score"), _ELIDED.sub(" ", age))
    figures = _WORD.sub(_number, _TENS.sub(_join_ones, apart))
    figures = _SCORES.sub(lambda words: str(20 * int(words[1]) + int(words[2] or 0)), figures)
    return _HUNDRED.sub(lambda words: str(100 + int(words[1] or 0)), figures)


def _number(words: re.Match[str]) -> str:
    numbers = [number_named(word) for word in words[0].split("-")]
    if None in numbers:
        return words[0]
    total = sum(filter(None, numbers))
    return f"{total}th" if _ORDINAL_WORD.search(words[0]) else str(total)


def _join_ones(tens: re.Match[str]) -> str:
    following = tens.string[tens.end() :].split(" ", 1)[0]
    return f"{tens[1]}-" if 0 < (number_named(following) or 0) < 10 else tens[0]


def _one(article: re.Match[str]) -> str:
    unit = article.string[article.end() :].split(" ", 1)[0].strip(".")
    return "1 " if unit in _vocabulary("unit") else article[0]


def _units_last(age: str) -> str:
    """Return the age with each number before its unit: "annorum 3 mensium 2"."""
    units = _vocabulary("unit")
    first = _UNIT_FIRST.search(age)
    if not first or first[1] not in units or any(map(str.isdigit, age[: first.start()])):
        return age
    if len(first[1]) == 1 and first[0] != age:  # "w 52 roku życia" has no weeks
        return age
    return _UNIT_FIRST.sub(lambda w: f"{w[2]} {w[1]}" if w[1] in units else w[0], age)


def _read_form(age: str) -> _Bounds | None:
    patterns = _patterns()
    if match := patterns.nth_year.fullmatch(age) or _NEXT_BIRTHDAY.fullmatch(age):
        next_age = _NOTHING.plus(_YEAR, int(match[match.lastindex or 1]))
        return _Bounds(next_age.plus(_YEAR, -1), next_age) if next_age.months else None
    if match := patterns.over.fullmatch(age) or patterns.and_over.fullmatch(age):
        least = _read_amount(match[1])
        return _Bounds(least.amount) if least else None
    if match := patterns.under.fullmatch(age):
        limit = _read_amount(match[1])
        return _Bounds(_NOTHING, limit.amount) if limit else None
    if bounds := _read_doubt(age) or _read_range(age) or _read_mask(age):
        return bounds
    completed = _read_amount(age)
    return _Bounds(completed.amount, completed.amount.plus(completed.unit)) if completed else None


def _read_doubt(age: str) -> _Bounds | None:
    qualifiers, rest = split_qualifiers(_NO_SPACE.sub(r"\1 ", age))
    sure = " ".join(_patterns().about_after.sub("", _DOUBT.sub("", rest)).split())
    completed = _read_amount(sure) if sure != age and VAGUE.issuperset(qualifiers) else None
    if completed is None:
        return None
    amount, unit = completed
    least = max(amount.plus(unit, -DOUBT_UNITS), _NOTHING)
    return _Bounds(least, amount.plus(unit, DOUBT_UNITS + 1))


def _read_range(age: str) -> _Bounds | None:
    band = _patterns().band.fullmatch(age)  # 20 and under 30
    match = band or _patterns().range.fullmatch(age)
    if not match:
        return None
    last = _read_amount(match[2])
    unit = re.search(r"[^\W\d_]+$", match[2])
    first = _read_amount(f"{match[1]} {unit[0]}" if unit and match[1].isdigit() else match[1])
    if not first or not last or first.amount > last.amount:
        return None
    return _Bounds(first.amount, last.amount if band else last.amount.plus(last.unit))


def _read_mask(age: str) -> _Bounds | None:
    """Read years of which a digit could not be read."""
    age = _YEARS.sub("", age)
    if not _MASK.fullmatch(age) or not any(map(str.isdigit, age)):
        return None
    places = re.findall(r"\[[0-9]+\]|.", age)
    digits = [place.strip("[]") if place[-1] in "0123456789]" else "09" for place in places]
    least, most = int("".join(map(min, digits))), int("".join(map(max, digits)))
    return _Bounds(_NOTHING.plus(_YEAR, least), _NOTHING.plus(_YEAR, most + 1))


def _read_amount(text: str) -> _Completed | None:
    """Return the amount that clean, lower-case text names; a bare number is years.

    >>> _read_amount("1 6/12")
    _Completed(amount=_Amount(months=18, days=0), unit=_Amount(months=1, days=0))
    """
    for sign, fraction in _FRACTIONS.items():
        text = text.replace(sign, fraction)
    total, unit, position = _NOTHING, _YEAR, 0
    while position < len(text) or position == 0:
        item = _patterns().item.match(text, position)
        part = _read_item(*item.groups(), is_alone=item.span() == (0, len(text))) if item else None
        if not item or not part:
            return None
        total, unit, position = total.plus(part.amount), part.unit, item.end()
    return _Completed(total, unit)


def _read_item(
    whole: str | None, top: str | None, bottom: str | None, word: str, *, is_alone: bool
) -> _Completed | None:
    unit_name = _vocabulary("unit").get(word, "") if word else "year" if is_alone else ""
    number = int(whole or 0)
    if unit_name in ("hour", "minute"):  # the hour of the event is unknown, so the day is in doubt
        days = number // 24 if unit_name == "hour" else 0
        return _Completed(_Amount(days=days), _TWO_DAYS)
    if unit_name not in _UNITS:
        return None
    unit = _UNITS[unit_name]
    amount = _NOTHING.plus(unit, number)
    if top is None or bottom is None or unit != _YEAR:
        return _Completed(amount, unit)
    part = _read_fraction(int(top), int(bottom))
    return _Completed(amount.plus(part.amount), part.unit) if part else None


def _read_fraction(top: int, bottom: int) -> _Completed | None:
    """Read a part of a year; census takers wrote months in twelfths and weeks in 52nds."""
    if bottom in (2, 3, 4, 6, 12):
        return _Completed(_Amount(months=12 * top // bottom), _MONTH)
    if bottom == 52:
        return _Completed(_Amount(days=7 * top), _WEEK)
    return _Completed(_Amount(days=top), _DAY) if bottom == 365 else None


class _Patterns(NamedTuple):
    """What an age may consist of, with its words in every language."""

    leading: re.Pattern[str]
    trailing: re.Pattern[str]
    inside: re.Pattern[str]
    article: re.Pattern[str]
    between: re.Pattern[str]
    nth_year: re.Pattern[str]
    over: re.Pattern[str]
    and_over: re.Pattern[str]
    under: re.Pattern[str]
    range: re.Pattern[str]
    band: re.Pattern[str]
    about_after: re.Pattern[str]
    item: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    over, under, joint, old = map(_any_of, ("over", "under", "joint", "old"))
    either, and_over = _any_of("or"), _any_of("and over")
    about, between, since = (
        "|".join(map(re.escape, sorted(words_meaning(meaning), key=len, reverse=True)))
        for meaning in ("about", "between", "from")
    )
    ordinal = r"([0-9]{1,3})(?:st|nd|rd|th|d|\.|er|ère|e|ème|eme|º|°|ª|de|ste|sten|te|ten|:e)"
    possessive, within = rf"(?:{_any_of('my')} ?)", _any_of("within")
    nth_year = rf"{_any_of('nth year')}\.?(?: of (?:(?:his|her|its|their) )?(?:age|life))?"
    return _Patterns(
        leading=re.compile(
            rf"^(?:{_any_of('age')}(?: of|:)?|of(?= (?:[0-9]|{over}|{under})))[\s.:]*"
        ),
        trailing=re.compile(rf"(?:\s+{old})?[\s.]*$"),
        inside=re.compile(rf"\s{old}(?=\s+{and_over})"),  # 21 years of age and upwards
        article=re.compile(rf"\b(?:{'|'.join(_vocabulary('article'))}) (?=[^\W\d_])"),
        between=re.compile(rf"^(?:(?:{between}) (.+) {joint}|(?:{since}) (.+) {either}) (.+)"),
        nth_year=re.compile(
            rf"(?:{within} )?{possessive}?{ordinal} {nth_year}"
            rf"|(?:{within} {possessive}?|{possessive})([0-9]{{1,3}}) {nth_year}"
        ),
        over=re.compile(rf"{over}\s*(?:the age of )?(.+)"),
        and_over=re.compile(rf"(.+?)\s*{and_over}"),
        under=re.compile(rf"{under}\s*(?:the age of )?(.+)"),
        range=re.compile(rf"(.+?)(?:\s*-\s*| {either} )(.+)"),
        band=re.compile(rf"(.+?) (?:{joint}|but) {under} (.+)"),
        about_after=re.compile(rf",?\s\(?(?:{about})\.?\)?$"),
        item=re.compile(
            r"\s*(?:([0-9]{1,3})(?![0-9]*\s?/)|(?=[0-9]+\s?/))"  # the number, if no fraction
            r"\s*(?:([0-9]{1,3})\s?/\s?([0-9]{1,3}))?"  # a fraction
            r"\s*([^\W\d_]*)\.?"  # a unit
            rf"(?:\s*,?\s*(?:[,&+]|{joint}(?=\s)))?\s*"  # what joins it to the next
        ),
    )


def _any_of(meaning: str) -> str:
    """Return the pattern of a word or sign with this meaning: over, under, or, old ..."""
    words = [word for word, value in _markers() if value == meaning]
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(w) + r"\b" * w[-1].isalpha() for w in longest_first) + ")"


def _vocabulary(kind: str) -> dict[str, str]:
    return word_meanings("normalize/ages/words")[kind]


@cache
def _markers() -> list[tuple[str, str]]:
    """Return the words around an age with their meanings; some have several."""
    rows = read_table("normalize/ages/words")
    return [(row["word"], row["meaning"]) for row in rows if row["kind"] == "marker"]

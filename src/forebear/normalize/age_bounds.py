"""How old is "about 70", "20-25", "in his 80th year", "infant", "of full age" or "2_"?

Every form of an age bounds it: at least so old, and less than so old.  Words are put into the
grammar of numbers first ("infant" is "under 1"), so the forms are few.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from forebear.normalize.age_amounts import YEAR, Amount, is_unit, read_age_amount
from forebear.normalize.age_words import age_word
from forebear.normalize.date_words import VAGUE, split_qualifiers, words_meaning
from forebear.normalize.read_table import read_table, word_set

DOUBT_UNITS = 2  # "about 70" is 70, two more or two less
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("’‘ʼ`´′", "'"))
_TENS = re.compile(r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?=[a-z]+)")
_ORDINAL_WORD = re.compile(r"(?:th|first|second|third)$")
_DASHED = re.compile(r"([0-9]{1,3})-([0-9]{1,2})-([0-9]{1,2})")  # years, months and days
_AND_A_HALF = re.compile(r"(?<=[0-9]) and a half\b")
_YEARS_AND_PART = re.compile(r"(?<=[0-9])\s*(?:y|yrs?|years?)\.?\s+(?=[0-9]+/[0-9]+$)")
_YEARS_OLD = re.compile(r"(?<=[0-9])\s*y[./]?\s?o\b\.?")  # 34 y.o., 34 y/o
_NEXT_BIRTHDAY = re.compile(r"([0-9]{1,3})\s?(?:y|yrs?\.?|years?)? next birthday")
_MASK = re.compile(r"(?=.*[_*\[])(?:[0-9_*]|\[[0-9]+\]){1,3}")
_BRACKETED = re.compile(r"^\(([^()]+)\)$")
_NO_SPACE = re.compile(r"^(c|ca|abt|~)\.?(?=[0-9])")
_DOUBT = re.compile(r"\s*(?:\(\?\)|\[\?\]|\?|(?<=.)~|,? or (?:so|thereabouts?))")


class _Patterns(NamedTuple):
    """The forms of an age, with their words in every language."""

    leading: re.Pattern[str]
    trailing: re.Pattern[str]
    article: re.Pattern[str]
    between: re.Pattern[str]
    nth_year: re.Pattern[str]
    over: re.Pattern[str]
    and_over: re.Pattern[str]
    under: re.Pattern[str]
    range: re.Pattern[str]
    band: re.Pattern[str]
    about_after: re.Pattern[str]


class AgeBounds(NamedTuple):
    """At least so old and, unless nothing is known above, less than so old."""

    at_least: Amount
    less_than: Amount | None = None


def clean_age(text: str) -> str:
    """Return an age in lower case and figures, without words that add nothing.

    >>> clean_age("Aged twenty-one years."), clean_age("Infant"), clean_age("annorum 60")
    ('21 years', 'under 1', '60 annorum')
    """
    forms = _patterns()
    plain = " ".join(unicodedata.normalize("NFC", text).lower().translate(_DASHES).split())
    plain = plain.replace(" & ", " and ")
    plain = _YEARS_OLD.sub("y", _BRACKETED.sub(r"\1", plain))
    if meaning := _phrase(plain) or _phrase(forms.trailing.sub("", plain)):
        return meaning
    plain = re.sub(r"(?<!\w)[^\W\d_]+(?:-[^\W\d_]+)?", _number, _TENS.sub(_tens_of, plain))
    plain = _AND_A_HALF.sub(" 1/2", _DASHED.sub(r"\1y \2m \3d", forms.leading.sub("", plain)))
    plain = _YEARS_AND_PART.sub(" ", forms.between.sub(r"\1 or \2", plain))
    plain = forms.trailing.sub("", _phrase(plain) or plain)
    plain = forms.article.sub(_one, plain)
    return re.sub(r"^([^\W\d_]+)\.? ([0-9]+)$", _number_first, plain)


def read_age_bounds(age: str) -> AgeBounds | None:
    """Return the bounds of a clean age, or None if it is not understood."""
    forms = _patterns()
    if match := forms.nth_year.fullmatch(age) or _NEXT_BIRTHDAY.fullmatch(age):
        next_age = Amount().plus(YEAR, int(match[match.lastindex or 1]))
        return AgeBounds(next_age.plus(YEAR, -1), next_age) if next_age.months else None
    if match := forms.over.fullmatch(age) or forms.and_over.fullmatch(age):
        least = read_age_amount(match[1])
        return AgeBounds(least.amount) if least else None
    if match := forms.under.fullmatch(age):
        limit = read_age_amount(match[1])
        return AgeBounds(Amount(), limit.amount) if limit else None
    return _read_doubt(age) or _read_range(age) or _read_mask(age) or _read_amount(age)


def _read_amount(age: str) -> AgeBounds | None:
    amount = read_age_amount(age)
    return AgeBounds(amount.amount, amount.amount.plus(amount.unit)) if amount else None


def _read_doubt(age: str) -> AgeBounds | None:
    qualifiers, rest = split_qualifiers(_NO_SPACE.sub(r"\1 ", age))
    sure = " ".join(_patterns().about_after.sub("", _DOUBT.sub("", rest)).split())
    amount = read_age_amount(sure) if sure != age and set(qualifiers) <= VAGUE else None
    if amount is None:
        return None
    least = amount.amount.plus(amount.unit, -DOUBT_UNITS)
    return AgeBounds(max(least, Amount()), amount.amount.plus(amount.unit, DOUBT_UNITS + 1))


def _read_range(age: str) -> AgeBounds | None:
    band = _patterns().band.fullmatch(age)
    match = band or _patterns().range.fullmatch(age)
    if not match:
        return None
    last = read_age_amount(match[2])
    unit = re.search(r"[^\W\d_]+$", match[2])
    first = read_age_amount(f"{match[1]} {unit[0]}" if unit and match[1].isdigit() else match[1])
    if not first or not last or first.amount > last.amount:
        return None
    return AgeBounds(first.amount, last.amount if band else last.amount.plus(last.unit))


def _read_mask(age: str) -> AgeBounds | None:
    """Read years of which a digit could not be read."""
    if not _MASK.fullmatch(age) or not any(map(str.isdigit, age)):
        return None
    places = re.findall(r"\[[0-9]+\]|.", age)
    digits = [place.strip("[]") if place[-1] in "0123456789]" else "09" for place in places]
    least, most = int("".join(map(min, digits))), int("".join(map(max, digits)))
    return AgeBounds(Amount().plus(YEAR, least), Amount().plus(YEAR, most + 1))


def _number(words: re.Match[str]) -> str:
    numbers = [_number_words().get(word) for word in words[0].split("-")]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return words[0]
    return f"{sum(known)}th" if _ORDINAL_WORD.search(words[0]) else str(sum(known))


def _one(article: re.Match[str]) -> str:
    unit = article.string[article.end() :].split(" ", 1)[0].strip(".")
    return "1 " if is_unit(unit) else article[0]


def _phrase(age: str) -> str:
    plain = age.strip(" .").replace("-", " ")
    return _phrases().get(plain) or _phrases().get(re.sub(r"^an? ", "", plain), "")


def _tens_of(words: re.Match[str]) -> str:
    following = words.string[words.end() :].split(" ", 1)[0]
    return f"{words[1]}-" if 0 < _number_words().get(following, 0) < 10 else words[0]


def _number_first(words: re.Match[str]) -> str:
    return f"{words[2]} {words[1]}" if is_unit(words[1]) else words[0]


@cache
def _patterns() -> _Patterns:
    over, under, joint = age_word("over"), age_word("under"), age_word("joint")
    ordinal = r"([0-9]{1,3})(?:st|nd|rd|th|\.|er|ère|e|ème|eme|º|°|ª|de|ste|sten|te|ten|:e)"
    possessive = rf"(?:{age_word('my')} ?)"
    within = r"(?:in|im|dans|nel|en|no|i|w|ve|v)"
    nth_year = rf"{age_word('nth year')}\.?(?: of (?:(?:his|her|its|their) )?(?:age|life))?"
    about = "|".join(re.escape(word) for word in sorted(words_meaning("about"), key=len)[::-1])
    between = "|".join(map(re.escape, words_meaning("between")))
    articles = "|".join(word_set("ages.articles"))
    return _Patterns(
        leading=re.compile(
            rf"^(?:{age_word('age')}(?: of|:)?|of(?= (?:[0-9]|{over}|{under})))[\s.:]*"
        ),
        trailing=re.compile(rf"(?:\s+{age_word('old')})?[\s.]*$"),
        article=re.compile(rf"\b(?:{articles}) (?=[^\W\d_])"),
        between=re.compile(rf"^(?:{between}) (.+) {joint} (.+)"),
        nth_year=re.compile(
            rf"(?:{within} )?{possessive}?{ordinal} {nth_year}"
            rf"|(?:{within} {possessive}?|{possessive})([0-9]{{1,3}}) {nth_year}"
        ),
        over=re.compile(rf"{over}\s*(?:the age of )?(.+)"),
        and_over=re.compile(rf"(.+?)\s*{age_word('and over')}"),
        under=re.compile(rf"{under}\s*(?:the age of )?(.+)"),
        range=re.compile(rf"(.+?)(?:\s*-\s*| {age_word('or')} )(.+)"),
        band=re.compile(rf"(.+?) (?:{joint}|but) {under} (.+)"),
        about_after=re.compile(rf",?\s\(?(?:{about})\.?\)?$"),
    )


@cache
def _number_words() -> dict[str, int]:
    return {row["word"]: int(row["number"]) for row in read_table("number_words")}


@cache
def _phrases() -> dict[str, str]:
    return {row["phrase"]: row["means"] for row in read_table("age_phrases")}

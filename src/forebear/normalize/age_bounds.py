"""How old is "about 70", "20-25", "in his 80th year", "infant", "of full age" or "2_"?

Every form of an age bounds it: at least so old, and less than so old.  What is read here is in
figures already (`age_figures`), so the forms are few.
"""

import re
from functools import cache
from typing import NamedTuple

from forebear.normalize.age_amounts import YEAR, Amount, read_age_amount
from forebear.normalize.age_words import age_word
from forebear.normalize.date_words import VAGUE, split_qualifiers, words_meaning

DOUBT_UNITS = 2  # "about 70" is 70, two more or two less
_NEXT_BIRTHDAY = re.compile(r"([0-9]{1,3})\s?(?:y|yrs?\.?|years?)? next birthday")
_MASK = re.compile(r"(?=.*[_*\[])(?:[0-9_*]|\[[0-9]+\]){1,3}")
_YEARS = re.compile(r"\s*(?:y|yrs?|years?)\.?$")
_REMARK = re.compile(r"(?<=[\w.])(?:,\s*[^\d,]+|\s*\([^\d()]+\))$")  # 19, a minor
_NO_SPACE = re.compile(r"^(c|ca|abt|~)\.?(?=[0-9])")
_DOUBT = re.compile(r"\s*(?:\(\?\)|\[\?\]|\?|(?<=.)~|,? or (?:so|thereabouts?))")


class _Patterns(NamedTuple):
    """The forms of an age, with their words in every language."""

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


def read_age_bounds(age: str) -> AgeBounds | None:
    """Return the bounds of a clean age, or None if it is not understood."""
    unremarked = _REMARK.sub("", age)
    return _read_form(age) or (_read_form(unremarked) if unremarked != age else None)


def _read_form(age: str) -> AgeBounds | None:
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
    age = _YEARS.sub("", age)
    if not _MASK.fullmatch(age) or not any(map(str.isdigit, age)):
        return None
    places = re.findall(r"\[[0-9]+\]|.", age)
    digits = [place.strip("[]") if place[-1] in "0123456789]" else "09" for place in places]
    least, most = int("".join(map(min, digits))), int("".join(map(max, digits)))
    return AgeBounds(Amount().plus(YEAR, least), Amount().plus(YEAR, most + 1))


@cache
def _patterns() -> _Patterns:
    over, under, joint = age_word("over"), age_word("under"), age_word("joint")
    ordinal = r"([0-9]{1,3})(?:st|nd|rd|th|d|\.|er|ère|e|ème|eme|º|°|ª|de|ste|sten|te|ten|:e)"
    possessive = rf"(?:{age_word('my')} ?)"
    within = r"(?:in dem|in den|in|im|dans|nel|en|no|i|w|ve|v)"
    nth_year = rf"{age_word('nth year')}\.?(?: of (?:(?:his|her|its|their) )?(?:age|life))?"
    about = "|".join(re.escape(word) for word in sorted(words_meaning("about"), key=len)[::-1])
    return _Patterns(
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

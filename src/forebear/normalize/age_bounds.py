"""How old is "about 70", "20-25", "in his 80th year", "infant", "of full age" or "2_"?

Every form of an age bounds it: at least so old, and less than so old.  Words are put into the
grammar of numbers first ("infant" is "under 1"), so the forms are few.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from forebear.normalize.age_amounts import YEAR, Amount, is_unit, read_age_amount
from forebear.normalize.date_words import VAGUE, split_qualifiers
from forebear.normalize.read_table import read_table

DOUBT_UNITS = 2  # "about 70" is 70, two more or two less
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_LEADING = re.compile(
    r"^(?:aged?|died|(?:of|at) the age of|of(?= [0-9])|"
    r"(?:anno )?[aæ]e?t(?:atis)?(?: su[ae]e?)?)\b[\s.]*"
)
_TENS = re.compile(r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?=[a-z]+)")
_DASHED = re.compile(r"([0-9]{1,3})-([0-9]{1,2})-([0-9]{1,2})")  # years, months and days
_YEARS_AND_PART = re.compile(r"(?<=[0-9])\s*(?:y|yrs?|years?)\.?\s+(?=[0-9]+/[0-9]+$)")
_BETWEEN = re.compile(r"between (.+) and (.+)")
_TRAILING = re.compile(r"(?:\s+of age|\s+old)?[\s.]*$")
_NTH_YEAR = re.compile(
    r"(?:in|im|dans|nel|en|i)(?: (?:his|her|its|their|the|sa|suo|su|zijn|haar|het|sein\w*))? "
    r"([0-9]{1,3})(?:st|nd|rd|th|\.|e|ème|º|de|ste)? "
    r"(?:year|lebensjahr|jahre?|année|anno|año|jaar|år)(?: of (?:his|her|its|their) age)?"
)
_NEXT_BIRTHDAY = re.compile(r"([0-9]{1,3})(?: years?)? next birthday")
_OVER = re.compile(r"(?:over|above|upwards of|more than|at least|>)\s*(.+)")
_AND_OVER = re.compile(r"(.+?)\s*(?:\+|(?:and|&|or) (?:upwards|over|above|more))")
_UNDER = re.compile(r"(?:under|below|less than|<)\s*(.+)")
_RANGE = re.compile(r"(.+?)(?:\s*-\s*| to | or )(.+)")
_BAND = re.compile(r"(.+?) and under (.+)")
_MASK = re.compile(r"(?=.*[_*\[])(?:[0-9_*]|\[[0-9]+\]){1,3}")


class AgeBounds(NamedTuple):
    """At least so old and, unless nothing is known above, less than so old."""

    at_least: Amount
    less_than: Amount | None = None


def clean_age(text: str) -> str:
    """Return an age in lower case and figures, without words that add nothing.

    >>> clean_age("Aged twenty-one years."), clean_age("Infant"), clean_age("annorum 60")
    ('21 years', 'under 1', '60 annorum')
    """
    plain = " ".join(unicodedata.normalize("NFC", text).lower().translate(_DASHES).split())
    plain = re.sub(r"[^\W\d_]+(?:-[^\W\d_]+)?", _number, _TENS.sub(_tens_of, plain))
    plain = _BETWEEN.sub(r"\1 to \2", _DASHED.sub(r"\1y \2m \3d", _LEADING.sub("", plain)))
    plain = _YEARS_AND_PART.sub(" ", plain)
    plain = _phrases().get(plain.strip(" ."), plain)
    return re.sub(r"^([^\W\d_]+) ([0-9]+)$", _number_first, _TRAILING.sub("", plain))


def read_age_bounds(age: str) -> AgeBounds | None:
    """Return the bounds of a clean age, or None if it is not understood."""
    if match := _NTH_YEAR.fullmatch(age) or _NEXT_BIRTHDAY.fullmatch(age):
        next_age = Amount().plus(YEAR, int(match[1]))
        return AgeBounds(next_age.plus(YEAR, -1), next_age) if int(match[1]) else None
    if match := _OVER.fullmatch(age) or _AND_OVER.fullmatch(age):
        least = read_age_amount(match[1])
        return AgeBounds(least.amount) if least else None
    if match := _UNDER.fullmatch(age):
        limit = read_age_amount(match[1])
        return AgeBounds(Amount(), limit.amount) if limit else None
    return _read_doubt(age) or _read_range(age) or _read_mask(age) or _read_amount(age)


def _read_amount(age: str) -> AgeBounds | None:
    amount = read_age_amount(age)
    return AgeBounds(amount.amount, amount.amount.plus(amount.unit)) if amount else None


def _read_doubt(age: str) -> AgeBounds | None:
    qualifiers, rest = split_qualifiers(age)
    sure = " ".join(rest.replace("(?)", "").replace("?", "").split())
    amount = read_age_amount(sure) if sure != age and set(qualifiers) <= VAGUE else None
    if amount is None:
        return None
    least = amount.amount.plus(amount.unit, -DOUBT_UNITS)
    return AgeBounds(max(least, Amount()), amount.amount.plus(amount.unit, DOUBT_UNITS + 1))


def _read_range(age: str) -> AgeBounds | None:
    band = _BAND.fullmatch(age)
    match = band or _RANGE.fullmatch(age)
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
    return str(sum(known)) if len(known) == len(numbers) else words[0]


def _tens_of(words: re.Match[str]) -> str:
    following = words.string[words.end() :].split(" ", 1)[0]
    return f"{words[1]}-" if 0 < _number_words().get(following, 0) < 10 else words[0]


def _number_first(words: re.Match[str]) -> str:
    return f"{words[2]} {words[1]}" if is_unit(words[1]) else words[0]


@cache
def _number_words() -> dict[str, int]:
    return {row["word"]: int(row["number"]) for row in read_table("number_words")}


@cache
def _phrases() -> dict[str, str]:
    return {row["phrase"]: row["means"] for row in read_table("age_phrases")}

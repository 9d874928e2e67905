"""How is an age written in figures, without the words that add nothing?

"Aged twenty-one years" is "21 years", "annorum 60" is "60 annorum", "fourscore and ten" is 90, and
words for an age are put into the grammar of numbers ("infant" is "under 1"), so that
few forms are left to be read.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from forebear.normalize.age_amounts import is_unit
from forebear.normalize.age_words import age_word
from forebear.normalize.date_forms.numbers import number_named
from forebear.normalize.date_words import words_meaning
from forebear.normalize.spelling import lower_raised
from forebear.tables import read_table, word_set

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("’‘ʼ`´′", "'"))
_TENS = re.compile(r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?=[a-z]+)")
_ORDINAL_WORD = re.compile(r"(?:th|first|second|third)$")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:-[^\W\d_]+)?")
_SIGNS = re.compile(r"[\"“”„]|\s*\[sic\]|^a\.?(?= ?[0-9])")
_ELIDED = re.compile(r"(?<=nt)'(?=ann)")  # trent'anni
_SCORE = re.compile(r"(?<=three|.four)score|^fourscore")
_SCORES = re.compile(r"\b([2-5]) score(?: years)?(?: and)?(?: ([0-9]{1,2})\b(?!/))?")
_HUNDRED = re.compile(r"\b(?:a |1 )?100(?:(?: and)? ([1-9][0-9]?)\b(?!\s?[/dhmw]))?")
_DASHED = re.compile(r"([0-9]{1,3})-([0-9]{1,2})-([0-9]{1,2})")  # years, months and days
_AND_A_HALF = re.compile(r"(?<=[0-9]) and a half\b")
_YEARS_AND_PART = re.compile(r"(?<=[0-9])(?:-|\s*(?:y|yrs?|years?)\.?\s+)(?=[0-9]+/[0-9]+$)")
_HYPHENATED = re.compile(r"-(?=(?:year|month|week|day|hour)s?\b|old\b)")  # a 52-year-old
_YEARS_OLD = re.compile(r"(?<=[0-9])\s*y[./]?\s?o\b\.?")  # 34 y.o., 34 y/o
_UNIT_FIRST = re.compile(r"([^\W\d_]+)\.? ([0-9]+)(?=$|[\s,])")
_BRACKETED = re.compile(r"^[(\[]([^()\[\]]+)[)\]]$")  # [23] is supplied, 2[37] is 23 or 27


class _Patterns(NamedTuple):
    """What stands around the figures of an age, in every language."""

    leading: re.Pattern[str]
    trailing: re.Pattern[str]
    inside: re.Pattern[str]
    article: re.Pattern[str]
    between: re.Pattern[str]


def clean_age(text: str) -> str:
    """Return an age in lower case and figures, without words that add nothing.

    >>> clean_age("Aged twenty-one years."), clean_age("Infant"), clean_age("annorum 60")
    ('21 years', 'under 1', '60 annorum')
    """
    forms = _patterns()
    plain = unicodedata.normalize("NFC", lower_raised(text)).lower().translate(_DASHES)
    plain = " ".join(plain.split())
    plain = _SIGNS.sub("", plain.replace(" & ", " and ")).strip()
    plain = _HYPHENATED.sub(" ", _YEARS_OLD.sub("y", _BRACKETED.sub(r"\1", plain)))
    if meaning := _phrase(plain) or _phrase(forms.trailing.sub("", plain)):
        return meaning
    plain = _in_figures(plain)
    plain = _AND_A_HALF.sub(" 1/2", _DASHED.sub(r"\1y \2m \3d", forms.leading.sub("", plain)))
    plain = _YEARS_AND_PART.sub(" ", forms.between.sub(_range, plain))
    plain = forms.trailing.sub("", _phrase(plain) or forms.inside.sub("", plain))
    return _units_last(forms.article.sub(_one, plain))


def _in_figures(age: str) -> str:
    if not any(map(str.isalpha, age)):
        return age
    apart = _SCORE.sub(_score_apart, _ELIDED.sub(" ", age))
    figures = _WORD.sub(_number, _TENS.sub(_tens_of, apart))
    return _HUNDRED.sub(_hundred, _SCORES.sub(_scores, figures))


def _number(words: re.Match[str]) -> str:
    numbers = [number_named(word) for word in words[0].split("-")]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return words[0]
    return f"{sum(known)}th" if _ORDINAL_WORD.search(words[0]) else str(sum(known))


def _tens_of(words: re.Match[str]) -> str:
    following = words.string[words.end() :].split(" ", 1)[0]
    return f"{words[1]}-" if 0 < (number_named(following) or 0) < 10 else words[0]


def _score_apart(word: re.Match[str]) -> str:
    return word[0].replace("score", " score")


def _scores(words: re.Match[str]) -> str:
    return str(20 * int(words[1]) + int(words[2] or 0))


def _hundred(words: re.Match[str]) -> str:
    return str(100 + int(words[1] or 0))


def _units_last(age: str) -> str:
    """Return the age with each number before its unit: "annorum 3 mensium 2"."""
    first = _UNIT_FIRST.search(age)
    if not first or not is_unit(first[1]) or any(map(str.isdigit, age[: first.start()])):
        return age
    if len(first[1]) == 1 and first[0] != age:  # "w 52 roku życia" has no weeks
        return age
    return _UNIT_FIRST.sub(_number_first, age)


def _number_first(words: re.Match[str]) -> str:
    return f"{words[2]} {words[1]}" if is_unit(words[1]) else words[0]


def _range(ends: re.Match[str]) -> str:
    return f"{ends[1] or ends[2]} or {ends[3]}"


def _one(article: re.Match[str]) -> str:
    unit = article.string[article.end() :].split(" ", 1)[0].strip(".")
    return "1 " if is_unit(unit) else article[0]


def _phrase(age: str) -> str:
    plain = age.strip(" .").replace("-", " ")
    return _phrases().get(plain) or _phrases().get(re.sub(r"^an? ", "", plain), "")


@cache
def _patterns() -> _Patterns:
    over, under, joint, old = map(age_word, ("over", "under", "joint", "old"))
    between = "|".join(map(re.escape, words_meaning("between")))
    since = "|".join(map(re.escape, words_meaning("from")))
    articles = "|".join(word_set("ages.articles"))
    return _Patterns(
        leading=re.compile(
            rf"^(?:{age_word('age')}(?: of|:)?|of(?= (?:[0-9]|{over}|{under})))[\s.:]*"
        ),
        trailing=re.compile(rf"(?:\s+{old})?[\s.]*$"),
        inside=re.compile(rf"\s{old}(?=\s+{age_word('and over')})"),  # 21 years of age and upwards
        article=re.compile(rf"\b(?:{articles}) (?=[^\W\d_])"),
        between=re.compile(
            rf"^(?:(?:{between}) (.+) {joint}|(?:{since}) (.+) {age_word('or')}) (.+)"
        ),
    )


@cache
def _phrases() -> dict[str, str]:
    return {row["phrase"]: row["means"] for row in read_table("normalize/age_phrases")}

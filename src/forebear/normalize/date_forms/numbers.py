"""Which number is "iii", "3rd", "third", "3ème" or "twenty-third"?"""

import re
from functools import cache

from forebear.tables import read_table

_ROMAN = re.compile(r"m{0,2}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?(?:i{0,4}|i{0,3}j))")
_ROMAN_VALUES = {"i": 1, "j": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ONES_AND_TENS = re.compile("und|en|ën|og")
_ONE_IN_COMPOUNDS = frozenset({"ein", "een", "en", "et"})
_FIGURES = re.compile(
    r"([0-9]{1,4})(?:st|nd|rd|th|d|er|ère|re|e|ème|eme|de|ste|ten|ter|te|den|ed|die|:e|º|°|ª|\."
    r"|us|mus|tus|um|mo|ma|do|da|ti?o|ti?a|vo|va|no|na|o|a)?"  # Latin: 1mo, 2da, 3tio, 4ta, 8vo
)


def read_number(word: str) -> int | None:
    """Return the number that a lower-case word writes in figures, in words or in Roman numerals.

    >>> read_number("3rd"), read_number("xiv"), read_number("twenty-third"), read_number("mar")
    (3, 14, 23, None)
    """
    if figures := _FIGURES.fullmatch(word):
        return int(figures[1])
    parts = [number_named(part) for part in word.split("-")]
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else read_roman(word)


def number_named(word: str) -> int | None:
    """Return the number of one word, as German and its neighbors compound it too.

    >>> number_named("seven"), number_named("dreiundzwanzig"), number_named("tweeëntwintig")
    (7, 23, 22)
    """
    if number := number_words().get(word):
        return number
    for joined in _ONES_AND_TENS.finditer(word):
        ones, tens = word[: joined.start()], word[joined.end() :]
        one = 1 if ones in _ONE_IN_COMPOUNDS else number_words().get(ones, 10)
        ten = number_words().get(tens, 0)
        if one < 10 <= ten and ten % 10 == 0:
            return one + ten
    return None


def in_figures(text: str) -> str:
    """Return the text with numbers of two words, tens and ones, in figures.

    >>> in_figures("the twenty-first of june"), in_figures("die vicesimo quarto maii")
    ('the 21 of june', 'die 24 maii')
    """
    numbers = number_words()
    return _tens_and_ones().sub(lambda pair: str(numbers[pair[1]] + numbers[pair[2]]), text)


def read_roman(word: str) -> int | None:
    """Return the number of a Roman numeral, or None."""
    if not word or not _ROMAN.fullmatch(word):
        return None
    values = [_ROMAN_VALUES[letter] for letter in word]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


@cache
def _tens_and_ones() -> re.Pattern[str]:
    tens = "|".join(
        word for word, number in number_words().items() if 10 <= number < 100 and number % 10 == 0
    )
    ones = "|".join(word for word, number in number_words().items() if number < 10)
    return re.compile(rf"\b({tens})[- ]({ones})\b")


@cache
def number_words() -> dict[str, int]:
    """Return the numbers that have a word, cardinal and ordinal."""
    return {row["word"]: int(row["number"]) for row in read_table("normalize/number_words")}

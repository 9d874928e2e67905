"""Which month has this name, in any language, abbreviated, or partly unreadable?"""

import re
from functools import cache

from anyascii import anyascii

from forebear.tables import read_table

_ROMAN_START = re.compile(r"jan|feb|mar|apr|jun|jul|aug|sep|o[ck]t|nov|de[cz]")
_MASKED = re.compile(r"(?=.*[a-z])(?=.*[_*?])[a-z_*?]{2,}")


def month_named(word: str) -> int | None:
    """Return the month that a lower-case word names; accents may be missing.

    >>> month_named("mrz"), month_named("fevrier"), month_named("7ber"), month_named("tuesday")
    (3, 2, 9, None)
    """
    return _months().get(word) or _months().get(anyascii(word))


def months_masked(word: str) -> tuple[int, ...]:
    """Return the months that a word with unreadable letters may name: ``ma_`` is March or May."""
    if not _MASKED.fullmatch(word):
        return ()
    pattern = re.compile("".join({"_": ".", "?": ".", "*": ".*"}.get(c, c) for c in word))
    return tuple(
        number for number, names in _english().items() if any(map(pattern.fullmatch, names))
    )


@cache
def _months() -> dict[str, int]:
    rows = [(int(row["month"]), row["words"].split()) for row in read_table("normalize/months")]
    folded = {anyascii(word): month for month, words in rows for word in words}
    return _begun(folded) | folded | {word: month for month, words in rows for word in words}


def _begun(months: dict[str, int]) -> dict[str, int]:
    """Return the Roman names broken off after four letters or more: "janua", "septemb"."""
    roman = {word: month for word, month in months.items() if _ROMAN_START.match(word)}
    return {word[:end]: roman[word] for word in roman for end in range(4, len(word))}


@cache
def _english() -> dict[int, list[str]]:
    """Return the English names of each month: its first two words in the table."""
    return {int(row["month"]): row["words"].split()[:2] for row in read_table("normalize/months")}

"""How is a name written down, so that two spellings of one name meet?

A name is kept once, in one form: Unicode NFC, lower case, single spaces.  That form is
close to what was written; accents, hyphens and apostrophes stay.  What ignores them is
`folds`, and a name has several: Müller is muller to one clerk and mueller to the next.

Some words stand where a name should and are none: "unknown", "N.N.", "[blank]", "infant".
They become the empty string, for a missing name must not match another missing name.
A mark of doubt (``JAMES?``) is dropped, because the name was read; letters that could not
be read (``B_LL``, ``WIN*``) stay as they are.
"""

import re
import unicodedata
from functools import cache, lru_cache

from anyascii import anyascii

from forebear.normalize.raised_letters import lower_raised
from forebear.tables import read_table

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
_EXPANSIONS = str.maketrans(
    {"ä": "ae", "æ": "ae", "å": "aa", "ö": "oe", "ø": "oe", "œ": "oe", "ü": "ue"}
)  # anyascii itself writes ß as ss and þ as th
_BRACKETED = re.compile(r"[\[(]([^\[\]()]*)[\])]")
_DOUBT = re.compile(r"\?+(?=[\s.,\])]|$)")
_STRAY = " .,;:+/"
_RELATION = re.compile(
    r"\b(?:son|daughter|dau|child|wife|widow|relict|husband)\s+of\b.*", re.IGNORECASE | re.DOTALL
)
_GIVEN_BREAKS = re.compile(r"[\s.,;()\[\]/-]+")


@lru_cache(maxsize=100_000)
def spell(text: str) -> str:
    """Return the one spelling of a name, or "" where no name was given.

    >>> spell("  O’BRIEN "), spell("Mary   Ann"), spell("[blank]"), spell("N.N.")
    ("o'brien", 'mary ann', '', '')
    """
    if text.isascii() and text.replace(" ", "").isalpha():  # nothing but words, as most are
        plain = " ".join(text.lower().split())
        return "" if plain in _placeholders("any") else plain
    name, before = _without_remarks(text), text
    while name != before:  # dropping one remark may bring another to the end
        name, before = _without_remarks(name), name
    is_name = any(map(str.isalpha, name)) and _words(name) not in _placeholders("any")
    return name if is_name else ""


@lru_cache(maxsize=100_000)
def folds(name: str) -> tuple[str, ...]:
    """Return the ASCII letters and digits of a spelled name, accents stripped and expanded.

    >>> folds("müller"), folds("o'brien"), folds("søren")
    (('muller', 'mueller'), ('obrien',), ('soren', 'soeren'))
    """
    if name.isascii() and name.isalnum():
        return (name.lower(),)
    written = (_ascii(name), _ascii(name.translate(_EXPANSIONS)))
    return tuple(dict.fromkeys(fold for fold in written if fold))


@lru_cache(maxsize=100_000)
def split_given(text: str) -> tuple[str, ...]:
    """Return the given names one by one, without points; none if no name was given.

    >>> split_given("Mary Ann"), split_given("Wm."), split_given("J. W.")
    (('mary', 'ann'), ('wm',), ('j', 'w'))
    >>> split_given("Infant son of Thos."), split_given("Mary wife of Thos.")
    ((), ('mary',))
    """
    own = spell(_RELATION.sub("", text) if " " in text else text)
    words = tuple(word for word in _GIVEN_BREAKS.split(own) if any(map(str.isalpha, word)))
    named = set(words) - _placeholders("article") if len(words) > 1 else set(words)
    return () if named <= _no_given_names() else words


def is_plain(name: str) -> bool:
    """Say whether a spelled name is nothing but ASCII letters and digits, and so its own fold."""
    return name.isascii() and name.isalnum() and name.islower()


def is_initial(token: str) -> bool:
    """Say whether a given name is only its first letter, with or without a point."""
    letter = token.removesuffix(".")
    return len(letter) == 1 and letter.isalpha()


def _without_remarks(text: str) -> str:
    name = unicodedata.normalize("NFC", lower_raised(text)).lower()
    name = unicodedata.normalize("NFC", name).translate(_APOSTROPHES)
    name = _DOUBT.sub("", _BRACKETED.sub(_unless_remark, name))
    return " ".join(name.split()).strip(_STRAY)


def _unless_remark(bracket: re.Match[str]) -> str:
    words = _words(bracket[1])
    is_remark = not words or words in _placeholders("bracketed") | _placeholders("any")
    return " " if is_remark else bracket[0]


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_][^\W\d_']*", text))


class _AsciiLetters(dict[int, str]):
    """What is written for each letter that was met: small ASCII letters and digits, or nothing."""

    def __missing__(self, code: int) -> str:
        written = "".join(letter for letter in anyascii(chr(code)).lower() if letter.isalnum())
        self[code] = written
        return written


_ASCII_LETTERS = _AsciiLetters()


def _ascii(name: str) -> str:
    return name.translate(_ASCII_LETTERS)


@cache
def _no_given_names() -> frozenset[str]:
    return _placeholders("any") | _placeholders("given")


@cache
def _placeholders(part: str) -> frozenset[str]:
    """Return the words that are no names: in "any" name, as "given" name, "bracketed"."""
    return frozenset(
        row["word"] for row in read_table("normalize/placeholders") if row["part"] == part
    )

"""Does a text look like a place, or like an occupation, a status or a note?

No list has all the words that clerks write into the column of a place: they abbreviate them
("Blksmh"), misspell them ("Vitualer") and write whole sentences.  But such texts have other letters
in a row than the names of places, and a logistic regression on them tells the two apart:

    evidence = bias + sum of the weights of the text's n-grams (one to five letters, each once)

Below zero, the text names no place.  The weights are in the table ``places/likeness``, in
hundredths of a bit; "_" is the end of a word and 0 stands for any number.
``scripts/make_place_likeness.py`` fits them on columns of occupations, notes and places and on
names of GeoNames, and sets the bias so that about one place of a hundred would be lost.  A town of
GeoNames that would be lost is listed in the table and is always a place.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.regions import level_key
from forebear.normalize.trades import buildings
from forebear.tables import read_table

_SAINTS = frozenset({"st", "saint", "ste", "sainte", "san", "santa", "santo", "sant", "sankt"})
_MAX_NAME = 4  # words; longer texts that begin or end like a place may be sentences
_IN_SENTENCES = frozenset({"a", "an", "from", "in", "by", "signs"})
LONGEST = 5  # letters of an n-gram
_NUMBER = re.compile(r"[0-9]+")
_HOUSE_NUMBER = re.compile(r"(?:no\.?\s*)?[0-9]+[a-z]?\b[\s.,;-]*(?=[^\W\d_])", re.IGNORECASE)
# A day or an age, at the beginning.  (A street would have another word after the month.)
_TIME = re.compile(
    r"[0-9]+\s*(?:st|nd|rd|th)?\s*(?:(?:day|dy|week|wk|month|mth|mo|year|yr|hour|hr)s?\b"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|t?ember"
    r"|ober)?\b\W*(?:[0-9]|$))",
    re.IGNORECASE,
)
_INITIALS_AT_END = re.compile(r"(?<=\w)[\s.]+(?:[^\W\d_](?:\.\s*|\b\s*)){1,3}$")
_BETWEEN_WORDS = re.compile(r"[^\w']+|_+")
_WORD = re.compile(r"[^\W\d_]{2}")


class Likeness(NamedTuple):
    """The table: the weights of n-grams, and towns that look like something else."""

    bias: int
    weights: dict[str, int]
    towns: frozenset[str]  # keys


@lru_cache(maxsize=65_536)
def looks_like_place(text: str) -> bool:
    """Return whether a text without commas may name a place.

    Initials, plot numbers, days and ages ("A. B.", "F 24", "7 weeks") do not; a short text that
    begins with a saint or ends in a building does.  Initials after a name ("Glasgow N.B.") are
    those of a state or country, and do not count.

    >>> looks_like_place("Nether Stowey"), looks_like_place("Blksmth"), looks_like_place("F 24")
    (True, False, False)
    """
    if _TIME.match(text) or (len(text) > 1 and not _WORD.search(text)):
        return False
    words = text.lower().split()
    is_name = 0 < len(words) <= _MAX_NAME and _IN_SENTENCES.isdisjoint(words)
    if is_name and (words[0].strip(".") in _SAINTS or words[-1] in buildings()):
        return True
    name = _INITIALS_AT_END.sub("", without_house_number(text))
    return place_evidence(name) >= 0 or is_listed(text)


def is_listed(text: str) -> bool:
    """Return whether a text is a town that looks like something else.

    >>> is_listed("King of Prussia"), is_listed("King of Scots")
    (True, False)
    """
    return level_key(text) in _table().towns


def place_evidence(text: str) -> int:
    """Return the evidence that a text names a place, in hundredths of a bit."""
    table = _table()
    return table.bias + sum(table.weights.get(ngram, 0) for ngram in ngrams(text))


def without_house_number(text: str) -> str:
    """Return a text without the number that it begins with, which streets, days and ages have.

    >>> without_house_number("33 Old Jewry"), without_house_number("No. 7a Fore Street")
    ('Old Jewry', 'Fore Street')
    """
    number = _HOUSE_NUMBER.match(text)
    return text[number.end() :] if number else text


def ngrams(text: str) -> set[str]:
    """Return the runs of one to five letters of a text.

    >>> "ab_0_" in ngrams("Ab 12"), len(ngrams("Ab 12"))
    (True, 18)
    """
    words = _BETWEEN_WORDS.sub("_", _NUMBER.sub("0", text.lower().replace("’", "'"))).strip("_")
    padded = f"_{words}_"
    return {
        padded[start : start + length]
        for length in range(1, LONGEST + 1)
        for start in range(len(padded) - length + 1)
    }


@cache
def _table() -> Likeness:
    by_kind: dict[str, dict[str, int]] = {"bias": {}, "ngram": {}, "town": {}}
    for row in read_table("normalize/places/likeness"):
        by_kind[row["kind"]][row["text"]] = int(row["weight"] or 0)
    return Likeness(
        bias=by_kind["bias"][""], weights=by_kind["ngram"], towns=frozenset(by_kind["town"])
    )

"""Does a text look like a place, or like an occupation, a status or a note?

No list has all the words that clerks write into the column of a place: they abbreviate them
("Blksmh"), misspell them ("Vitualer") and write whole sentences.  But such texts have other letters
in a row than the names of places, and other words, and a logistic regression tells the two apart:

    evidence = bias + sum of the weights of the text's features

The features are its n-grams (one to five letters, each once), its words, its first and last word,
and facts: the share of ordinary words (``vocabulary``), a sentence that begins in lower case,
marks and figures.  That all of a text is in lower case is none, because people search that way.

Below zero, the text names no place.  The weights are in the table ``places/likeness``, in
hundredths of a bit; "_" is the end of a word and 0 stands for any number.
``scripts/make_place_likeness.py`` fits them on columns of occupations, notes and places and on
names of GeoNames, and sets the bias so that less than one place of a hundred is lost.  A town of
GeoNames that would be lost is in the table with the state or country that it lies in.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.regions import level_key
from forebear.normalize.trades import buildings, needs_object, usual_shares
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


# Words of sentences, and those that names in lower case begin with.
_SENTENCE_WORD = re.compile(
    r"\b(?:an?|to|for|his|her|my|with|and|or|was|out|up|not?|from|under|into|some|as)\b"
)
_PARTICLE = re.compile(
    r"de|la|le|van|von|der|den|the|of|near|upon|in|at|du|di|del|d|l|st|on|and|y|e"
)
_LONG_SENTENCE, _LONG_NAME = 3, 4  # words
_MARKS = re.compile(r"[?;:\"=]")
_LETTERS = re.compile(r"[^\W\d_]+")
_LETTERS_AND_POSSESSIVE = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
Features = dict[tuple[str, str], float]  # by kind and text


class Likeness(NamedTuple):
    """The table: the weights of features, and towns that look like something else."""

    bias: int
    bias_with_county: int  # more of it where another column says the county
    weights: dict[tuple[str, str], int]
    towns: dict[str, frozenset[str]]  # by key: the keys of states and countries they lie in


@lru_cache(maxsize=65_536)
def looks_like_place(text: str, *, with_county: bool = False) -> bool:
    """Return whether a text without commas may name a place.

    ``with_county`` says that another column gives the county of this place alone; only a text that
    hardly any place looks like is none then.

    Initials, plot numbers, days and ages ("A. B.", "F 24", "7 weeks") do not; a short text that
    begins with a saint or ends in a building does, and so does half of a trade ("Maker").
    Initials after a name ("Glasgow N.B.") are those of a state or country, and do not count.

    >>> looks_like_place("Nether Stowey"), looks_like_place("Blksmth"), looks_like_place("F 24")
    (True, False, False)
    """
    shape = says_shape(text)
    if shape is not None:
        return shape
    least = -_table().bias_with_county if with_county else 0
    return place_evidence(name_alone(text)) >= least or is_listed(text)


def name_alone(text: str) -> str:
    """Return a text without a house number before it and initials after it.

    >>> name_alone("12 Fore Street"), name_alone("Glasgow N.B.")
    ('Fore Street', 'Glasgow')
    """
    return _INITIALS_AT_END.sub("", without_house_number(text))


def says_shape(text: str) -> bool | None:
    """Return whether the form of a text alone says that it is a place, or none; or None.

    >>> says_shape("St Keverne"), says_shape("Parsonage House"), says_shape("7 weeks")
    (True, True, False)
    >>> says_shape("Layham") is None
    True
    """
    if _TIME.match(text) or (len(text) > 1 and not _WORD.search(text)):
        return False
    words = text.lower().split()
    is_name = 0 < len(words) <= _MAX_NAME and _IN_SENTENCES.isdisjoint(words)
    if is_name and (words[0].strip(".") in _SAINTS or words[-1] in buildings()):
        return True
    return True if len(words) == 1 and needs_object(words[0]) else None


def is_listed(text: str) -> bool:
    """Return whether a text is a town that looks like something else.

    >>> is_listed("King of Prussia"), is_listed("King of Scots")
    (True, False)
    """
    return level_key(text) in _table().towns


def lies_in(text: str, regions: frozenset[str]) -> bool:
    """Return whether a town that looks like something else lies in one of the regions, by level.

    >>> lies_in("Porter", frozenset({"maine"})), lies_in("Porter", frozenset({"somerset"}))
    (True, False)
    """
    return not regions.isdisjoint(_table().towns.get(level_key(text), ()))


def place_evidence(text: str) -> float:
    """Return the evidence that a text names a place, in hundredths of a bit."""
    table = _table()
    weights = table.weights
    return table.bias + sum(
        weights.get(feature, 0) * value for feature, value in features(text).items()
    )


def features(text: str) -> Features:
    """Return the features of a text and their values."""
    words = _LETTERS_AND_POSSESSIVE.findall(text.lower().replace("’", "'"))
    values: Features = {("ngram", ngram): 1.0 for ngram in ngrams(text)}
    values.update((("word", word), 1.0) for word in words)
    if words:
        values["first", words[0]] = values["last", words[-1]] = 1.0
    values.update((("fact", fact), value) for fact, value in _facts(text))
    return values


def _facts(text: str) -> Iterator[tuple[str, float]]:
    words = _LETTERS.findall(text)
    if len(words) > 1:  # one ordinary word alone is a place as often: Start, Quarry
        share, is_last_usual = usual_shares(text)
        yield from (("share of usual words", share), ("last word is usual", float(is_last_usual)))
    if words and words[0].islower() and not _PARTICLE.fullmatch(words[0]):
        yield "sentence word", float(bool(_SENTENCE_WORD.search(text)))
        yield "capital later", float(any(word[0].isupper() for word in words))
        yield "long sentence", float(len(words) > _LONG_SENTENCE)
    yield "many words", float(len(words) > _LONG_NAME)
    yield "marks", float(bool(_MARKS.search(text)))
    yield "figures", float(any(map(str.isdigit, text)))


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
    weights: dict[tuple[str, str], int] = {}
    towns: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/places/likeness"):
        if row["kind"] == "town":
            towns[row["text"]] = frozenset(row["value"].split("|"))
        else:
            weights[row["kind"], row["text"]] = int(row["value"])
    return Likeness(
        bias=weights.pop(("bias", "")),
        bias_with_county=weights.pop(("bias", "with its county")),
        weights=weights,
        towns=towns,
    )

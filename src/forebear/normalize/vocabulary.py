"""Which words are ordinary words, and which say what a person is?

Occupations, statuses and notes are made of ordinary words ("keeps a small shop"), most names of
places are not.  The table ``words/vocabulary`` has English words by their first letter: nouns for
persons ("lapidary", "widower"), and the other words that are usual in texts.  No word is in it that
stands in the name of a town; ``scripts/make_vocabulary.py`` makes it of WordNet 3.0.
"""

import re
from functools import cache

from forebear.tables import read_table

_WORD = re.compile(r"[^\W\d_]{2,}")
# Words of sentences that names of places have too.
_LINK = re.compile(r"an|the|of|at|in|on|to|and|or|by|for|with|from|his|her|is|was|as|not?")
_MIN_STEM = 3  # letters before an ending
_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("ies", "y"),
    ("ied", "y"),
    ("men", "man"),
)


def is_person_noun(word: str) -> bool:
    """Return whether a word in lower case says what a person is.

    >>> is_person_noun("lapidary"), is_person_noun("tywardreath")
    (True, False)
    """
    return word in _words("person")


def is_usual(word: str) -> bool:
    """Return whether a word in lower case is an ordinary one, inflected or not.

    >>> is_usual("keeps"), is_usual("drowning"), is_usual("layham")
    (True, True, False)
    """
    return any(form in _words("usual") or form in _words("person") for form in _stems(word))


def usual_shares(text: str) -> tuple[float, bool]:
    """Return the share of usual words among those that are no links, and whether the last is one.

    >>> usual_shares("Keeps a lodging"), usual_shares("Layham")
    ((1.0, True), (0.0, False))
    """
    words = [word for word in _WORD.findall(text.lower()) if not _LINK.fullmatch(word)]
    usual = [is_usual(word) for word in words]
    return (sum(usual) / len(usual), usual[-1]) if usual else (0.0, False)


def _stems(word: str) -> list[str]:
    """Return the word and what may be its uninflected forms."""
    return [word] + [
        word[: -len(ending)] + other
        for ending, other in _ENDINGS
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM
    ]


@cache
def _words(kind: str) -> frozenset[str]:
    rows = read_table("normalize/words/vocabulary")
    return frozenset(word for row in rows if row["kind"] == kind for word in row["words"].split())

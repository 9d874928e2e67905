"""Have two names the same consonants, where one is in a script that writes only these?

Hebrew and Arabic leave the vowels to the reader, and use w and y for some of them.  What
is left of either name is its consonants, those that are transcribed in several ways as one.
"""

import re

from anyascii import anyascii

SHORTEST_SKELETON = 2  # consonants
_CONSONANTAL = re.compile(r"[\u0590-\u06ff]")
_DOUBLED = re.compile(r"(.)\1")
_AS_ONE = (
    (re.compile(r"sch|sh|ts|tz|[cz](?=[eiy])|z"), "s"),
    (re.compile(r"[kc]h"), "h"),
    (re.compile(r"ph|f"), "p"),
    (re.compile(r"[cq]"), "k"),
    (re.compile(r"([tdg])h"), r"\1"),
    (re.compile(r"[aeiouvwy]|[^a-z]|h$"), ""),
)


def share_skeleton(first: str, second: str) -> bool:
    """Say whether one name, in Hebrew or Arabic letters, has the consonants of the other.

    >>> share_skeleton("חיים", "chaim"), share_skeleton("חיים", "moshe")
    (True, False)
    """
    if bool(_CONSONANTAL.search(first)) == bool(_CONSONANTAL.search(second)):
        return False
    skeleton = _consonants(first)
    return len(skeleton) >= SHORTEST_SKELETON and skeleton == _consonants(second)


def _consonants(name: str) -> str:
    letters = anyascii(name).lower()
    if not _CONSONANTAL.search(name):
        letters = _DOUBLED.sub(r"\1", letters)
    for pattern, letter in _AS_ONE:
        letters = pattern.sub(letter, letters)
    return letters

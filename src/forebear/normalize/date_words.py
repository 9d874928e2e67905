"""Which words around a date say how to take it?

The table gives each word, in any language, one meaning: a qualifier (about, before, ...), a
joint of two dates (and, to), an event ("bapt 3 May 1702"), or filler ("3rd day of May").
"""

from functools import cache

from forebear.tables import read_table

VAGUE = frozenset({"about", "calculated", "estimated"})  # qualifiers that widen
_LONGEST_PHRASE = 3  # words: "no later than"


def split_qualifiers(text: str) -> tuple[tuple[str, ...], str]:
    """Return the meanings of the qualifying words in front of a date, and the rest.

    >>> split_qualifiers("est. aft 1731"), split_qualifiers("buried 11 apr 1758")
    ((('estimated', 'after'), '1731'), ((), '11 apr 1758'))
    """
    words = text.split()
    for length in range(_LONGEST_PHRASE, 0, -1):
        meaning = _meanings().get(" ".join(words[:length]).rstrip(".:,"))
        if words and meaning not in (None, "and", "filler"):
            rest_words = words[length:]
            if meaning == "event" and _joins_event(rest_words):
                rest_words = rest_words[1:]  # "bapt. & bur."
            qualifiers, rest = split_qualifiers(" ".join(rest_words))
            return (qualifiers if meaning == "event" else (str(meaning), *qualifiers)), rest
    return (), text


def _joins_event(words: list[str]) -> bool:
    meanings = [_meanings().get(word.rstrip(".:,")) for word in words[:2]]
    return meanings == ["and", "event"]


@cache
def words_meaning(meaning: str) -> frozenset[str]:
    """Return the words that have this meaning."""
    return frozenset(word for word, its_meaning in _meanings().items() if its_meaning == meaning)


@cache
def _meanings() -> dict[str, str]:
    return {row["word"]: row["meaning"] for row in read_table("normalize/date_words")}

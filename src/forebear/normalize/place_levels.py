"""How is one level of a place written down: a parish, a street, a county?

Lower case, abbreviations in full (St is Saint in front of a name and Street at its end), without
second names in brackets and without words that only say how the person stands to the place
("near", "late of").  Words that name no place at all ("of this parish", "ditto", "at sea",
a ship, FreeCEN's INC and UNK) leave nothing.
"""

import re
import unicodedata
from functools import cache, lru_cache

from anyascii import anyascii

from forebear.tables import read_table

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
_BRACKETED = re.compile(r"\([^()]*\)?|\[[^\[\]]*\]?")
_NOT_IN_LEVEL = re.compile(r"[^\w\s'&-]+|_+")
_RELATIVE = re.compile(
    r"^(?:(?:late|formerly|born|residing|living|near|nr|of|at|in|the (?:parish|county) of|"
    r"(?:parish|county) of)\s+)+(?=\S)"
)
_SHIP = re.compile(r"(?:on board|aboard|h ?m ?s|s ?s)\b.*")


@lru_cache(maxsize=65_536)
def clean_level(text: str) -> str:
    """Return the one spelling of a level, or "" where the text names no place.

    >>> clean_level("St. Blazey"), clean_level("Fore St"), clean_level("near Gt. Yarmouth")
    ('saint blazey', 'fore street', 'great yarmouth')
    >>> clean_level("of this parish"), clean_level("?")
    ('', '')
    """
    plain = unicodedata.normalize("NFC", text).lower().translate(_APOSTROPHES)
    plain = " ".join(_NOT_IN_LEVEL.sub(" ", _BRACKETED.sub(" ", plain)).split())
    if plain in _no_places() or _SHIP.fullmatch(plain) or not any(map(str.isalnum, plain)):
        return ""
    words = _RELATIVE.sub("", plain).split()
    level = " ".join(_in_full(word, index, len(words)) for index, word in enumerate(words))
    return "" if level in _no_places() else level


@lru_cache(maxsize=65_536)
def level_key(level: str) -> str:
    """Return what levels of the same name share: ASCII words, without "county".

    >>> level_key("québec"), level_key("newcastle-upon-tyne"), level_key("county cork")
    ('quebec', 'newcastle upon tyne', 'cork')
    """
    words = re.findall(r"[a-z0-9]+", anyascii(level).lower().replace("'", ""))
    if len(words) > 1 and "county" in (words[0], words[-1]):
        words = words[1:] if words[0] == "county" else words[:-1]
    return " ".join(words)


def level_words(level: str) -> tuple[str, ...]:
    """Return the words of a clean level that tell places apart."""
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)*", level)
    return tuple(word for word in words if word not in _words()["stop"])


def _in_full(word: str, index: int, count: int) -> str:
    head, hyphen, tail = word.partition("-")
    if hyphen and head in _words()["inside"]:
        return f"{_words()['inside'][head]}-{tail}"  # Ste-Anne
    positions = ["any"]
    if index + 1 < count:
        positions.append("inside")
        positions.extend(["front"] if index == 0 else [])
    elif index:
        positions.append("end")
    return next((_words()[at][word] for at in positions if word in _words()[at]), word)


@cache
def _words() -> dict[str, dict[str, str]]:
    """Return the words of the table by where in a level they have their meaning."""
    words: dict[str, dict[str, str]] = {}
    for row in read_table("normalize/place_words"):
        words.setdefault(row["where"], {})[row["word"]] = row["means"]
    return words


@cache
def _no_places() -> frozenset[str]:
    return frozenset(row["words"] for row in read_table("normalize/no_places"))

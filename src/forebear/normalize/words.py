"""Which occupation, country or words does a text name?

An occupation is known by one word of the table, whatever the clerk called it: a cordwainer is a
shoemaker, and that is clothing.  A word that the table lacks stands for itself.  Clerks add much
that is no occupation ("master", "(employing 2 men)"), so what is not known as a whole is looked up
without it, and then by its last word.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.place_levels import clean_level
from forebear.normalize.regions import country_named, level_key
from forebear.normalize.spelling import compose, normalize_name
from forebear.tables import read_table

_REMARK = re.compile(r"\bemploying\b.*|\bof [0-9]+ acres\b.*|(?<![0-9])[0-9]++ acres\b.*")
_STATUS = re.compile(
    r"^(?:master|journeyman|apprentice|retired|former|formerly|late|app|jour|assistant|foreman)\s+"
    r"|\s+(?:master|journeyman|apprentice|app|retired|jour)$"
)
_WORD = re.compile(r"\w+(?:'\w+)*")


class Occupation(NamedTuple):
    """An occupation by its word in the table, and the group it belongs to."""

    name: str
    group: str


@lru_cache(maxsize=65_536)
def occupations_of(text: str) -> tuple[Occupation, ...]:
    """Return the occupations that a text names; one that the table lacks has no group.

    >>> occupations_of("Cordwainer (journeyman)"), occupations_of("Moon gazer")
    ((Occupation(name='shoemaker', group='clothing'),), (Occupation(name='moon gazer', group=''),))
    """
    pieces = (
        normalize_name(_REMARK.sub(" ", _without_brackets(piece.lower())))
        for piece in re.split(r"[;,&/]", text)
    )
    return tuple(dict.fromkeys(_occupation(piece) for piece in pieces if piece))


@lru_cache(maxsize=4096)
def nation_of(text: str) -> str:
    """Return the country that a nationality names, as a level of a place, or "" if it names none.

    >>> nation_of("Irish"), nation_of("U.S.A."), nation_of("subject of Prussia")
    ('ireland', 'united states', '')
    """
    return country_named(text) or _nationalities().get(level_key(clean_level(text)), "")


def text_words(text: str) -> tuple[str, ...]:
    """Return the different words and numbers of a text, lower case, in order.

    >>> text_words("Twin; drowned 1851, a twin's brother")
    ('twin', 'drowned', '1851', 'a', "twin's", 'brother')
    """
    lower = compose(text).lower().replace("’", "'")
    return tuple(dict.fromkeys(_WORD.findall(lower)))


def _without_brackets(text: str) -> str:
    """Return the text with a blank for each bracket, up to the next closing sign."""
    parts, start = [], 0
    while (opening := text.find("(", start)) >= 0:
        closing = text.find(")", opening)
        if closing < 0:
            break
        parts.append(text[start:opening])
        start = closing + 1
    return " ".join([*parts, text[start:]])


def _occupation(text: str) -> Occupation:
    without_status = _STATUS.sub("", text) or text
    for word in (text, without_status):
        if word in _occupations():
            return _occupations()[word]
    general = _occupations().get(without_status.rpartition(" ")[2])
    return Occupation(without_status, general.group if general else "")


@cache
def _occupations() -> dict[str, Occupation]:
    occupations: dict[str, Occupation] = {}
    for row in read_table("normalize/words/occupations"):
        occupation = Occupation(row["occupation"], row["group"])
        for word in (row["occupation"], *row["synonyms"].split("|")):
            if word:
                occupations.setdefault(word, occupation)
    return occupations


@cache
def _nationalities() -> dict[str, str]:
    rows = read_table("normalize/words/nationalities")
    return {row["word"]: clean_level(row["country"]) for row in rows}

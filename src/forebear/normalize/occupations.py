"""Which trade is meant, and of which group: cordwainer is shoemaker, and that is clothing?

A trade is known by one word of the table, whatever the clerk called it; a word that the table
lacks stands for itself.  Clerks add much that is no trade ("master", "(employing 2 men)"),
so what is not known as a whole is looked up without it, and then by its last word.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.spelling import normalize_name
from forebear.tables import read_table

_REMARK = re.compile(r"\(.*?\)|\bemploying\b.*|\bof [0-9]+ acres\b.*|[0-9]+ acres\b.*")
_STANDING = re.compile(
    r"^(?:master|journeyman|apprentice|retired|former|formerly|late|app|jour|assistant|foreman)\s+"
    r"|\s+(?:master|journeyman|apprentice|app|retired|jour)$"
)


class Occupation(NamedTuple):
    """A trade by its word in the table, and the group of trades it belongs to."""

    name: str
    group: str


@lru_cache(maxsize=65_536)
def occupations_of(text: str) -> tuple[Occupation, ...]:
    """Return the trades that a text names; one that the table lacks has no group.

    >>> occupations_of("Cordwainer (journeyman)"), occupations_of("Moon gazer")
    ((Occupation(name='shoemaker', group='clothing'),), (Occupation(name='moon gazer', group=''),))
    """
    pieces = (
        normalize_name(_REMARK.sub(" ", piece.lower())) for piece in re.split(r"[;,&/]", text)
    )
    return tuple(dict.fromkeys(_occupation(piece) for piece in pieces if piece))


def _occupation(spelled: str) -> Occupation:
    plain = _STANDING.sub("", spelled) or spelled
    for word in (spelled, plain):
        if word in _table():
            return _table()[word]
    last = plain.rpartition(" ")[2]
    known = _table().get(last)
    return Occupation(plain, known.group if known else "")


@cache
def _table() -> dict[str, Occupation]:
    found: dict[str, Occupation] = {}
    for row in read_table("normalize/occupations"):
        occupation = Occupation(row["occupation"], row["group"])
        for word in (row["occupation"], *row["synonyms"].split("|")):
            if word:
                found.setdefault(word, occupation)
    return found

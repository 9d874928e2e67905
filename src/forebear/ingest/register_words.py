"""What do the words of a register mean: son of, Grndau, spinster, M?

Three tables hold words for what people are to each other (with the sex and the marital status
that follow from them), words for sex and words for marital status.  A word is looked up by its
letters alone, up to a separate "of": *Mother-in-law*, *motherinlaw* and *Mother in law of* are the
same word.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import cast, get_args

from forebear.records.record import Kin, Sex
from forebear.tables import read_table

MAX_LENGTH = 200  # characters of a word that are read
OF = re.compile(r"(?:^|\s)of(?:\s|$)", re.IGNORECASE)
EDITORIAL = re.compile(r"\[.*?\]|\(.*?\)")  # widower [sic]
REVERSED: dict[Kin, Kin] = {
    "child": "parent",
    "parent": "child",
    "spouse": "spouse",
    "sibling": "sibling",
}
OPPOSITE: dict[Sex | None, Sex | None] = {"f": "m", "m": "f"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What someone is to the person a record is about."""

    role: str
    kin: Kin
    sex: Sex | None = None
    marital: str = ""


@lru_cache(maxsize=1 << 12)
def word_key(text: str) -> str:
    """Return the letters by which a word is looked up; empty if it has none.

    >>> word_key("Mother-in-law of"), word_key("wife of "), word_key("of")
    ('motherinlaw', 'wife', '')
    """
    before = OF.split(EDITORIAL.sub("", text[:MAX_LENGTH]), maxsplit=1)[0]
    return "".join(letter for letter in before.casefold() if letter.isalpha())


@lru_cache(maxsize=1 << 12)
def find_relation(text: str) -> Relation | None:
    """Return what a word such as "Grndau" or "son of" says, if it is known."""
    return _relations().get(word_key(text))


def reverse_relation(relation: Relation, *, sex: Sex | None, role: str) -> Relation:
    """Return what X is to Y, given what Y is to X: the father, given "son of".

    ``sex`` is X's, if known; ``role`` is used for X when the table has no word for the reverse.
    """
    kin = REVERSED.get(relation.kin, "other")
    if kin == "spouse":
        sex = sex or OPPOSITE.get(relation.sex)
    named = _usual_relations().get((kin, sex))
    return Relation(role=named.role if named else role, kin=kin, sex=sex)


@lru_cache(maxsize=1 << 12)
def find_sex(text: str) -> Sex | None:
    """Return the sex a word says, be it "F", "male" or "daughter of"."""
    key = word_key(text)
    relation = _relations().get(key)
    return _sex(_words("sexes").get(key, "")) or (relation.sex if relation else None)


@lru_cache(maxsize=1 << 12)
def find_marital(text: str) -> str:
    """Return the marital status a word says, be it "spinster" or "widow of"."""
    key = word_key(text)
    relation = _relations().get(key)
    return _words("marital").get(key, "") or (relation.marital if relation else "")


@lru_cache(maxsize=1 << 12)
def is_known(text: str, *, table: str = "") -> bool:
    """Return whether the relations, or this further table, have the word.

    A word without letters says nothing, so it needs no warning and counts as known.
    """
    key = word_key(text)
    return not key or key in _relations() or bool(table and key in _words(table))


@cache
def _relations() -> dict[str, Relation]:
    return {
        word_key(row["word"]): Relation(
            role=row["role"],
            kin=_kin(row["kin"]),
            sex=_sex(row["sex"]),
            marital=row["marital"],
        )
        for row in read_table("ingest/relations")
    }


@cache
def _usual_relations() -> dict[tuple[Kin, Sex | None], Relation]:
    """Return the usual word for each position and sex: the first that the table has."""
    usual: dict[tuple[Kin, Sex | None], Relation] = {}
    for relation in _relations().values():
        if relation.kin != "other":
            usual.setdefault((relation.kin, relation.sex), relation)
    return usual


@cache
def _words(table: str) -> dict[str, str]:
    return {word_key(row["word"]): row["meaning"] for row in read_table(f"ingest/{table}")}


def _kin(text: str) -> Kin:
    if text not in get_args(Kin):
        raise ValueError(f"relations.csv: unknown kin {text!r}")
    return cast(Kin, text)


def _sex(text: str) -> Sex | None:
    return cast(Sex, text) if text in get_args(Sex) else None

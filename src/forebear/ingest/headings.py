"""What does the heading of a column say: whose fact, which fact, of which event?

A heading is a few words run together in one way or another: ``father_forename``,
"Where Born", ``DateOfCertificate``.  Each word that the table knows names a person, a fact or
an event; a word may name several (an abode is a place and a residence).
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from forebear.tables import read_table

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
# They say nothing, but "born in" is a place.
LITTLE_WORDS = frozenset({"in", "at", "of", "to", "the", "port", "event"})
COMPOUND = re.compile(r"^(.*?)(name|date|place|year|id)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What the words of a heading name, in their order; empty where nothing is known."""

    column: str
    people: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    number: str = ""  # of several people in one role: witness 2
    unknown: tuple[str, ...] = ()

    @property
    def fact(self) -> str:
        """Return the most telling fact: a date of birth is a date, a place name a place."""
        order = (
            "skip", "image", "maiden", "relation", "group", "middle", "alias", "nickname",
            "patronymic", "given", "surname", "sex", "age",
            "occupation", "marital", "religion", "title", "suffix", "date", "county", "place",
            "id", "text", "citation", "name",
        )  # fmt: skip
        return next((fact for fact in order if fact in self.facts), "")


def read_heading(column: str) -> Heading:
    """Return what a heading says.

    >>> heading = read_heading("groom_father_surname")
    >>> heading.people, heading.fact
    (('groom', 'father'), 'surname')
    """
    found: dict[str, list[str]] = defaultdict(list)
    words = _split(column)
    for word in words:
        for kind, meaning in _meanings().get(word, ()):
            if meaning not in found[kind]:
                found[kind].append(meaning)
    return Heading(
        column=column,
        people=tuple(found["person"]),
        facts=tuple(found["fact"]),
        events=tuple(found["event"]),
        number=next((word for word in words if word.isdigit()), ""),
        unknown=tuple(word for word in words if word not in LITTLE_WORDS.union(_meanings())),
    )


def _split(column: str) -> list[str]:
    """Return the words of a heading; "First Name" is one word, "birthplace" are two."""
    words = [word.casefold() for word in WORDS.findall(column)]
    split: list[str] = []
    for word in words:
        compound = COMPOUND.fullmatch(word)
        if split and split[-1] + word in _meanings():
            split[-1] += word
        elif word in _meanings() or compound is None:
            split.append(word)
        else:
            split.extend(part for part in compound.groups() if part)
    return split


@cache
def _meanings() -> dict[str, list[tuple[str, str]]]:
    meanings: dict[str, list[tuple[str, str]]] = {}
    for row in read_table("ingest/heading_words"):
        meanings.setdefault(row["word"], []).append((row["kind"], row["meaning"]))
    return meanings

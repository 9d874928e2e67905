"""What do the heading and the cells of a column say: whose fact, which fact, of which event?

A heading is a few words joined in one way or another: ``father_forename``, "Where Born",
``DateOfCertificate``.  Each word that the table of heading words has names a person, a fact or an
event; a word may name several (an abode is a place and a residence).  All headings of a table, with
the name of its file, say which type of record it has.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from forebear.ingest.register_words import find_marital, find_relation, find_sex
from forebear.normalize.dates import read_date
from forebear.records.collections import RECORD_TYPES
from forebear.tables import read_table

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
# They say nothing, but "born in" is a place.
LITTLE_WORDS = frozenset({"in", "at", "of", "to", "the", "port", "event"})
COMPOUND = re.compile(r"^(.*?)(name|date|place|year|id)$")
# Words of headings by the size of the place they mean; other places are between small and large.
SMALL_PLACE = re.compile(r"street|house|address|church|abode|farm|cemetery", re.IGNORECASE)
LARGE_PLACE = re.compile(r"county|chapman|province|region", re.IGNORECASE)
LARGEST_PLACE = re.compile(r"country|state|nation", re.IGNORECASE)
LARGE_PLACE_SIZE = 2
EVENT_TYPES = {"arrival": "immigration"}
MIN_VOTES = 2  # headings that name a record type; the name of the file counts twice
MIN_FIT = 0.7  # share of the filled cells that must be what the heading says
YEAR = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)(?:(?!\d)|[01]\d[0-3]\d(?!\d))")  # 1780, 17800112
# Who a record of a type is about, and which words of headings betray the type.
PRINCIPALS: dict[str, str] = {
    "marriage": "groom",
    "baptism": "child",
    "burial": "deceased",
    "census": "person",
    "birth": "child",
    "death": "deceased",
    "probate": "deceased",
    "court": "defendant",
    "naturalization": "applicant",
    "immigration": "passenger",
    "obituary": "deceased",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What the words of a heading name, in their order."""

    column: str
    people: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    number: str = ""  # of several people in one role: witness 2
    unknown: tuple[str, ...] = ()

    @property
    def fact(self) -> str:
        """Return the most specific fact: a date of birth is a date, a place name a place."""
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
    named: dict[str, list[str]] = defaultdict(list)
    words = _split(column)
    for word in words:
        for kind, meaning in _meanings().get(word, ()):
            if meaning not in named[kind]:
                named[kind].append(meaning)
    return Heading(
        column=column,
        people=tuple(named["person"]),
        facts=tuple(named["fact"]),
        events=tuple(named["event"]),
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


def guess_type(file_stem: str, headings: Sequence[Heading]) -> tuple[str, str]:
    """Return the type that headings and file name suggest, and why that may be wrong."""
    people = {person for heading in headings for person in heading.people}
    facts = {fact for heading in headings for fact in heading.facts}
    named = read_heading(file_stem)
    votes = Counter(
        EVENT_TYPES.get(event, event)
        for heading in [*headings, named, named]
        for event in heading.events
        if EVENT_TYPES.get(event, event) in PRINCIPALS and (event != "birth" or heading is named)
    )
    if file_stem.casefold() in RECORD_TYPES:
        return file_stem.casefold(), ""
    if {"relation", "group"} <= facts:
        return "census", ""
    if {"groom", "bride"} <= people and "deceased" not in people:
        return "marriage", _other_types(votes, "marriage")
    if votes:
        best = votes.most_common(1)[0][0]
        is_weak = votes[best] < MIN_VOTES
        return best, "only one heading suggests it" if is_weak else _other_types(votes, best)
    if "deceased" in people:
        return "burial", "the headings only say that someone died"
    return "census", "no heading suggests one"


def _other_types(votes: Counter[str], best: str) -> str:
    others = [name for name in votes if name != best]
    return f"the headings also suggest: {', '.join(others)}" if others else ""


def column_fact(heading: Heading, cells: Sequence[str]) -> str:
    """Return what a column holds: as its heading says, else as its cells look."""
    if heading.fact or not cells:
        return heading.fact
    if heading.events and cells_fit("date", cells):
        return "date"
    if heading.events and not heading.unknown:
        return "place"
    if heading.people:
        return "name"
    facts = ("sex", "relation", "date") if len(cells) > 2 else ()
    return next((fact for fact in facts if cells_fit(fact, cells)), "")


def cells_fit(fact: str, cells: Sequence[str]) -> bool:
    """Return whether most of the cells are what the column should hold."""
    tests: dict[str, Callable[[str], object]] = {
        "date": lambda cell: YEAR.search(cell) and read_date(cell).is_known,
        "sex": find_sex,
        "marital": find_marital,
        "relation": find_relation,
        "age": lambda cell: any(map(str.isdigit, cell)) or len(cell) < 20,
        "name": lambda cell: not cell.replace(" ", "").isdigit(),
        "given": lambda cell: not cell.isdigit(),
        "surname": lambda cell: not cell.isdigit(),
        "middle": lambda cell: not cell.isdigit(),
        "place": lambda cell: not cell.isdigit(),
        "county": lambda cell: not cell.isdigit(),
        "occupation": lambda cell: not cell.isdigit(),
    }
    test = tests.get(fact)
    return test is None or sum(bool(test(cell)) for cell in cells) >= MIN_FIT * len(cells)


def place_size(column: str) -> int:
    """Return a number that orders place columns by their headings, from small to large."""
    if LARGEST_PLACE.search(column):
        return LARGE_PLACE_SIZE + 1
    if LARGE_PLACE.search(column):
        return LARGE_PLACE_SIZE
    return 0 if SMALL_PLACE.search(column) else 1

"""A record in a few words: who, what, when, where, with whom."""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Name, Persona, Record, relation_between

LIVING = "living"  # instead of the name of a person who may be


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a page shows of a hit."""

    record_key: str
    record_type: str
    title: str  # the type in words
    name: str
    role: str
    date: str
    place: str
    age: str
    relatives: tuple[str, ...]  # "father Thomas Green"
    source: str


def describe(record: Record, position: int, group: Sequence[Record]) -> Description:
    """Return a record in a few words, seen from one of its personas."""
    persona = record.personas[position]
    others = [other for member in group for other in member.personas if other is not persona]
    event = record.event
    return Description(
        record_key=record.key,
        record_type=record.record_type,
        title=RECORD_TYPES[record.record_type].title,
        name=display_name(persona),
        role=persona.role.replace("_", " "),
        date=event.date.text if event.date else "",
        place=event.place.text if event.place else "",
        age=persona.age.text if persona.age else "",
        relatives=tuple(_relatives(persona, others)),
        source=record.source,
    )


def _relatives(persona: Persona, others: Sequence[Persona]) -> list[str]:
    words = {
        "spouse": {"f": "wife", "m": "husband", None: "spouse"},
        "parent": {"f": "mother", "m": "father", None: "parent"},
        "child": {"f": "daughter", "m": "son", None: "child"},
        "sibling": {"f": "sister", "m": "brother", None: "sibling"},
    }
    return [
        f"{words[relation][other.sex]} {display_name(other)}"
        for other in others
        if (relation := relation_between(persona, other)) in words
        and (other.names or other.is_masked)
    ]


def display_name(persona: Persona) -> str:
    """Return the name of a person as it is shown; that of one who may be living is not."""
    if persona.is_masked:
        return LIVING
    return " or ".join(_written(name) for name in persona.names) or "(no name)"


def _written(name: Name) -> str:
    return " ".join(part for part in (name.title, name.given, name.surname, name.suffix) if part)

"""A persona becomes terms: the person, their relatives on the record, the events, the record.

Everything is put together from fragments that are worked out once: those of the record
once a record, those of a name, place or date once for all records that have it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forebear.records.collections import Collection
from forebear.records.record import Persona, Record
from forebear.search.terms.fields import PersonaTerms
from forebear.search.terms.fragments import Fragment
from forebear.search.terms.life import add_life
from forebear.search.terms.people import add_relatives, other_terms
from forebear.search.terms.person import add_person
from forebear.search.terms.record import record_terms, role_terms

# A bigger "household" is a ship or a workhouse: its people are not each other's family.
MAX_FAMILY = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPersona:
    """A persona of a record, by its position there, as terms."""

    record_key: str
    position: int
    terms: PersonaTerms


def write_terms(group: Sequence[Record], collection: Collection) -> list[WrittenPersona]:
    """Return every persona of a group of records that is searched for, as terms."""
    return [
        WrittenPersona(
            record_key=group[record].key,
            position=position,
            terms=frozenset().union(*fragments),
        )
        for record, position, fragments in write_fragments(group, collection)
    ]


def write_fragments(
    group: Sequence[Record], collection: Collection
) -> Iterator[tuple[int, int, list[Fragment]]]:
    """Yield the personas that are searched for: record's place, position and fragments."""
    everyone = [persona for record in group for persona in record.personas]
    is_family = 1 < len(everyone) <= MAX_FAMILY
    as_others = [other_terms(persona) for persona in everyone] if is_family else []
    number = -1
    for place, record in enumerate(group):
        shared = record_terms(record, collection)
        date = record.event.date
        year = date.last_year if date else None
        is_census = record.record_type == "census"
        for position, persona in enumerate(record.personas):
            number += 1
            if not persona.names or _has_own_record(record, persona):
                continue
            found = [*shared, *role_terms(record.collection, year, persona)]
            if is_family:
                found += as_others[:number]
                found += as_others[number + 1 :]
                others = everyone[:number] + everyone[number + 1 :]
                add_relatives(found, persona, others, is_census=is_census)
            add_life(found, record, persona)
            add_person(found, persona, year)
            yield place, position, found


def _has_own_record(record: Record, persona: Persona) -> bool:
    """Return whether a relative on a record of a tree has a record of the tree too.

    A person of a tree is searched for under that one, with all its dates.
    """
    return record.record_type == "family_tree" and bool(persona.key) and not persona.is_principal

"""A persona becomes terms: the person, their relatives on the record, the events, the record.

Everything is put together from fragments that are worked out once: those of the record
once a record, those of a name, place or date once for all records that have it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.records.collections import Collection
from forebear.records.personas import Persona
from forebear.records.record import Record
from forebear.search.terms.fields import PersonaTerms
from forebear.search.terms.fragments import Fragment
from forebear.search.terms.life import life_terms
from forebear.search.terms.people import kin_of, other_terms, relative_terms
from forebear.search.terms.person import person_terms
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
    """Return every named persona of a group of records as terms."""
    everyone = [persona for record in group for persona in record.personas]
    if len(everyone) > MAX_FAMILY:
        everyone = []
    as_others = [other_terms(persona) for persona in everyone]
    written = []
    for record in group:
        shared = record_terms(record, collection)
        for position, persona in enumerate(record.personas):
            if not persona.names:
                continue
            found = [*shared, *_people_terms(record, persona, everyone, as_others)]
            found += role_terms(record, persona)
            found += life_terms(record, persona)
            found += person_terms(persona, _year(record))
            terms: PersonaTerms = frozenset().union(*found)
            written.append(WrittenPersona(record_key=record.key, position=position, terms=terms))
    return written


def _people_terms(
    record: Record, persona: Persona, everyone: Sequence[Persona], as_others: Sequence[Fragment]
) -> list[Fragment]:
    others = [other for other in everyone if other is not persona]
    if not others:
        return []
    pairs = zip(everyone, as_others, strict=True)
    found = [fragment for other, fragment in pairs if other is not persona]
    is_census = record.record_type == "census"
    return found + relative_terms(persona, kin_of(persona, others), is_census=is_census)


def _year(record: Record) -> int | None:
    return record.event.date.last_year if record.event.date else None

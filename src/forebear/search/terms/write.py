"""A persona becomes terms: the person, their relatives on the record, the events, the record.

Everything is a union of fragments that are computed once: those of the record once a record, as
they are the same for everyone on it, those of a name, place or date once for all records that
have it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from forebear.normalize.place_levels import place_id
from forebear.normalize.words import text_words
from forebear.records.collections import Collection
from forebear.records.record import Event, Kin, Persona, Record
from forebear.search.terms.events import SUBJECTS, add_life
from forebear.search.terms.people import add_person, add_relatives, other_terms
from forebear.search.terms.term import (
    CACHED_NAMES,
    COLLECTION,
    PersonaTerms,
    Terms,
    by_identity,
    fragment,
)
from forebear.search.terms.values import bounded_date_terms, date_terms, place_terms

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
) -> Iterator[tuple[int, int, list[Terms]]]:
    """Yield the personas that are searched for: record's place, position and fragments."""
    everyone = [persona for record in group for persona in record.personas]
    is_family = 1 < len(everyone) <= MAX_FAMILY
    as_others = [other_terms(persona) for persona in everyone] if is_family else []
    number = -1
    for place, record in enumerate(group):
        shared = record_terms(record, collection)
        date = record.event.date
        year = date.last_year if date else None
        decade = "undated" if year is None else f"{year // 10}0"
        is_census = record.record_type == "census"
        for position, persona in enumerate(record.personas):
            number += 1
            if not persona.names or _has_separate_record(record, persona):
                continue
            role, kin, is_principal = persona.role, persona.kin, persona.is_principal
            fragments = [*shared, *_role_terms(record.collection, decade, role, kin, is_principal)]
            if is_family:
                fragments += as_others[:number]
                fragments += as_others[number + 1 :]
                others = everyone[:number] + everyone[number + 1 :]
                add_relatives(fragments, persona, others, is_census=is_census)
            add_life(fragments, record, persona)
            add_person(fragments, persona, year)
            yield place, position, fragments


def _has_separate_record(record: Record, persona: Persona) -> bool:
    """Return whether a relative on a record of a tree has a record of the tree too.

    A person of a tree is searched for under that one, with all its dates.
    """
    return record.record_type == "family_tree" and bool(persona.key) and not persona.is_principal


# Where people lived, landed or were born: other fields than the event have the place.
PLACED_ELSEWHERE = frozenset({"census", "residence", "immigration", "family_tree"})
WELL_SOURCED = 3


def record_terms(record: Record, collection: Collection) -> list[Terms]:
    """Return what the record gives everyone on it."""
    fragments = [_coverage(collection), _collection(record.collection)]
    _add_event(fragments, record, record.event, collection)
    words = [record.text] if record.text else []
    if record.event.detail:
        words.append(record.event.detail)
    for event in record.events:
        if event.kind not in SUBJECTS:  # banns, a registration, the will before its grant
            _add_event(fragments, record, event, collection)
        if event.detail:
            words.append(event.detail)
    if record.subtype:
        fragments.append(_subtype_terms(record.subtype))
    if words:
        fragments.append(fragment("record.text", text_words(" ".join(words))))
    if record.citation and record.record_type == "family_tree":
        fragments.append(_sources(record.citation))
    return fragments


@lru_cache(maxsize=CACHED_NAMES)
def _role_terms(
    collection: str, decade: str, role: str, kin: Kin, is_principal: bool
) -> tuple[Terms, Terms]:
    """Return what the record calls the persona, and the part of the archive they are in."""
    also = ("parent" if kin == "parent" else "", "principal" if is_principal else "")
    named = fragment("record.role", dict.fromkeys((role, *also)))
    return named, fragment("record.part", [f"{collection}/{decade}/{role}"])


@by_identity
def _coverage(collection: Collection) -> Terms:
    return fragment("record.coverage", (place_id(place.levels) for place in collection.places))


@lru_cache(maxsize=1024)
def _collection(collection: str) -> Terms:
    return (f"{COLLECTION}={collection}",)


@lru_cache(maxsize=CACHED_NAMES)
def _subtype_terms(subtype: str) -> Terms:
    """Return the finer type; a notice of any kind is a notice too."""
    name = subtype.lower()
    general = name.rpartition(" ")[2] if name.endswith(" notice") else ""
    return fragment("record.subtype", dict.fromkeys((subtype, general)))


def _add_event(
    fragments: list[Terms], record: Record, event: Event, collection: Collection
) -> None:
    date = event.date
    if date is not None and (date.start is None or date.end is None):
        bounds = (collection.first_year, collection.last_year)
        fragments.append(bounded_date_terms("event", date, *bounds))
    elif date is not None:
        fragments.append(_event_date(date))
    if event.place is not None and record.record_type not in PLACED_ELSEWHERE:
        fragments.append(_event_place(event.place))


_event_date = by_identity(partial(date_terms, "event"))
_event_place = by_identity(partial(place_terms, "event.place"))


def _sources(citation: str) -> Terms:
    """Return how well a tree is sourced; its citations are separated by semicolons."""
    count = sum(1 for source in citation.split(";") if source.strip())
    return fragment("record.sources", ["any", "three"] if count >= WELL_SOURCED else ["any"])

"""A query from a person on a record: everything the record says of them.

So a person of a tree is searched for, and so one record leads to the others of the same
person.  What the record says of the person's life becomes events, those around them
become relatives, an age becomes a year of birth.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

from forebear.records.record import (
    Event,
    HistoricalDate,
    Persona,
    Record,
    Relation,
    Sex,
    relation_between,
)
from forebear.search.query.person_query import LifeEvent, PersonQuery, Relative, query_to_json

# An unmarked parent may be either; as "other" the name still counts.
RELATIVES: dict[tuple[Relation, Sex | None], str] = {
    ("parent", "m"): "father",
    ("parent", "f"): "mother",
    ("spouse_parent", "m"): "spouse_father",
    ("spouse_parent", "f"): "spouse_mother",
    **{("spouse", sex): "spouse" for sex in ("m", "f", None)},
    **{("child", sex): "child" for sex in ("m", "f", None)},
    **{("sibling", sex): "sibling" for sex in ("m", "f", None)},
}
# At these everyone on the record was there; at the others only those it is about.
SHARED_EVENTS = ("residence", "arrival")
VITAL = ("birth", "baptism", "death", "burial")


def query_from_persona(record: Record, position: int, *, query_id: str = "") -> PersonQuery:
    """Return what is known of the persona at this position of a record, as a query."""
    persona = record.personas[position]
    others = [other for i, other in enumerate(record.personas) if i != position]
    query = PersonQuery(
        id=query_id,
        names=tuple(name for name in persona.names if name.given or name.surname),
        sex=persona.sex,
        events=tuple(_life_events(_own_events(record, persona))),
        relatives=tuple(_relatives(persona, others)),
        occupation=persona.occupation,
        religion=persona.religion,
    )
    return replace(query, source=json.dumps(query_to_json(query), ensure_ascii=False))


def _own_events(record: Record, persona: Persona) -> Iterator[Event]:
    stated = {event.kind for event in persona.events if event.date or event.place}
    yield from persona.events
    if record.event.kind not in stated and (
        persona.is_principal or record.event.kind in SHARED_EVENTS
    ):
        stated.add(record.event.kind)
        yield record.event
    if "birth" not in stated and persona.age and persona.age.born_from and persona.age.born_to:
        yield Event(kind="birth", date=_born(persona))


def _born(persona: Persona) -> HistoricalDate | None:
    age = persona.age
    if age is None or age.born_from is None or age.born_to is None:
        return None
    first, last = age.born_from, age.born_to
    text = str(first.year) if first.year == last.year else f"bet {first.year} and {last.year}"
    return HistoricalDate(text=text, start=first, end=last)


def _life_events(events: Iterable[Event]) -> Iterator[LifeEvent]:
    for event in events:
        date = event.date if event.date and event.date.is_known else None
        if date or event.place:
            yield LifeEvent(
                kind=event.kind,
                date=date,
                place=event.place,
                address=event.address,
                ship=event.detail if event.kind == "arrival" else "",
            )


def _relatives(persona: Persona, others: Iterable[Persona]) -> Iterator[Relative]:
    for other in others:
        kind = RELATIVES.get((relation_between(persona, other), other.sex), "other")
        birth = other.event("birth")
        for name in other.names[:1]:
            yield Relative(
                kind=kind,
                given=name.given,
                surname=name.surname,
                occupation=other.occupation,
                birthplace=birth.place if birth else None,
                events=tuple(_life_events(e for e in other.events if e.kind in VITAL)),
            )

"""Records and collections as JSON text, and back.

What is empty is left out, and the headings of a source table, which every row of it
repeats, are kept apart.
"""

import json
from typing import Any

from forebear.records.collections import Collection
from forebear.records.dates import Day, HistoricalDate
from forebear.records.events import Event
from forebear.records.names import Name
from forebear.records.personas import Age, Persona, Relative
from forebear.records.places import Place
from forebear.records.record import Record


def encode_record(record: Record) -> tuple[str, str]:
    """Return a record as JSON, and apart from it the headings of its row."""
    value = _filled(
        collection=record.collection,
        id=record.id,
        record_type=record.record_type,
        subtype=record.subtype,
        group=record.group,
        event=_from_event(record.event),
        personas=[_from_persona(persona) for persona in record.personas],
        text=record.text,
        source=record.source,
        row=[cell for _, cell in record.row],
        events=[_from_event(event) for event in record.events],
        citation=record.citation,
        image=record.image,
    )
    return _dump(value), _dump([column for column, _ in record.row])


def decode_record(text: str, headings: str) -> Record:
    """Return the record that a JSON text and its headings describe."""
    value = json.loads(text)
    value["event"] = _event(value["event"])
    value["personas"] = tuple(_persona(persona) for persona in value.get("personas", ()))
    value["events"] = tuple(_event(event) for event in value.get("events", ()))
    value["row"] = tuple(zip(json.loads(headings), value.get("row", ()), strict=True))
    return Record(**value)


def encode_collection(collection: Collection) -> str:
    """Return a collection as JSON."""
    return _dump(
        _filled(
            name=collection.name,
            title=collection.title,
            record_type=collection.record_type,
            places=[_from_place(place) for place in collection.places],
            first_year=collection.first_year,
            last_year=collection.last_year,
            licence=collection.licence,
            embargo_years=collection.embargo_years,
            subtype=collection.subtype,
            one_per_person=collection.one_per_person,
        )
    )


def decode_collection(text: str) -> Collection:
    """Return the collection that a JSON text describes."""
    value = json.loads(text)
    value["places"] = tuple(_place(place) for place in value.get("places", ()))
    return Collection(**value)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _filled(**items: Any) -> dict[str, Any]:
    return {key: item for key, item in items.items() if item not in (None, "", [], False)}


def _from_persona(persona: Persona) -> dict[str, Any]:
    return _filled(
        role=persona.role,
        kin=persona.kin,
        names=[_from_name(name) for name in persona.names],
        sex=persona.sex,
        age=_from_age(persona.age) if persona.age else None,
        events=[_from_event(event) for event in persona.events],
        occupation=persona.occupation,
        marital=persona.marital,
        religion=persona.religion,
        is_principal=persona.is_principal,
        key=persona.key,
        relatives=[[relative.key, relative.relation] for relative in persona.relatives],
        attributes=[list(attribute) for attribute in persona.attributes],
    )


def _from_name(name: Name) -> dict[str, Any]:
    return _filled(
        given=name.given,
        surname=name.surname,
        kind=name.kind,
        suffix=name.suffix,
        title=name.title,
        prefix=name.prefix,
        patronymic=name.patronymic,
        nickname=name.nickname,
    )


def _from_age(age: Age) -> dict[str, Any]:
    return {"text": age.text, "born_from": age.born_from, "born_to": age.born_to}


def _from_event(event: Event) -> dict[str, Any]:
    return _filled(
        kind=event.kind,
        date=_from_date(event.date) if event.date else None,
        place=_from_place(event.place) if event.place else None,
        address=event.address,
        detail=event.detail,
    )


def _from_date(date: HistoricalDate) -> dict[str, Any]:
    return _filled(
        text=date.text,
        start=date.start,
        end=date.end,
        qualifier=date.qualifier,
        precision=date.precision,
        written_year=date.written_year,
    )


def _from_place(place: Place) -> dict[str, Any]:
    return _filled(text=place.text, levels=list(place.levels))


def _persona(value: dict[str, Any]) -> Persona:
    value["names"] = tuple(Name(**name) for name in value.get("names", ()))
    value["events"] = tuple(_event(event) for event in value.get("events", ()))
    value["relatives"] = tuple(
        Relative(key=key, relation=relation) for key, relation in value.get("relatives", ())
    )
    value["attributes"] = tuple(tuple(pair) for pair in value.get("attributes", ()))
    if "age" in value:
        age = value["age"]
        value["age"] = Age(
            text=age.get("text", ""),
            born_from=_day(age.get("born_from")),
            born_to=_day(age.get("born_to")),
        )
    return Persona(**value)


def _event(value: dict[str, Any]) -> Event:
    return Event(
        kind=value["kind"],
        date=_date(value["date"]) if "date" in value else None,
        place=_place(value["place"]) if "place" in value else None,
        address=value.get("address", ""),
        detail=value.get("detail", ""),
    )


def _date(value: dict[str, Any]) -> HistoricalDate:
    value["start"], value["end"] = _day(value.get("start")), _day(value.get("end"))
    return HistoricalDate(**{"text": "", **value})


def _day(value: list[int] | None) -> Day | None:
    return None if value is None else Day(*value)


def _place(value: dict[str, Any]) -> Place:
    return Place(text=value.get("text", ""), levels=tuple(value.get("levels", ())))

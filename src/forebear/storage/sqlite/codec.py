"""Records and collections as JSON text, and back.

What is empty is left out, and the headings of a source table, which every row of it
repeats, are kept apart.
"""

import json
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring as _quote
from typing import Any

from forebear.records.collections import Collection
from forebear.records.record import (
    Age,
    Day,
    Event,
    HistoricalDate,
    Name,
    Persona,
    Place,
    Record,
    Relative,
)
from forebear.search.terms.fragments import by_identity


def encode_record(record: Record) -> str:
    """Return a record as JSON, without the headings of its row."""
    text = f'{{"collection":{_quote(record.collection)},"id":{_quote(record.id)}'
    text += f',"record_type":"{record.record_type}","event":{_from_event(record.event)}'
    text += f',"personas":[{",".join(map(_from_persona, record.personas))}]'
    text += f',"source":{_quote(record.source)}'
    text += f',"row":[{",".join([_quote(cell) for _, cell in record.row])}]'
    if record.subtype:
        text += f',"subtype":{_quote(record.subtype)}'
    if record.group:
        text += f',"group":{_quote(record.group)}'
    if record.text:
        text += f',"text":{_quote(record.text)}'
    if record.events:
        text += f',"events":[{",".join(map(_from_event, record.events))}]'
    if record.citation:
        text += f',"citation":{_quote(record.citation)}'
    if record.image:
        text += f',"image":{_quote(record.image)}'
    return text + "}"


def encode_headings(columns: Sequence[str]) -> str:
    """Return the headings of a row as JSON."""
    return _dump(columns)


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
            places=[{"text": place.text, "levels": place.levels} for place in collection.places],
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


# Records are many, so their JSON is put together from strings, without values in between.


def _object(parts: Iterable[str]) -> str:
    return f"{{{''.join(parts)[1:]}}}"


def _text(key: str, value: str | None) -> str:
    return f',"{key}":{_quote(value)}' if value else ""


def _list(key: str, values: Iterable[str]) -> str:
    items = ",".join(values)
    return f',"{key}":[{items}]' if items else ""


def _from_persona(persona: Persona) -> str:
    text = f'{{"role":{_quote(persona.role)},"kin":"{persona.kin}"'
    if persona.names:
        text += f',"names":[{",".join(map(_from_name, persona.names))}]'
    if persona.sex:
        text += f',"sex":"{persona.sex}"'
    if persona.age:
        text += f',"age":{_from_age(persona.age)}'
    if persona.events:
        text += f',"events":[{",".join(map(_from_event, persona.events))}]'
    if persona.occupation:
        text += f',"occupation":{_quote(persona.occupation)}'
    if persona.marital:
        text += f',"marital":{_quote(persona.marital)}'
    if persona.religion:
        text += f',"religion":{_quote(persona.religion)}'
    if persona.is_principal:
        text += ',"is_principal":true'
    if persona.key:
        text += f',"key":{_quote(persona.key)}'
    if persona.relatives:
        relatives = [f'[{_quote(each.key)},"{each.relation}"]' for each in persona.relatives]
        text += f',"relatives":[{",".join(relatives)}]'
    if persona.attributes:
        pairs = [f"[{_quote(name)},{_quote(value)}]" for name, value in persona.attributes]
        text += f',"attributes":[{",".join(pairs)}]'
    return text + "}"


def _from_name(name: Name) -> str:
    text = f'"given":{_quote(name.given)},' if name.given else ""
    if name.surname:
        text += f'"surname":{_quote(name.surname)},'
    text += f'"kind":"{name.kind}"'
    if name.suffix or name.title or name.prefix or name.patronymic or name.nickname:
        text += _text("suffix", name.suffix) + _text("title", name.title)
        text += _text("prefix", name.prefix) + _text("patronymic", name.patronymic)
        text += _text("nickname", name.nickname)
    return f"{{{text}}}"


@by_identity
def _from_age(age: Age) -> str:
    text, born_from, born_to = _quote(age.text), _from_day(age.born_from), _from_day(age.born_to)
    return f'{{"text":{text},"born_from":{born_from},"born_to":{born_to}}}'


@by_identity
def _from_event(event: Event) -> str:
    return _object(
        [
            _text("kind", event.kind),
            f',"date":{_from_date(event.date)}' if event.date else "",
            f',"place":{_from_place(event.place)}' if event.place else "",
            _text("address", event.address),
            _text("detail", event.detail),
        ]
    )


@by_identity
def _from_date(date: HistoricalDate) -> str:
    return _object(
        [
            _text("text", date.text),
            f',"start":{_from_day(date.start)}' if date.start else "",
            f',"end":{_from_day(date.end)}' if date.end else "",
            f',"qualifier":"{date.qualifier}","precision":"{date.precision}"',
            "" if date.written_year is None else f',"written_year":{date.written_year}',
        ]
    )


def _from_day(day: Day | None) -> str:
    return f"[{day[0]},{day[1]},{day[2]}]" if day else "null"


@by_identity
def _from_place(place: Place) -> str:
    return _object([_text("text", place.text), _list("levels", map(_quote, place.levels))])


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

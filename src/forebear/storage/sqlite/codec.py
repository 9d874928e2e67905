"""Records and collections as JSON text, and back."""

import json
from dataclasses import asdict
from typing import Any

from forebear.records.collections import Collection
from forebear.records.dates import Day, HistoricalDate
from forebear.records.events import Event
from forebear.records.names import Name
from forebear.records.personas import Age, Persona
from forebear.records.places import Place
from forebear.records.record import Record


def encode(value: Record | Collection) -> str:
    """Return a record or collection as JSON; what is empty is left out."""
    return json.dumps(_lean(asdict(value)), ensure_ascii=False, separators=(",", ":"))


def decode_record(text: str) -> Record:
    """Return the record that a JSON text describes."""
    value = json.loads(text)
    value["event"] = _event(value["event"])
    value["personas"] = tuple(_persona(persona) for persona in value.get("personas", ()))
    value["row"] = tuple((column, cell) for column, cell in value.get("row", ()))
    return Record(**value)


def decode_collection(text: str) -> Collection:
    """Return the collection that a JSON text describes."""
    value = json.loads(text)
    value["places"] = tuple(_place(place) for place in value.get("places", ()))
    return Collection(**value)


def _lean(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lean(item) for key, item in value.items() if item not in (None, "", ())}
    if isinstance(value, (list, tuple)):
        return [_lean(item) for item in value]
    return value


def _persona(value: dict[str, Any]) -> Persona:
    value["names"] = tuple(Name(**name) for name in value.get("names", ()))
    value["events"] = tuple(_event(event) for event in value.get("events", ()))
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
    )


def _date(value: dict[str, Any]) -> HistoricalDate:
    value["start"], value["end"] = _day(value.get("start")), _day(value.get("end"))
    return HistoricalDate(**{"text": "", **value})


def _day(value: list[int] | None) -> Day | None:
    return None if value is None else Day(*value)


def _place(value: dict[str, Any]) -> Place:
    return Place(text=value.get("text", ""), levels=tuple(value.get("levels", ())))

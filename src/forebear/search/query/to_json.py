"""A query as JSON again: what the log keeps of a query that nobody typed as JSON."""

from typing import Any

from forebear.records.record import Name, Place
from forebear.search.query.from_json import LIST_KEYS, TEXT_KEYS
from forebear.search.query.person_query import LifeEvent, PersonQuery, Relative

SEX_WORDS = {"f": "female", "m": "male"}


def query_to_json(query: PersonQuery) -> dict[str, Any]:
    """Return the object that ``query_from_json`` reads as this query, dates as written."""
    return _filled(
        names=[_from_name(name) for name in query.names],
        sex=SEX_WORDS.get(query.sex or ""),
        events=[_from_event(event) for event in query.events],
        relatives=[_from_relative(relative) for relative in query.relatives],
        age={"at": query.age.at.text, "years": query.age.years} if query.age else None,
        filters=_from_filters(query.filters),
        **{key: getattr(query, key) for key in TEXT_KEYS},
        **{key: list(getattr(query, key)) for key in LIST_KEYS},
    )


def _from_filters(filters: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for facet, value in filters:
        values.setdefault(facet, []).append(value)
    return values


def _from_name(name: Name) -> dict[str, Any]:
    return _filled(
        given=name.given, surname=name.surname, kind=name.kind, suffix=name.suffix, title=name.title
    )


def _from_event(event: LifeEvent) -> dict[str, Any]:
    return _filled(
        kind=event.kind,
        date=event.date.text if event.date else "",
        place=_place_text(event.place),
        address=event.address,
        ship=event.ship,
    )


def _from_relative(relative: Relative) -> dict[str, Any]:
    return _filled(
        kind=relative.kind,
        given=relative.given,
        surname=relative.surname,
        occupation=relative.occupation,
        birthplace=_place_text(relative.birthplace),
        events=[_from_event(event) for event in relative.events],
    )


def _place_text(place: Place | None) -> str:
    return place.text if place else ""


def _filled(**items: Any) -> dict[str, Any]:
    return {key: item for key, item in items.items() if item}

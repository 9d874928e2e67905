"""The terms of the record itself: its own event, its kind, what it covers, its words.

They are the same for everybody on the record, so they are written once a record.
"""

from functools import lru_cache, partial

from forebear.normalize.places import place_id
from forebear.normalize.words import text_words
from forebear.records.collections import Collection
from forebear.records.record import Event, Persona, Record
from forebear.search.terms.dates import bounded_date_terms, date_terms
from forebear.search.terms.fields import COLLECTION
from forebear.search.terms.fragments import CACHED_NAMES, Fragment, by_identity, fragment
from forebear.search.terms.life import SUBJECTS
from forebear.search.terms.places import place_terms

# Where the own event is where people lived, landed or were born: other fields have the place.
PLACED_ELSEWHERE = frozenset({"census", "residence", "immigration", "family_tree"})
WELL_SOURCED = 3


def record_terms(record: Record, collection: Collection) -> list[Fragment]:
    """Return what the record gives everybody on it."""
    found = [_coverage(collection), _shelf(record.collection)]
    _add_event(found, record, record.event, collection)
    words = [record.text] if record.text else []
    if record.event.detail:
        words.append(record.event.detail)
    for event in record.events:
        if event.kind not in SUBJECTS:  # banns, a registration, the will before its grant
            _add_event(found, record, event, collection)
        if event.detail:
            words.append(event.detail)
    if record.subtype:
        found.append(_subtype_terms(record.subtype))
    if words:
        found.append(fragment("record.text", text_words(" ".join(words))))
    if record.citation and record.record_type == "family_tree":
        found.append(_sources(record.citation))
    return found


def role_terms(collection: str, year: int | None, persona: Persona) -> tuple[Fragment, Fragment]:
    """Return what the record calls the persona, and the part of the archive they stand in.

    ``year`` is that of the record.
    """
    role = _role_terms(persona.role, persona.kin == "parent", persona.is_principal)
    return role, _part(collection, year, persona.role)


@lru_cache(maxsize=CACHED_NAMES)
def _role_terms(role: str, is_parent: bool, is_principal: bool) -> Fragment:
    also = ("parent" if is_parent else "", "principal" if is_principal else "")
    return fragment("record.role", dict.fromkeys((role, *also)))


@lru_cache(maxsize=CACHED_NAMES)
def _part(collection: str, year: int | None, role: str) -> Fragment:
    decade = "undated" if year is None else f"{year // 10}0"
    return fragment("record.part", [f"{collection}/{decade}/{role}"])


@by_identity
def _coverage(collection: Collection) -> Fragment:
    return fragment("record.coverage", (place_id(place.levels) for place in collection.places))


@lru_cache(maxsize=1024)
def _shelf(collection: str) -> Fragment:
    return (f"{COLLECTION}={collection}",)


@lru_cache(maxsize=CACHED_NAMES)
def _subtype_terms(subtype: str) -> Fragment:
    """Return the finer type; a notice of any kind is a notice too."""
    name = subtype.lower()
    general = name.rpartition(" ")[2] if name.endswith(" notice") else ""
    return fragment("record.subtype", dict.fromkeys((subtype, general)))


def _add_event(found: list[Fragment], record: Record, event: Event, collection: Collection) -> None:
    date = event.date
    if date is not None and (date.start is None or date.end is None):
        bounds = (collection.first_year, collection.last_year)
        found.append(bounded_date_terms("event", date, *bounds))
    elif date is not None:
        found.append(_event_date(date))
    if event.place is not None and record.record_type not in PLACED_ELSEWHERE:
        found.append(_event_place(event.place))


_event_date = by_identity(partial(date_terms, "event"))
_event_place = by_identity(partial(place_terms, "event.place"))


def _sources(citation: str) -> Fragment:
    """Return how well a tree is sourced; its citations stand apart by semicolons."""
    count = len([each for each in citation.split(";") if each.strip()])
    return fragment("record.sources", ["any", "three"] if count >= WELL_SOURCED else ["any"])

"""The terms of a place: its id, those of the places around it, and its words; of an address.

Words are always written, so that a place nobody can resolve is neither missing nor in
conflict.  A place of no known country lies "nowhere", an id beside those of its ancestors.
"""

import re
from functools import lru_cache

from forebear.normalize.places import (
    ancestor_ids,
    clean_level,
    ids_by_level,
    level_words,
    place_words,
)
from forebear.records.record import Place
from forebear.search.terms.fields import NOWHERE
from forebear.search.terms.fragments import CACHED_PLACES, NOTHING, Fragment, fragment

_STREET = re.compile(
    r".*\b(?:street|road|lane|row|terrace|square|court|place|alley|avenue|yard|crescent|"
    r"buildings|cottages|gardens|hill|quay|wharf|boulevard)"
)
_HOUSE = re.compile(r"(?:no\s+)?([0-9]+[a-z]?)(?:\s*-\s*[0-9]+)?\s+(.+)")
# These fields have no words beside them.
WORDLESS = frozenset(
    {"father.birthplace", "mother.birthplace", "burial.place", "self.nationality"}
    | {f"{event}.place" for event in ("arrival", "departure", "destination")}
)


@lru_cache(maxsize=CACHED_PLACES)
def place_terms(field: str, place: Place) -> Fragment:
    """Return what a place gives a field."""
    ids = ancestor_ids(place)
    found = fragment(field, ids if ids_by_level(place) else (*ids, NOWHERE))
    if field not in WORDLESS:
        found += fragment(f"{field}.word", place_words(place.text))
    if field == "residence.place" and _STREET.fullmatch(place.levels[0]):
        found += fragment("residence.address", street_forms(place.levels[0]))
    return found


@lru_cache(maxsize=CACHED_PLACES)
def address_terms(text: str) -> Fragment:
    """Return what a street address gives: the street, house and street, and their words."""
    words = tuple(word for level in text.split(",") for word in level_words(clean_level(level)))
    if not words:
        return NOTHING
    forms = fragment("residence.address", street_forms(text))
    return forms + fragment("residence.place.word", dict.fromkeys(words))


def street_forms(text: str) -> tuple[str, ...]:
    """Return the street, and where a number is given the house in it.

    >>> street_forms("12 High St."), street_forms("Thwaite Farm")
    (('high street', '12 high street'), ('thwaite farm',))
    """
    pieces = [clean_level(piece) for piece in text.split(",")]
    level = " ".join(piece for piece in pieces[:2] if piece) if pieces[0].isdigit() else pieces[0]
    house = _HOUSE.fullmatch(level)
    if house is None:
        return (level,) if level else ()
    return house[2], f"{house[1]} {house[2]}"

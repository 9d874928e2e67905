"""The terms of what else a record says of a person: title, nation, unit, number, ship.

A source names its columns as it likes; ``tables/attributes.csv`` says which of those names mean
one of our fields.  What it does not know goes to the words of the record, where a keyword
finds it.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.places import place_id, read_place
from forebear.normalize.regions import level_key
from forebear.normalize.spelling import normalize_name
from forebear.normalize.words import nation_of, occupations_of, text_words
from forebear.search.terms.fragments import CACHED_NAMES, NOTHING, Fragment, fragment
from forebear.search.terms.places import place_terms
from forebear.tables import read_table

_SHIP = re.compile(r"^(?:the|s\.?s\.?|r\.?m\.?s\.?|h\.?m\.?s\.?|steamer|steamship|ship|barque)\s+")
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
_COUNT = re.compile(r"[0-9]{1,2}")


class Attribute(NamedTuple):
    """What an attribute's name means; ``kind`` is the finer kind, or the field it goes to."""

    meaning: str
    kind: str


@lru_cache(maxsize=CACHED_NAMES)
def attribute_terms(name: str, text: str, year: int | None) -> Fragment:
    """Return what an attribute gives; ``year`` is that of the record, for spans counted back."""
    known = attribute_named(name)
    if known is None:
        return NOTHING
    if known.meaning == "title":
        return title_terms(text)
    if known.meaning == "nationality":
        nation = nation_of(text)
        return fragment("self.nationality", [place_id([nation])] if nation else [])
    if known.meaning == "organization":
        return fragment("self.organization", organization_words(text))
    if known.meaning == "identifier":
        return fragment("self.identifier", [f"{known.kind}:{identifier_key(text)}"])
    if known.meaning == "ship":
        return fragment("arrival.ship", [ship_name(text)])
    if known.meaning == "place":
        place = read_place(text).place
        return place_terms(known.kind, place) if place else NOTHING
    return _year_terms(known, text, year)


def _year_terms(known: Attribute, text: str, year: int | None) -> Fragment:
    if known.meaning == "year":
        stated = _YEAR.findall(text)
        return fragment(f"{known.kind}.date", stated) + fragment(f"{known.kind}.year", stated)
    count = _COUNT.fullmatch(text.strip())
    if count is None or year is None:
        return NOTHING
    wedding = year - int(count[0])
    return fragment("marriage.year", (wedding - 1, wedding))


@lru_cache(maxsize=CACHED_NAMES)
def title_terms(text: str) -> Fragment:
    """Return what a title gives: the whole, and each of its words."""
    return fragment("self.title", title_words(text))


def title_words(text: str) -> tuple[str, ...]:
    """Return a title as it is matched: the whole of it, then word by word, without points.

    >>> title_words("Rev. Dr.")
    ('rev dr', 'rev', 'dr')
    """
    whole = normalize_name(text).replace(".", "")
    return tuple(dict.fromkeys(word for word in (whole, *whole.split()) if word))


@lru_cache(maxsize=CACHED_NAMES)
def occupation_terms(field: str, text: str) -> Fragment:
    """Return what an occupation gives a field: the trade and its group."""
    found = occupations_of(text)
    return fragment(field, dict.fromkeys(word for trade in found for word in trade))


def organization_words(text: str) -> tuple[str, ...]:
    """Return the words that tell a unit, employer, school or society from others.

    >>> organization_words("21st Regiment of Royal North British Fusiliers")
    ('21st', 'north', 'british', 'fusiliers')
    """
    return tuple(word for word in text_words(text) if word not in _common_words())


def identifier_key(text: str) -> str:
    """Return an official number as it is compared: letters and digits only.

    >>> identifier_key("No. 10/345-A")
    '10345a'
    """
    return "".join(re.findall(r"[a-z0-9]+", re.sub(r"^\s*no\b", "", text.lower())))


def ship_name(text: str) -> str:
    """Return a ship's name without what kind of ship it is.

    >>> ship_name("S.S. Etruria"), ship_name("the Royal Queen")
    ('etruria', 'royal queen')
    """
    return level_key(_SHIP.sub("", normalize_name(text)))


@cache
def identifier_kinds() -> tuple[str, ...]:
    """Return the kinds of official numbers."""
    known = (each for each in _attributes().values() if each.meaning == "identifier")
    return tuple(dict.fromkeys(each.kind for each in known))


@cache
def attribute_named(name: str) -> Attribute | None:
    """Return what an attribute of this name means, or None if no field is meant."""
    return _attributes().get(" ".join(name.lower().replace("_", " ").split()))


@cache
def _attributes() -> dict[str, Attribute]:
    rows = read_table("search/attributes")
    return {row["attribute"]: Attribute(row["meaning"], row["kind"]) for row in rows}


@cache
def _common_words() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("search/organization_words"))

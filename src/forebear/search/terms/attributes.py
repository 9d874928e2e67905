"""Which terms does anything else give: a title, occupation, nation, unit, number, ship?

A source names its columns as it likes; ``tables/attributes.csv`` says which of those names mean
one of our fields.  What is not in it goes to the words of the record, where a keyword
finds it.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.place_levels import place_id
from forebear.normalize.places import read_place
from forebear.normalize.regions import level_key
from forebear.normalize.spelling import normalize_name
from forebear.normalize.words import nation_of, occupations_of, text_words
from forebear.search.terms.term import CACHED_NAMES, NOTHING, Terms, fragment
from forebear.search.terms.values import place_terms
from forebear.tables import read_table

_SHIP = re.compile(r"^(?:the|s\.?s\.?|r\.?m\.?s\.?|h\.?m\.?s\.?|steamer|steamship|ship|barque)\s+")
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
_COUNT = re.compile(r"[0-9]{1,2}")


class Attribute(NamedTuple):
    """What an attribute's name means; ``kind`` is the finer kind, or the field it goes to."""

    meaning: str
    kind: str


@lru_cache(maxsize=CACHED_NAMES)
def attribute_terms(name: str, text: str, year: int | None) -> Terms:
    """Return what an attribute gives; ``year`` is that of the record, for spans counted back."""
    attribute = attribute_named(name)
    if attribute is None:
        return NOTHING
    if attribute.meaning == "title":
        return title_terms(text)
    if attribute.meaning == "nationality":
        nation = nation_of(text)
        return fragment("self.nationality", [place_id([nation])] if nation else [])
    if attribute.meaning == "organization":
        return fragment("self.organization", organization_words(text))
    if attribute.meaning == "identifier":
        return fragment("self.identifier", [f"{attribute.kind}:{identifier_key(text)}"])
    if attribute.meaning == "ship":
        return fragment("arrival.ship", [ship_name(text)])
    if attribute.meaning == "place":
        place = read_place(text).place
        return place_terms(attribute.kind, place) if place else NOTHING
    return _year_terms(attribute, text, year)


def _year_terms(attribute: Attribute, text: str, year: int | None) -> Terms:
    if attribute.meaning == "year":
        stated = _YEAR.findall(text)
        return fragment(f"{attribute.kind}.date", stated) + fragment(
            f"{attribute.kind}.year", stated
        )
    count = _COUNT.fullmatch(text.strip())
    if count is None or year is None:
        return NOTHING
    married = year - int(count[0])
    return fragment("marriage.year", (married - 1, married))


@lru_cache(maxsize=CACHED_NAMES)
def title_terms(text: str) -> Terms:
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
def occupation_terms(field: str, text: str) -> Terms:
    """Return what an occupation gives a field: the occupation and its group."""
    words = (word for occupation in occupations_of(text) for word in occupation)
    return fragment(field, dict.fromkeys(words))


def organization_words(text: str) -> tuple[str, ...]:
    """Return the words that distinguish a unit, employer, school or society.

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
    attributes = _attributes().values()
    return tuple(dict.fromkeys(a.kind for a in attributes if a.meaning == "identifier"))


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

"""Where is a place, and when are two places the same?

A place is its levels, from small to large, as commas or columns give them.  There is no
gazetteer behind it: a place is known by its name within its county and country, so the id
of a place is its levels from itself upward.  A county code, a county or a state tells the
country where none was named.

Levels keep what the text says.  Ids go one step further, so that spellings of one place
meet: without accents and the word "county", a riding as Yorkshire, and England without the
United Kingdom.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from forebear.normalize.place_levels import clean_level, level_key, level_words
from forebear.normalize.regions import (
    Region,
    country_named,
    county_around,
    has_states,
    is_british,
    region_coded,
    region_named,
)
from forebear.records.record import Place

_NO_IDS: Mapping[str, str] = MappingProxyType({})


def parse_place(*parts: str, country: str = "") -> Place | None:
    """Return the place that the parts name, small to large, or None if they name none.

    ``country`` is where places lie that say nothing else.

    >>> parse_place("St Mary", "Midsomer Norton", "SOM").levels
    ('saint mary', 'midsomer norton', 'somerset', 'england')
    >>> parse_place("-", "INC") is None
    True
    """
    pieces = [piece.strip() for part in parts for piece in part.split(",")]
    named = _small_to_large(_with_house_numbers([piece for piece in pieces if _names(piece)]))
    if not named:
        return None
    default = country_named(country) or clean_level(country)
    text = ", ".join(part.strip() for part in parts if part.strip())
    return Place(text=text, levels=tuple(_levels(named, default)))


def place_id(levels: Sequence[str]) -> str:
    """Return the id of the place with these levels.

    >>> place_id(["layham", "suffolk", "england"])
    'p:layham,suffolk,england'
    """
    return "p:" + ",".join(_canonical(levels))


@lru_cache(maxsize=100_000)
def ancestor_ids(place: Place) -> tuple[str, ...]:
    """Return the ids of the place and of every place around it, its own first."""
    names = _canonical(place.levels)
    return tuple("p:" + ",".join(names[start:]) for start in range(len(names)))


@lru_cache(maxsize=100_000)
def ids_by_level(place: Place) -> Mapping[str, str]:
    """Return the ids of the place's country, state, county and town, those it has.

    The town is what lies next below the county; a church or street lies below the town.
    """
    names = _canonical(place.levels)
    if not names or country_named(names[-1]) is None:
        return _NO_IDS
    kinds = ["country", "county", "town"]
    if has_states(names[-1]):
        kinds.insert(1, "state")
    elif is_british(names[-1]) and len(names) > 1 and not _is_county(names[-2], names[-1]):
        kinds.remove("county")
    return MappingProxyType(dict(zip(kinds, reversed(ancestor_ids(place)), strict=False)))


@lru_cache(maxsize=100_000)
def place_words(text: str) -> tuple[str, ...]:
    """Return the words of a place as written, county codes in full, without "of", "near" ...

    >>> place_words("near Stoke upon Trent, STS")
    ('stoke', 'upon', 'trent', 'staffordshire')
    """
    levels = []
    for piece in text.split(","):
        region = region_coded(piece.strip())
        levels.append(region.name if region else country_named(piece) or clean_level(piece))
    return tuple(dict.fromkeys(word for level in levels for word in level_words(level)))


def _names(piece: str) -> bool:
    return bool(clean_level(piece) or country_named(piece))


def _with_house_numbers(pieces: list[str]) -> list[str]:
    """Join a house number to the street that follows it."""
    text = ",".join(pieces)
    return re.sub(r"(^|,)([0-9]+[a-z]?),(?=.)", r"\1\2 ", text).split(",") if text else []


def _small_to_large(pieces: list[str]) -> list[str]:
    if len(pieces) > 1 and country_named(pieces[0]) and not _region_or_country(pieces[-1]):
        return pieces[::-1]
    return pieces


def _region_or_country(piece: str) -> bool:
    return bool(country_named(piece) or region_coded(piece) or region_named(piece))


def _levels(pieces: list[str], default: str) -> list[str]:
    """Return the clean levels, with the country that the last of them tells."""
    stated = country_named(pieces[-1])
    below = pieces[:-1] if stated else pieces
    region = _region(below, stated or default)
    levels = [clean_level(piece) for piece in below]
    if region and level_key(levels[-1]) != level_key(region.name):
        levels[-1] = region.name  # an abbreviation, in full
    country = stated or (region.country if region else default)
    return [*levels, country] if country else levels


def _region(pieces: list[str], country: str) -> Region | None:
    """Return the county or state that the last piece names; a letter or two alone name none."""
    if not pieces:
        return None
    coded = region_coded(pieces[-1])
    is_word = len(pieces) > 1 or len(pieces[0]) > 2 or bool(country)
    return coded or (region_named(pieces[-1], country=country) if is_word else None)


def _canonical(levels: Sequence[str]) -> list[str]:
    names = [level_key(level) for level in levels]
    if len(names) > 1 and names[-1] == "united kingdom":
        region = region_named(names[-2], country="united kingdom")
        if country_named(names[-2]):
            names.pop()
        elif region:
            names[-1] = region.country
    counties = [county_around(name) or name for name in names]
    following = [*counties[1:], ""]
    return [
        county
        for name, county, next_county in zip(names, counties, following, strict=True)
        if county == name or county != next_county  # "West Riding, Yorkshire" is one county
    ]


def _is_county(name: str, country: str) -> bool:
    region = region_named(name)
    return region is not None and region.country == country

"""Which county, state or country does a word name?

Counties of the British Isles have Chapman codes, three capitals (SOM is Somerset, WRY the West
Riding of Yorkshire).  A code is known by its capitals, for Cam and Ayr are places too.  Counties
and states are also known by name and by the usual abbreviations, and tell their country.
"""

from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.place_levels import clean_level, level_key
from forebear.tables import read_table


class Region(NamedTuple):
    """A county or state, and the country it lies in; names are clean levels."""

    name: str
    country: str


def country_named(text: str) -> str | None:
    """Return the clean name of the country that the text names or abbreviates.

    >>> country_named("U.S.A."), country_named("SCT"), country_named("Suffolk")
    ('united states', 'scotland', None)
    """
    region = _codes().get(text)
    if region and not region.name:
        return region.country
    return _country_names().get(_key(text))


def region_coded(text: str) -> Region | None:
    """Return the county that the text is the Chapman code of."""
    region = _codes().get(text)
    return region if region and region.name else None


def region_named(text: str, *, country: str = "") -> Region | None:
    """Return the county or state that the text names, in that country if one is given.

    >>> region_named("Wilts"), region_named("Suffolk", country="united states")
    (Region(name='wiltshire', country='england'), None)
    """
    region = _region_names().get(_key(text))
    fits = region and (not country or region.country == country or _are_british(region, country))
    return region if fits else None


@cache
def is_british(country: str) -> bool:
    """Say whether the country's counties have Chapman codes."""
    return any(region.country == country for region in _codes().values())


def has_states(country: str) -> bool:
    """Say whether a state stands between the county and the country."""
    return country in _countries_with_states()


def county_around(name: str) -> str | None:
    """Return the key of the old county that a riding or a modern county is part of."""
    return _old_counties().get(_key(name))


def _are_british(region: Region, country: str) -> bool:
    return is_british(region.country) and (is_british(country) or country == "united kingdom")


@cache
def _codes() -> dict[str, Region]:
    return {
        row["code"]: Region(clean_level(row["county"]), clean_level(row["country"]))
        for row in read_table("normalize/chapman_codes")
    }


@cache
def _country_names() -> dict[str, str]:
    return {
        _key(name): clean_level(row["country"])
        for row in read_table("normalize/countries")
        for name in (row["country"], *row["aliases"].split("|"))
        if name
    }


@cache
def _region_names() -> dict[str, Region]:
    rows = [(row["state"], row) for row in read_table("normalize/states")]
    rows += [(row["county"], row) for row in read_table("normalize/chapman_codes") if row["county"]]
    return {
        _key(alias): Region(clean_level(name), clean_level(row["country"]))
        for name, row in rows
        for alias in (name, *row["aliases"].split("|"))
        if alias
    }


@cache
def _countries_with_states() -> frozenset[str]:
    rows = read_table("normalize/countries")
    return frozenset(clean_level(row["country"]) for row in rows if row["has_states"])


@cache
def _old_counties() -> dict[str, str]:
    rows = read_table("normalize/chapman_codes")
    return {
        _key(name): _key(row["within"])
        for row in rows
        for name in (row["county"], *row["aliases"].split("|"))
        if name and row["within"]
    }


@lru_cache(maxsize=65_536)
def _key(text: str) -> str:
    return level_key(clean_level(text))

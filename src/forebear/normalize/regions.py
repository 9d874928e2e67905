"""Which county, state, province or country does a word name, and which places share a name?

All regions are one table, ``places/regions``.  Counties of the British Isles have Chapman codes,
three capitals (SOM is Somerset, WRY the West Riding of Yorkshire).  A code is recognized by its
capitals, for Cam and Ayr are places too.  Counties, states and countries are also known by name,
by other names and by the usual abbreviations.

A county or state implies its country, which becomes a level of a place.  A province implies only
the country's code of today: its country has names in several languages (Bayern lies in Deutschland
or in Germany), and the text did not choose one.  Of several regions with one name the first of
the table is meant.

The table ``places/namesakes`` has the names that towns of some size, or counties below these
regions, bear in other countries, and those that towns in several states of one country bear
(Portland).  For a name that is a region too it also says which counties and states have a town or
county of that name (Washington in Pennsylvania), and in which countries a town shares the name of
its region (Sevilla).  A name is compared with its like: a country or state only with other regions,
for a clerk who writes "Mexico" does not mean the town in Missouri; a county with regions and
counties; any other name with towns and counties.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from anyascii import anyascii

from forebear.tables import read_table

_COUNTRIES = frozenset({"country", "federation"})
_COUNTIES = frozenset({"county", "state"})
_CHAPMAN_LENGTH = 3


class Region(NamedTuple):
    """A row of the table; levels are in lower case, as those of a place."""

    name: str
    kind: str  # country, federation (a country of states), county or state
    within: str  # the old county around a riding or a modern county, as a level; mostly ""
    country: str  # the country as a level
    country_code: str  # ISO 3166-1 alpha-2; "" if it lies in several countries of today
    short: frozenset[str]  # keys of its abbreviations

    @property
    def is_country(self) -> bool:
        """Return whether this is a country and not a part of one."""
        return self.kind in _COUNTRIES

    @property
    def level(self) -> str:
        """Return the name as a level of a place."""
        return self.country if self.is_country else self.name.lower()


@lru_cache(maxsize=65_536)
def level_key(level: str) -> str:
    """Return what levels of the same name share: ASCII words, without "county".

    >>> level_key("québec"), level_key("newcastle-upon-tyne"), level_key("county cork")
    ('quebec', 'newcastle upon tyne', 'cork')
    """
    ascii_level = level if level.isascii() else anyascii(level)
    words = re.findall(r"[a-z0-9]+", ascii_level.lower().replace("'", ""))
    if len(words) > 1 and "county" in (words[0], words[-1]):
        words = words[1:] if words[0] == "county" else words[:-1]
    return " ".join(words)


def country_named(text: str) -> str | None:
    """Return the country that the text names or abbreviates, as a level of a place.

    >>> country_named("U.S.A."), country_named("SCT"), country_named("Suffolk")
    ('united states', 'scotland', None)
    """
    country = find_country(text)
    return country.country if country else None


def find_country(text: str) -> Region | None:
    """Return the row of the country that the text names, abbreviates or has the code of."""
    region = _codes().get(text) or next(iter(regions_named(text)), None)
    return region if region and region.is_country else None


def region_coded(text: str) -> Region | None:
    """Return the county that the text is the Chapman code of."""
    region = _codes().get(text)
    return region if region and region.kind == "county" else None


def region_named(text: str, *, country: str = "") -> Region | None:
    """Return the county or state that the text names, in that country if one is given.

    >>> region = region_named("Wilts")
    >>> region.name, region.country, region_named("Suffolk", country="united states")
    ('Wiltshire', 'england', None)
    """
    for region in regions_named(text):
        if region.kind in _COUNTIES and _fits(region, country):
            return region
    state, _, territory = level_key(text).rpartition(" ")
    if territory in ("territory", "terr", "ter"):
        before = region_named(state, country=country)
        if before and before.country_code == "US":
            key = frozenset({level_key(text)})
            return before._replace(name=f"{before.name} Territory", short=key)
    return None


def regions_named(text: str) -> tuple[Region, ...]:
    """Return every country, county or state of this name or abbreviation, in their order."""
    return _by_key().get(level_key(text), ())


def codes_named(text: str) -> frozenset[str]:
    """Return the codes of the countries that have a region of this name, provinces too.

    One that lay in several countries of today has the code "".

    >>> sorted(codes_named("Limburg")), codes_named("Silesia"), codes_named("Layham")
    (['BE', 'NL'], frozenset({''}), frozenset())
    """
    named = {region.country_code for region in regions_named(text)}
    return _province_codes().get(level_key(text), frozenset()) | named


@cache
def is_british(country: str) -> bool:
    """Return whether the country's counties have Chapman codes."""
    return any(region.country == country for region in _codes().values())


def has_states(country: str) -> bool:
    """Return whether a state lies between the county and the country."""
    region = find_country(country)
    return region is not None and region.kind == "federation"


def county_around(name: str) -> str | None:
    """Return the key of the old county that a riding or a modern county is part of."""
    within = next((region.within for region in regions_named(name) if region.within), None)
    return within and level_key(within)


@cache
def regions_of(country: str, kind: str) -> frozenset[str]:
    """Return the states or counties of a country, as levels of a place.

    >>> "ohio" in regions_of("united states", "state"), len(regions_of("france", "state"))
    (True, 0)
    """
    return frozenset(
        region.level for _, region in _table() if region.kind == kind and region.country == country
    )


@cache
def divided_from(level: str) -> frozenset[str]:
    """Return the states or counties that were one with this one: Virginia and West Virginia.

    >>> sorted(divided_from("west virginia")), sorted(divided_from("west riding of yorkshire"))
    (['virginia'], ['yorkshire'])
    """
    rows = read_table("normalize/places/divided")
    pairs = {(row["name"], part) for row in rows for part in row["parts"].split("|")}
    pairs |= {(region.within, region.level) for _, region in _table() if region.within}
    return frozenset(other for pair in pairs if level in pair for other in pair if other != level)


def _fits(region: Region, country: str) -> bool:
    if not country or region.country == country:
        return True
    return is_british(region.country) and (is_british(country) or country == "united kingdom")


@cache
def _by_key() -> dict[str, tuple[Region, ...]]:
    by_key: dict[str, tuple[Region, ...]] = {}
    for row, region in _table():
        names = (row["name"], *row["short"].split("|"), *row["aliases"].split("|"))
        keys = {level_key(name) for name in names if name} | region.short
        for key in keys:
            by_key[key] = (*by_key.get(key, ()), region)
    return by_key


@cache
def _codes() -> dict[str, Region]:
    """Return the counties and countries by their Chapman codes."""
    return {
        row["code"]: region
        for row, region in _table()
        if region.kind != "state" and len(row["code"]) == _CHAPMAN_LENGTH
    }


@cache
def _province_codes() -> dict[str, frozenset[str]]:
    """Return the codes of provinces by name; apart, because most searches need none."""
    codes: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/places/regions"):
        if row["kind"] == "province":
            key = level_key(row["name"])
            codes[key] = codes.get(key, frozenset()) | {row["country"]}
    return codes


@cache
def _table() -> tuple[tuple[dict[str, str], Region], ...]:
    rows = [row for row in read_table("normalize/places/regions") if row["kind"] != "province"]
    counties = {row["name"]: row for row in rows if row["kind"] == "county"}
    return tuple((row, _region(row, counties)) for row in rows)


def _region(row: dict[str, str], counties: dict[str, dict[str, str]]) -> Region:
    around = counties.get(row["within"])
    country = (around or row)["within"] or row["name"]
    codes = [row["code"]] if row["kind"] == "state" else []
    return Region(
        name=row["name"],
        kind=row["kind"],
        within=around["name"].lower() if around else "",
        country=country.lower(),
        country_code=row["country"],
        short=frozenset(level_key(short) for short in [*row["short"].split("|"), *codes] if short),
    )


class Namesakes(NamedTuple):
    """A row of the table."""

    countries: frozenset[str] = frozenset()  # codes
    states: frozenset[str] = frozenset()  # codes of countries in several of whose states it lies
    town_in: frozenset[str] = frozenset()  # codes of countries where a region and a town share it
    within: frozenset[str] = frozenset()  # keys of counties and states with a town of the name


def codes_shared(level: str) -> frozenset[str]:
    """Return the codes of the countries that a name alone may lie in; none if it is not listed.

    A region that lay in several countries of today has the code "".

    >>> sorted(codes_shared("Suffolk")), sorted(codes_shared("Galicia"))
    (['GB', 'US'], ['', 'ES'])
    """
    regions = codes_named(level)
    if any(region.is_country or region.kind == "state" for region in regions_named(level)):
        return regions
    return regions | _namesakes(level).countries


def is_in_several_states(name: str) -> bool:
    """Return whether towns of the name lie in several states of a country.

    >>> is_in_several_states("Portland"), is_in_several_states("Baltimore")
    (True, False)
    """
    return bool(_namesakes(name).states)


def has_town(name: str, around: str) -> bool:
    """Return whether a county, a state or the country of a code has a town or county of the name.

    >>> has_town("Washington", "pennsylvania"), has_town("Devon", "somerset")
    (True, False)
    """
    namesakes = _namesakes(name)
    return level_key(around) in namesakes.within or around in namesakes.town_in


def _namesakes(name: str) -> Namesakes:
    return _namesakes_by_key().get(level_key(name), Namesakes())


@cache
def _namesakes_by_key() -> dict[str, Namesakes]:
    return {
        row["name"]: Namesakes(
            countries=frozenset(filter(None, row["countries"].split("|"))),
            states=frozenset(filter(None, row["states"].split("|"))),
            town_in=frozenset(filter(None, row["town_in"].split("|"))),
            within=frozenset(level_key(name) for name in row["within"].split("|") if name),
        )
        for row in read_table("normalize/places/namesakes")
    }

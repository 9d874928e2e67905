"""Which places in several countries or states share a name?

The table ``places/namesakes`` has the names that towns of some size, or counties below the regions
of ``places/regions``, bear in other countries, and those that towns in several states of one
country bear (Portland).  For a name that is a region too it also says which
counties and states have a town or county of that name (Washington in Pennsylvania), and in which
countries a town shares the name of its region (Sevilla).

A name is compared with its like: a country or state only with other regions, for a clerk who writes
"Mexico" does not mean the town in Missouri; a county with regions and counties; any other name
with towns and counties.
"""

from functools import cache
from typing import NamedTuple

from forebear.normalize.regions import codes_named, level_key, regions_named
from forebear.tables import read_table


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
    return _table().get(level_key(name), Namesakes())


@cache
def _table() -> dict[str, Namesakes]:
    return {
        row["name"]: Namesakes(
            countries=frozenset(filter(None, row["countries"].split("|"))),
            states=frozenset(filter(None, row["states"].split("|"))),
            town_in=frozenset(filter(None, row["town_in"].split("|"))),
            within=frozenset(level_key(name) for name in row["within"].split("|") if name),
        )
        for row in read_table("normalize/places/namesakes")
    }

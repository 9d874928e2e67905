"""Under which other name was a place known: Danzig is Gdańsk, Queenstown is Cobh?

A table of towns that changed their name or have one in each language of their people.  What an
archive learns of places besides (a gazetteer) is added to it.
"""

from functools import cache

from forebear.normalize.place_levels import clean_level, level_key
from forebear.tables import read_table


def other_names(name: str) -> frozenset[str]:
    """Return the keys of the other names of a place; none if it kept its name.

    >>> sorted(other_names("Lemberg"))
    ['lviv', 'lvov', 'lwow']
    """
    key = level_key(clean_level(name))
    return _renames().get(key, frozenset()) - {key}


@cache
def _renames() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/place_renames"):
        names = frozenset(level_key(clean_level(name)) for name in row["names"].split("|"))
        for name in names:
            found[name] = found.get(name, frozenset()) | names
    return found

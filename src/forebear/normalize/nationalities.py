"""Of which country is somebody who is called Irish, Prussian, or a citizen of the U.S.A.?"""

from functools import cache, lru_cache

from forebear.normalize.place_levels import clean_level, level_key
from forebear.normalize.regions import country_named
from forebear.tables import read_table


@lru_cache(maxsize=4096)
def nation_of(text: str) -> str:
    """Return the country that a nationality names, as a clean level, or "" if it names none.

    >>> nation_of("Irish"), nation_of("U.S.A."), nation_of("subject of Prussia")
    ('ireland', 'united states', '')
    """
    return country_named(text) or _nationalities().get(level_key(clean_level(text)), "")


@cache
def _nationalities() -> dict[str, str]:
    return {
        row["word"]: clean_level(row["country"]) for row in read_table("normalize/nationalities")
    }

"""Which places does a collection cover, as its own records say?

From the largest places downward: as long as one place holds nearly everything, the answer is
somewhere inside it.  Where it parts, the parts that hold a fair share are the answer.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from forebear.search.terms.fields import NOWHERE

NEARLY_ALL = 0.9
FAIR_SHARE = 0.05

# Where the records themselves are from; a birthplace may be anywhere.
COVERED_FIELDS = ("event.place", "residence.place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The places and years that the records of a collection are from."""

    places: tuple[str, ...] = ()  # ids
    first_year: int | None = None
    last_year: int | None = None


def covered_places(ids: Iterable[str], count: Callable[[str], int]) -> tuple[str, ...]:
    """Return the ids of the places that records are from; ``count`` says how many of each."""
    inside: defaultdict[str, list[str]] = defaultdict(list)
    for place in ids:
        if place != NOWHERE:
            inside[parent_of(place)].append(place)
    within, found = "", _counted(inside[""], count)
    total = sum(found.values())
    while found and max(found.values()) >= NEARLY_ALL * total:
        within = max(sorted(found), key=lambda place: found[place])
        found = _counted(inside[within], count)
    if within:
        return (within,)
    return tuple(sorted(place for place in found if found[place] >= FAIR_SHARE * total))


def parent_of(place: str) -> str:
    """Return the id of the place around one, or "" for the largest.

    >>> parent_of("p:layham,suffolk,england"), parent_of("p:england")
    ('p:suffolk,england', '')
    """
    around = place.removeprefix("p:").partition(",")[2]
    return f"p:{around}" if around else ""


def place_label(place: str) -> str:
    """Return a place's id as people write it.

    >>> place_label("p:layham,suffolk,england")
    'Layham, Suffolk, England'
    """
    return ", ".join(name.title() for name in place.removeprefix("p:").split(","))


def _counted(places: Iterable[str], count: Callable[[str], int]) -> dict[str, int]:
    return {place: found for place in places if (found := count(place))}

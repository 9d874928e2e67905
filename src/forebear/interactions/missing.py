"""What is missing?  Record types, places and decades of the searches that found little.

A search found little if it found nothing, or something only after it was relaxed.  Each event of
its query names a kind of record that would help (a death: death records, burials, obituaries,
probate), a place and a decade.  Counted over searches, with what the archive has of each, they say
which records to look for next.  A search for a person who never lived there counts too, so the
counts are wishes, not proof that records exist.  Which event, place and decade were named together
is only counted for people who cannot be living any more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from forebear.interactions.events import LoggedSearch
from forebear.interactions.unmet import is_long_dead, read_query
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Place
from forebear.search.expansion.query_facts import own_kinds
from forebear.search.query.person_query import LifeEvent
from forebear.tables import read_table

Name = TypeVar("Name", str, int, tuple[str, str, str])
Holds = Callable[[Place], bool]  # does any record have this place?


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """What an archive has: records by type, the years of its collections, its places."""

    records: Mapping[str, int]  # by record type
    years: tuple[tuple[int, int], ...]  # the first and last year of each collection
    has_place: Holds

    def collections_in(self, decade: int) -> int:
        """Return how many collections have records of a decade, as far as their years say."""
        return sum(first <= decade + 9 and decade <= last for first, last in self.years)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Something that searches named and found little of."""

    name: str
    searches: int
    held: int  # what the archive has: records of the type, collections of the decade, 1 or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRecords:
    """What searches that found little named, the most frequent first."""

    searches: int  # that found little
    unreadable: int  # of which this version cannot read the query
    record_types: tuple[Wish, ...]
    places: tuple[Wish, ...]
    decades: tuple[Wish, ...]
    combinations: tuple[tuple[str, str, str, int], ...]  # kind of event, place, decade, searches


def find_missing(
    logged: Iterable[LoggedSearch], inventory: Inventory, *, year: int
) -> MissingRecords:
    """Return what the searches that found little named, with what the archive has of it.

    Combinations are only of people who cannot be living any more in this ``year``.
    """
    count, unreadable = 0, 0
    types, places, decades = Counter[str](), Counter[str](), Counter[int]()
    cells = Counter[tuple[str, str, str]]()
    by_text: dict[str, Place] = {}
    for search in logged:
        count += 1
        query = read_query(search)
        if query is None:
            unreadable += 1
            continue
        types.update({name for event in query.events for name in helpful_types(event.kind)})
        by_text |= {event.place.text: event.place for event in query.events if event.place}
        places.update({event.place.text for event in query.events if event.place})
        decades.update({decade for event in query.events for decade in _decades(event)})
        if is_long_dead(query, year):
            cells.update({cell for event in query.events for cell in _cells(event)})
    return MissingRecords(
        searches=count,
        unreadable=unreadable,
        record_types=_wishes(types, lambda name: inventory.records.get(name, 0)),
        places=_wishes(places, lambda text: int(inventory.has_place(by_text[text]))),
        decades=_wishes(decades, inventory.collections_in, show=lambda decade: f"{decade}s"),
        combinations=tuple((*cell, searches) for cell, searches in _ordered(cells)),
    )


@cache
def helpful_types(kind: str) -> tuple[str, ...]:
    """Return the record types that record a kind of event.

    >>> helpful_types("burial")
    ('burial', 'death')
    >>> helpful_types("divorce")
    ('divorce',)
    """
    table = {row["kind"]: row["record_types"] for row in read_table("interactions/event_types")}
    if kind in table:
        return tuple(table[kind].split(";"))
    return tuple(
        name
        for name, record_type in RECORD_TYPES.items()
        if kind == record_type.event or kind in own_kinds(name)
    )


def _decades(event: LifeEvent) -> tuple[int, ...]:
    if event.date is None or event.date.first_year is None:
        return ()
    return (event.date.first_year // 10 * 10,)


def _cells(event: LifeEvent) -> tuple[tuple[str, str, str], ...]:
    if event.place is None or not _decades(event):
        return ()
    return tuple((event.kind, event.place.text, f"{decade}s") for decade in _decades(event))


def _ordered(counter: Counter[Name]) -> list[tuple[Name, int]]:
    return sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))


def _wishes(
    counter: Counter[Name], held: Callable[[Name], int], show: Callable[[Name], str] = str
) -> tuple[Wish, ...]:
    return tuple(
        Wish(name=show(name), searches=searches, held=held(name))
        for name, searches in _ordered(counter)
    )

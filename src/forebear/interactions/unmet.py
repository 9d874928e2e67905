"""Which searches found nothing, or only after relaxing, and which records would have helped?

The report on searches lists what people look for and the archive lacks: places, decades, names.
A searcher is a pseudonym, and a name is printed only if the person cannot be living any more: of
other people the report says which facts were given, not their values.

The report on missing records counts the same searches another way.  Each event of a query names a
kind of record that would help (a death: death records, burials, obituaries, probate), a place and
a decade.  Counted over searches, with what the archive has of each, they say which records to look
for next.  A search for a person who never lived there counts too, so the counts are wishes, not
proof that records exist.  Which event, place and decade were named together is only counted for
people who cannot be living any more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from forebear.errors import QueryError
from forebear.interactions.events import LoggedSearch
from forebear.records.collections import RECORD_TYPES
from forebear.records.privacy import MAX_LIFETIME_YEARS
from forebear.records.record import Place
from forebear.search.expansion.query_facts import own_kinds
from forebear.search.fusion import stated_facts
from forebear.search.query.person_query import LifeEvent, PersonQuery, parse_query
from forebear.tables import read_table

Name = TypeVar("Name", str, int, tuple[str, str, str])
Holds = Callable[[Place], bool]  # does any record have this place?


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmetSearch:
    """A search that found nothing or was relaxed, as far as it may be shown."""

    day: str  # without the hour, which could identify a searcher
    searcher: str  # a pseudonym
    person: str  # "" if they may be living
    facts: tuple[str, ...]  # which were given
    hits: int
    relaxed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchesReport:
    """What people looked for in vain."""

    searches: int  # logged in all
    nothing: int  # that found nothing
    relaxed: int  # that found something only after relaxing
    searchers: int  # different ones among both
    places: tuple[tuple[str, int], ...]  # of their queries, the most frequent first
    decades: tuple[tuple[int, int], ...]
    unmet: tuple[UnmetSearch, ...]  # the latest first


def report_searches(logged: Iterable[LoggedSearch], *, searches: int, year: int) -> SearchesReport:
    """Return the report on unmet searches, out of this many logged, as read in a year."""
    unmet, places, decades = [], Counter[str](), Counter[int]()
    for search in logged:
        query = read_query(search)
        unmet.append(_unmet_search(search, query, year))
        events = query.events if query else ()
        places.update({event.place.text for event in events if event.place is not None})
        decades.update({decade for event in events for decade in _decades(event)})
    return SearchesReport(
        searches=searches,
        nothing=sum(not search.hits for search in unmet),
        relaxed=sum(bool(search.hits) for search in unmet),
        searchers=len({search.searcher for search in unmet if search.searcher}),
        places=tuple(sorted(places.items(), key=lambda pair: (-pair[1], pair[0]))),
        decades=tuple(sorted(decades.items())),
        unmet=tuple(reversed(unmet)),
    )


def is_long_dead(query: PersonQuery, year: int) -> bool:
    """Return whether the person of a query lived so long ago that they cannot be living."""
    dates = [event.date for event in query.events] + [query.age.at if query.age else None]
    years = [date.last_year for date in dates if date and date.last_year is not None]
    return bool(years) and min(years) + MAX_LIFETIME_YEARS < year


def _unmet_search(search: LoggedSearch, query: PersonQuery | None, year: int) -> UnmetSearch:
    names = query.names if query is not None and is_long_dead(query, year) else ()
    return UnmetSearch(
        day=search.at[:10],
        searcher=search.searcher,
        person=" or ".join(f"{name.given} {name.surname}".strip() for name in names),
        facts=tuple(sorted(stated_facts(query))) if query else (),
        hits=search.hits,
        relaxed=search.relaxed,
    )


def read_query(search: LoggedSearch) -> PersonQuery | None:
    """Return the query, or None if this version can no longer read it."""
    try:
        return parse_query(search.query)
    except QueryError:
        return None


def query_facts(search: LoggedSearch) -> frozenset[str]:
    """Return the facts of a logged query; none if this version can no longer read it."""
    query = read_query(search)
    return frozenset() if query is None else stated_facts(query)


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

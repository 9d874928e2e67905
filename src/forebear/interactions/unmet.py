"""Which searches found nothing, or only after relaxing?  A report for the archivist.

It lists what people look for and the archive lacks: places, decades, names.  A searcher is a
pseudonym, and a name is printed only if the person cannot be living any more: of other people
the report says which facts were given, not their values.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from forebear.errors import QueryError
from forebear.interactions.events import LoggedSearch
from forebear.records.privacy import MAX_LIFETIME_YEARS
from forebear.search.fusion import stated_facts
from forebear.search.query.person_query import PersonQuery, parse_query


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
        places.update(set(_places(query)))
        decades.update(set(_decades(query)))
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


def _places(query: PersonQuery | None) -> Iterator[str]:
    for event in query.events if query else ():
        if event.place is not None:
            yield event.place.text


def _decades(query: PersonQuery | None) -> Iterator[int]:
    for event in query.events if query else ():
        if event.date is not None and event.date.first_year is not None:
            yield event.date.first_year // 10 * 10

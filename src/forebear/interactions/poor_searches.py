"""Which searches found nothing, or too little as they were asked?  A report for the archivist.

It says what people look for and the archive lacks: places, decades, names.  A searcher is a
pseudonym, and a name is told only of a person who cannot be living any more: of everybody
else the report says which facts were given, not what they were.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from forebear.errors import QueryError
from forebear.interactions.events import ShownSearch
from forebear.records.privacy import MAX_LIFETIME_YEARS
from forebear.search.fusion.conditioned import facts_known
from forebear.search.query.from_json import parse_query
from forebear.search.query.person_query import PersonQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class PoorSearch:
    """A search that found nothing or was relaxed, as far as it may be told."""

    day: str  # the hour is nobody's business
    searcher: str  # a pseudonym
    person: str  # "" if they may be living
    facts: tuple[str, ...]  # which were given
    found: int
    relaxed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchesReport:
    """What people looked for in vain."""

    searches: int  # logged in all
    nothing: int  # that found nothing
    relaxed: int  # that found something only after relaxing
    searchers: int  # different ones among both
    places: tuple[tuple[str, int], ...]  # asked for in them, the commonest first
    decades: tuple[tuple[int, int], ...]
    poor: tuple[PoorSearch, ...]  # the latest first


def report_searches(poor: Iterable[ShownSearch], *, searches: int, year: int) -> SearchesReport:
    """Return the report on these poor searches out of so many, read in a year."""
    told, places, decades = [], Counter[str](), Counter[int]()
    for search in poor:
        query = _query(search)
        told.append(_poor_search(search, query, year))
        places.update(set(_places(query)))
        decades.update(set(_decades(query)))
    return SearchesReport(
        searches=searches,
        nothing=sum(not each.found for each in told),
        relaxed=sum(bool(each.found) for each in told),
        searchers=len({each.searcher for each in told if each.searcher}),
        places=tuple(sorted(places.items(), key=lambda pair: (-pair[1], pair[0]))),
        decades=tuple(sorted(decades.items())),
        poor=tuple(reversed(told)),
    )


def is_long_dead(query: PersonQuery, year: int) -> bool:
    """Say whether the person of a query lived so long ago that they cannot be living."""
    dates = [event.date for event in query.events] + [query.age.at if query.age else None]
    known = [date.last_year for date in dates if date and date.last_year is not None]
    return bool(known) and min(known) + MAX_LIFETIME_YEARS < year


def _poor_search(search: ShownSearch, query: PersonQuery | None, year: int) -> PoorSearch:
    may_tell = query is not None and is_long_dead(query, year)
    names = query.names if query is not None and may_tell else ()
    return PoorSearch(
        day=search.at[:10],
        searcher=search.searcher,
        person=" or ".join(f"{name.given} {name.surname}".strip() for name in names),
        facts=tuple(sorted(facts_known(query))) if query else (),
        found=len(search.shown),
        relaxed=search.relaxed,
    )


def _query(search: ShownSearch) -> PersonQuery | None:
    """Return what was asked, unless the program has changed and understands it no more."""
    try:
        return parse_query(search.query)
    except QueryError:
        return None


def _places(query: PersonQuery | None) -> Iterator[str]:
    for event in query.events if query else ():
        if event.place is not None:
            yield event.place.text


def _decades(query: PersonQuery | None) -> Iterator[int]:
    for event in query.events if query else ():
        if event.date is not None and event.date.first_year is not None:
            yield event.date.first_year // 10 * 10

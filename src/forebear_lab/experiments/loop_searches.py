"""Which searches does the learning loop learn from, and which judge it?

Every query of a simulated archive is searched once with the model `default` and logged in the
archive, as a search of a user would be: whole lists with the clauses that fired.  From then on
models only score these lists again, as training does.  A search that is already logged is read.

Searches for one person are alike, so all of them are on one side.  Persons are divided at random;
those of the test are the same for every number of training searches.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.archive import Archive
from forebear.errors import InputError, NotFoundError
from forebear.interactions.current import is_current
from forebear.interactions.events import JudgedSearch, LoggedSearch, person_groups
from forebear.search.expansion.clause_hashes import clause_hashes
from forebear.search.model import DEFAULT, default_model
from forebear.search.query.person_query import PersonQuery
from forebear.search.search_result import SearchOptions
from forebear_lab.experiments.worlds import SEARCHES_BETWEEN_MESSAGES, World

TEST_SHARE = 1 / 3  # of the persons sought
MOST_TESTED = 1_500  # searches
LEAST = 12  # searches with a right record, in all

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSearch:
    """A logged search whose right records are known."""

    search: LoggedSearch
    right: frozenset[str]
    person: str  # who is sought
    user: str
    day: int  # on which it was made; 0 where the world does not say
    born: int | None  # the year of birth that the query states

    @property
    def perfectly_judged(self) -> JudgedSearch:
        """Return the search with every right record attached."""
        return JudgedSearch(search=self.search, attached=self.right, rejected=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSearches:
    """The searches to learn from and those to judge on, each with a right record."""

    label: str
    pool: tuple[KnownSearch, ...]
    test: tuple[KnownSearch, ...]

    @property
    def everything(self) -> tuple[KnownSearch, ...]:
        """Return all searches."""
        return (*self.pool, *self.test)


def log_searches(
    archive: Archive, world: World, *, count: int, progress: Progress
) -> list[KnownSearch]:
    """Return the first queries of a world that have a right record, as logged searches."""
    queries, right = world.queries(count), world.right_records()
    visits, persons = world.visits(), world.persons()
    log = SearchLog(archive)
    logged = []
    for done, query in enumerate(queries, start=1):
        if query.id and right.get(query.id):
            logged.append((query, query.id, log.search(query)))
        if done % SEARCHES_BETWEEN_MESSAGES == 0 or done == len(queries):
            progress(f"searched for {done:,} of {len(queries):,} people")
    groups = _groups(logged, right) if not persons else [""] * len(logged)
    searches = []
    for (query, name, search), group in zip(logged, groups, strict=True):
        visit, person = visits.get(name), persons.get(name, group)
        searches.append(
            KnownSearch(
                search=search,
                right=right[name],
                person=person,
                user=visit.user if visit else person,
                day=visit.day if visit else 0,
                born=_birth_year(query),
            )
        )
    return searches


def divide_searches(searches: Sequence[KnownSearch], *, seed: int, label: str) -> LoopSearches:
    """Return the searches divided by the person sought, into those to learn from and the others."""
    persons = sorted({search.person for search in searches})
    if len(searches) < LEAST or len(persons) < 2:
        raise InputError(
            f"{len(searches)} searches for {len(persons)} people have a right record, too few to "
            "learn from and to judge on",
            hint=f"give a world with at least {LEAST} queries",
        )
    order = np.random.default_rng(seed).permutation(len(persons))
    held = {persons[number] for number in order[: max(1, round(TEST_SHARE * len(persons)))]}
    return LoopSearches(
        label=label,
        pool=tuple(search for search in searches if search.person not in held),
        test=tuple(search for search in searches if search.person in held)[:MOST_TESTED],
    )


class SearchLog:
    """Searches with the model `default`, logged in the archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._hashes = clause_hashes(archive.storage.terms_version())
        self._lists = archive.lists(viewer="owner")
        self._version = hashlib.sha256(default_model().to_json().encode()).hexdigest()[:8]

    def search(self, query: PersonQuery) -> LoggedSearch:
        """Return the logged search of a query; it is made unless it is there and still counts."""
        search_id = f"{query.id}-{self._version}"
        try:
            entry = self._archive.logged_search(search_id)
        except NotFoundError:
            entry = None
        if entry is None or not is_current(entry, self._hashes, self._lists):
            self._archive.search(query, options=SearchOptions(model=DEFAULT), search_id=search_id)
            entry = self._archive.logged_search(search_id)
        return entry


def _groups(
    logged: Sequence[tuple[PersonQuery, str, LoggedSearch]], right: Mapping[str, frozenset[str]]
) -> list[str]:
    """Return for each search whom it seeks, where the world does not say: who shares records."""
    return person_groups(
        [
            JudgedSearch(search=search, attached=right[name], rejected=frozenset())
            for _, name, search in logged
        ]
    )


def _birth_year(query: PersonQuery) -> int | None:
    """Return the first year that the query states of a birth."""
    dates = [event.date for event in query.events if event.kind == "birth" and event.date]
    return next((date.first_year for date in dates if date.first_year is not None), None)

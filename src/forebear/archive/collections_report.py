"""What is each collection worth to the people who search, and which records are missing?

The judged searches of the log are run again, with all collections and without each of them, by the
public search with a filter on the other collections.  So lists are cut, relaxed and fused as they
would be without the collection, and records from below rank 100 move up.  The statistics of the
archive (how rare a name is) stay those of all its records; decision 29 says what that changes.

A search is not run again without a collection of which nothing passed its gate, because no step of
it can differ then.  That is certain where the list returned everything that passed, and nothing of
that is of the collection.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from forebear.errors import ForebearError, InputError
from forebear.interactions.events import JudgedSearch, LoggedSearch, person_groups
from forebear.interactions.log import FirstPage
from forebear.interactions.unmet import Inventory, MissingRecords, find_missing
from forebear.learning.collection_value import (
    CUTOFF,
    Part,
    PartValue,
    RankedSearch,
    measure_searches,
    value_part,
)
from forebear.learning.engagement import Engagement, measure_engagement
from forebear.normalize.place_levels import place_id
from forebear.records.collections import Collection
from forebear.records.record import Place, Record
from forebear.search.search_result import SearchResult, options_from_json
from forebear.search.terms.term import COLLECTION

if TYPE_CHECKING:
    from forebear.archive.archive import Archive
    from forebear.archive.result import Result

Progress = Callable[[int, int], None]  # searches run, and how many there are to run
SIMULATED_WORDS = ("simulated", "invented")  # in the title or the licence of a collection
METHOD = (
    "each judged search run again without the collection; how rare names are and other statistics "
    "stay those of the whole archive"
)
CHECK = "simulated records or users: this checks the method and says nothing about real collections"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedUse:
    """What the log says of how an archive is used."""

    judged: Sequence[JudgedSearch]
    pages: Sequence[FirstPage]
    unmet: Sequence[LoggedSearch]  # searches that found little


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionsReport:
    """What collections are worth, whether variety goes with attachments, and what is missing."""

    model: str
    searches: int  # judged searches that were run again
    skipped: int  # that could not be
    sampled_from: int  # judged searches with an attachment in the log
    runs: int  # searches run, with all collections and without some
    spared: int  # runs that could not have differed
    attached: int  # different records
    ndcg: float  # with all collections
    nce: float
    is_simulated: bool
    method: str
    note: str  # "" unless it is simulated
    collections: tuple[PartValue, ...]  # the most valuable first
    record_types: tuple[PartValue, ...]
    engagement: Engagement
    missing: MissingRecords


def report_collections(
    archive: "Archive",
    use: LoggedUse,
    *,
    model: str,
    most: int,
    seed: int,
    is_simulated: bool,
    progress: Progress,
) -> CollectionsReport:
    """Return the report on the collections of an archive.

    At most ``most`` judged searches, drawn at random, are run again.
    """
    useful = [search for search in use.judged if search.attached]
    collections = archive.collections(viewer="owner")
    type_of = {collection.name: collection.record_type for collection in collections}
    by_collection, by_type = _parts(collections, archive.counts(viewer="owner"))
    reruns = _Reruns(archive, model, _sample(useful, most, seed), progress)
    values = _value_parts(reruns, [*by_collection, *by_type], type_of, seed)
    measures = measure_searches(reruns.whole, type_of)
    is_simulated = is_simulated or any(map(_is_simulated, collections))
    return CollectionsReport(
        model=model,
        searches=len(reruns.whole),
        skipped=reruns.skipped,
        sampled_from=len(useful),
        runs=reruns.runs,
        spared=reruns.spared,
        attached=len({key for search in reruns.whole for key in search.attached}),
        ndcg=float(np.mean([*measures.ndcg.values()])),
        nce=float(np.mean([*measures.nce.values()])),
        is_simulated=is_simulated,
        method=METHOD,
        note=CHECK if is_simulated else "",
        collections=_best_first(values[: len(by_collection)]),
        record_types=_best_first(values[len(by_collection) :]),
        engagement=_engagement(use, type_of, seed),
        missing=find_missing(
            use.unmet, _inventory(archive, collections), year=archive.viewer("owner").year
        ),
    )


class _Reruns:
    """Runs judged searches with all collections, and without some."""

    def __init__(
        self,
        archive: "Archive",
        model: str,
        judged: Sequence[JudgedSearch],
        progress: Progress,
    ) -> None:
        self._archive = archive
        self._model = model
        self._names = [collection.name for collection in archive.collections(viewer="owner")]
        self._progress = progress
        self._done, self._planned = 0, len(judged)
        self.runs, self.spared, self.skipped = 0, 0, 0
        self.judged: list[JudgedSearch] = []  # those that can be run
        self.whole: list[RankedSearch] = []
        self._present: list[frozenset[str]] = []  # collections that may matter to each of them
        for search in judged:
            self._run_whole(search)

    def without(self, parts: Iterable[Part]) -> dict[tuple[str, ...], list[RankedSearch]]:
        """Return the searches without the collections of each part."""
        excluded = dict.fromkeys(part.collections for part in parts)
        self._planned += len(self.whole) * len(excluded)
        return {names: self._run_without(frozenset(names)) for names in excluded}

    def years(self) -> dict[str, int | None]:
        """Return the year of each attached record that is still there."""
        keys = sorted({key for search in self.whole for key in search.attached})
        records = self._archive.storage.records(keys, viewer=self._archive.viewer("owner"))
        return {key: _year(group[0]) for key, group in records.items()}

    def _run_whole(self, search: JudgedSearch) -> None:
        try:
            result = self._search(search, None)
        except ForebearError:  # of an older version, or of a model that is gone
            self.skipped += 1
        else:
            self.judged.append(search)
            self.whole.append(_ranked(search, result))
            self._present.append(
                present_collections(result.search_result) if result else frozenset()
            )
        self._advance()

    def _run_without(self, excluded: frozenset[str]) -> list[RankedSearch]:
        rankings = []
        for search, ranking, present in zip(self.judged, self.whole, self._present, strict=True):
            if excluded.isdisjoint(present):
                self.spared += 1
                rankings.append(ranking)
            else:
                rankings.append(_ranked(search, self._search(search, excluded)))
            self._advance()
        return rankings

    def _search(self, judged: JudgedSearch, excluded: frozenset[str] | None) -> "Result | None":
        logged = judged.search
        query = json.loads(logged.query)
        if excluded is not None:
            query = exclude_collections(query, [n for n in self._names if n not in excluded])
        if query is None:
            return None
        self.runs += 1
        return self._archive.search(
            query,
            options=options_from_json(logged.options, model=self._model),
            viewer="owner" if logged.viewer == "owner" else "public",
            log=False,
        )

    def _advance(self) -> None:
        self._done += 1
        self._progress(self._done, self._planned)


def exclude_collections(
    query: Mapping[str, Any], remaining: Sequence[str]
) -> dict[str, Any] | None:
    """Return the JSON form of a query that searches these collections only; None if it has none.

    >>> exclude_collections({"surname": "Hall", "filters": {"collection": "wills"}}, ["census"])
    >>> exclude_collections({"surname": "Hall"}, ["census"])
    {'surname': 'Hall', 'filters': {'collection': ['census']}}
    """
    filters = dict(query.get("filters") or {})
    chosen = filters.get(COLLECTION, remaining)
    names = [chosen] if isinstance(chosen, str) else list(chosen)
    filters[COLLECTION] = [name for name in names if name in set(remaining)]
    return {**query, "filters": filters} if filters[COLLECTION] else None


def present_collections(result: SearchResult) -> frozenset[str]:
    """Return the collections without which a search may find something else.

    Of a list that returned all that passed its gate, these are the collections of its hits; of a
    list that was cut, all that it has.
    """
    present: set[str] = set()
    for ranked in result.lists:
        if ranked.state == "complete" and ranked.records <= len(ranked.hits):
            present.update(key.partition(":")[0] for key in ranked.hits.record_keys())
        else:
            present.update(result.collections_of(ranked.name))
    return frozenset(present)


def _year(record: Record) -> int | None:
    event = record.event
    return event.date.first_year if event and event.date else None


def _ranked(search: JudgedSearch, result: "Result | None") -> RankedSearch:
    records = tuple(result.search_result.fused[:CUTOFF].record_keys()) if result else ()
    return RankedSearch(id=search.search.id, records=records, attached=search.attached)


def _value_parts(
    reruns: _Reruns, parts: Sequence[Part], type_of: Mapping[str, str], seed: int
) -> list[PartValue]:
    if not reruns.whole:
        raise InputError("none of the judged searches can be run any more")
    without, years = reruns.without(parts), reruns.years()
    families = person_groups(reruns.judged)
    groups = {search.id: family for search, family in zip(reruns.whole, families, strict=True)}
    return [
        value_part(
            part,
            reruns.whole,
            without[part.collections],
            type_of=type_of,
            years=years,
            groups=groups,
            seed=seed,
        )
        for part in parts
    ]


def _parts(
    collections: Sequence[Collection], counts: Mapping[str, int]
) -> tuple[list[Part], list[Part]]:
    """Return each collection and each record type as a part of the archive."""

    def part(name: str, members: Sequence[Collection]) -> Part:
        names = tuple(member.name for member in members)
        records = sum(counts[name] for name in names)
        kind = members[0].record_type
        return Part(name=name, record_type=kind, collections=names, records=records)

    by_type: dict[str, list[Collection]] = {}
    for collection in collections:
        by_type.setdefault(collection.record_type, []).append(collection)
    return (
        [part(collection.name, [collection]) for collection in collections],
        [part(name, members) for name, members in by_type.items()],
    )


def _sample(judged: Sequence[JudgedSearch], most: int, seed: int) -> list[JudgedSearch]:
    if not judged:
        raise InputError(
            "nothing was attached yet, so no collection has a value yet",
            hint="attach records to searches first: forebear attach SEARCH RECORD",
        )
    if len(judged) <= most:
        return list(judged)
    chosen = np.random.default_rng(seed).choice(len(judged), most, replace=False)
    return [judged[row] for row in sorted(chosen.tolist())]


def _best_first(values: Sequence[PartValue]) -> tuple[PartValue, ...]:
    return tuple(sorted(values, key=lambda value: (-value.ndcg_lost.value, value.name)))


def _is_simulated(collection: Collection) -> bool:
    text = f"{collection.title} {collection.licence}".casefold()
    return any(word in text for word in SIMULATED_WORDS)


def _engagement(use: LoggedUse, type_of: Mapping[str, str], seed: int) -> Engagement:
    """Return engagement over pages that people saw; imported links were attached without one."""
    imported = {search.search.id for search in use.judged if search.sources == {"link"}}
    attachments = {search.search.id: len(search.attached) for search in use.judged}
    pages = [page for page in use.pages if page.search not in imported]
    return measure_engagement(pages, attachments, type_of, seed=seed)


def _inventory(archive: "Archive", collections: Sequence[Collection]) -> Inventory:
    counts = archive.counts(viewer="owner")
    records: dict[str, int] = {}
    for collection in collections:
        kind = collection.record_type
        records[kind] = records.get(kind, 0) + counts[collection.name]
    coverages = [archive.coverage(collection.name, viewer="owner") for collection in collections]
    return Inventory(
        records=records,
        years=tuple(
            (coverage.first_year, coverage.last_year)
            for coverage in coverages
            if coverage.first_year is not None and coverage.last_year is not None
        ),
        has_place=lambda place: has_place(archive, place),
    )


def has_place(archive: "Archive", place: Place) -> bool:
    """Return whether a record of the archive has a place, or one inside it."""
    levels = place_id(place.levels).removeprefix("p:").split(",")
    return any(
        set(levels) <= set(candidate.id.removeprefix("p:").split(","))
        for candidate in archive.places(levels[0], depth=1, viewer="owner")
    )

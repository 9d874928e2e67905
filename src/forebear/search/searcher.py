"""The whole flow on one screen: a query in, one ranked list out, and how it came about."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import catalog_hash
from forebear.search.expansion.clauses import Clause
from forebear.search.expansion.expand import Expansion, expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.fusion.shifted import FusedHit, fuse
from forebear.search.model import Model
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.record_search.storage import RecordStorage
from forebear.search.results.explain import Explanation, explain

TOP = 100  # records of each list, as in the paper


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordList:
    """A list that is ranked by itself: collections of one record type."""

    name: str
    record_type: str
    collections: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One line of the trace: a stage, for one list or for all, and what it cost."""

    stage: str  # expansion, record search, fusion
    list_name: str  # "" for all lists
    clauses: int
    candidates: int
    hits: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The answer to a query."""

    query: PersonQuery
    model: Model
    lists: tuple[RankedList, ...]
    fused: tuple[FusedHit, ...]
    trace: tuple[Stage, ...]
    asked: dict[str, tuple[Clause, ...]]  # by list name
    unused: tuple[str, ...]  # facts of the query that no clause reads yet

    def explain(self, hit: FusedHit) -> Explanation:
        """Return why a hit of this result has its score."""
        return explain(hit, self.asked[hit.list_name], self.model)

    def find(self, record_key: str) -> tuple[int, FusedHit] | None:
        """Return a record's rank and hit, or None if it is not in the result."""
        ranked = enumerate(self.fused, start=1)
        return next((pair for pair in ranked if pair[1].hit.record_key == record_key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """Searches an archive's lists with a model."""

    storage: RecordStorage
    knowledge: Knowledge
    lists: Sequence[RecordList]
    model: Model

    def search(
        self,
        query: PersonQuery,
        *,
        viewer: Viewer,
        top: int = TOP,
        show_impossible: bool = False,
    ) -> SearchResult:
        """Return the records in which the person appears, the best first."""
        self.model.check_catalog(catalog_hash())
        facts = gather_facts(query, self.knowledge)
        trace: list[Stage] = []
        ranked: list[RankedList] = []
        asked: dict[str, tuple[Clause, ...]] = {}
        for record_list in self._lists_for(query):
            started = time.perf_counter()
            expansion = expand(facts, record_list.record_type, show_impossible=show_impossible)
            seconds = time.perf_counter() - started
            asked[record_list.name] = expansion.clauses if expansion else ()
            trace.append(_stage("expansion", record_list.name, asked[record_list.name], seconds))
            found = self._find(record_list, expansion, viewer=viewer, top=top)
            ranked.append(found)
            trace.append(_found_stage(found))
        started = time.perf_counter()
        shifts = {each.name: self.model.shift(each.name, each.record_type) for each in ranked}
        fused = fuse(ranked, shifts)
        trace.append(_fusion_stage(ranked, len(fused), time.perf_counter() - started))
        return SearchResult(
            query=query,
            model=self.model,
            lists=tuple(ranked),
            fused=fused,
            trace=tuple(trace),
            asked=asked,
            unused=tuple(dict.fromkeys(_unused(query))),
        )

    def _lists_for(self, query: PersonQuery) -> Iterator[RecordList]:
        for record_list in self.lists:
            if not query.record_types or record_list.record_type in query.record_types:
                yield record_list

    def _find(
        self, record_list: RecordList, expansion: Expansion | None, *, viewer: Viewer, top: int
    ) -> RankedList:
        """Return one list's answer; a list that fails does not take the others with it."""
        name, record_type = record_list.name, record_list.record_type
        if expansion is None or not expansion.gate.branches:
            return RankedList(name=name, record_type=record_type)
        search = ListSearch(
            name=name,
            record_type=record_type,
            collections=record_list.collections,
            gate=expansion.gate,
            clauses=expansion.clauses,
            weights=tuple(
                self.model.weight(record_type, clause.name) for clause in expansion.clauses
            ),
        )
        try:
            return self.storage.find(search, viewer=viewer, top=top)
        except StorageError as error:
            return RankedList(
                name=name, record_type=record_type, state="failed", message=error.message
            )


def _unused(query: PersonQuery) -> Iterator[str]:
    """Yield the facts that are understood but that no clause reads yet."""
    for key in ("organization", "identifier", "filters"):
        if getattr(query, key):
            yield key
    if any(name.title for name in query.names):
        yield "title"
    for event in query.events:
        yield from (f"{event.kind}.{key}" for key in ("address", "ship") if getattr(event, key))
    for relative in query.relatives:
        if relative.occupation and relative.kind != "father":
            yield f"{relative.kind}.occupation"
        if relative.birthplace and relative.kind not in ("father", "mother"):
            yield f"{relative.kind}.birthplace"


def _stage(stage: str, name: str, clauses: Sequence[Clause], seconds: float) -> Stage:
    return Stage(
        stage=stage,
        list_name=name,
        clauses=len(clauses),
        candidates=0,
        hits=0,
        seconds=seconds,
    )


def _found_stage(found: RankedList) -> Stage:
    return Stage(
        stage="record search",
        list_name=found.name,
        clauses=len(found.clauses),
        candidates=found.candidates,
        hits=len(found.hits),
        seconds=found.seconds,
    )


def _fusion_stage(ranked: Sequence[RankedList], hits: int, seconds: float) -> Stage:
    return Stage(
        stage="fusion",
        list_name="",
        clauses=0,
        candidates=sum(len(each.hits) for each in ranked),
        hits=hits,
        seconds=seconds,
    )

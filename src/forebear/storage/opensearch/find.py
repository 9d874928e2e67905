"""Record search in the cluster: gated there, and scored here unless the candidates are many.

The lists of a search share a gate, so the cluster is asked for the candidates of all of them at
once, and returns the numbers of their personas' terms; they are scored here.  To score in the
cluster takes the clauses of a list, a hundred kilobytes that it reads longer than it searches.
Only a list with more candidates than it takes to send is scored and ranked in the cluster.
Its hits bring their terms along too: from these the best persona and the clauses that fired are
computed here, and the score must be the one that the cluster ranked by.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.expansion.gate import Gate
from forebear.search.facets import ListFacets, count_facets
from forebear.search.hits import Hits
from forebear.search.record_search.ranked_list import (
    ListSearch,
    ListState,
    RankedList,
    failed_list,
    narrow,
)
from forebear.search.store import CollectionRow, is_whole_collection
from forebear.storage.opensearch.cluster import PAGE, Cluster, missing
from forebear.storage.opensearch.hits import (
    ConditionNumbers,
    ScoredList,
    read_hits,
    read_personas,
    score_lists,
)
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.queries import (
    Branches,
    Formula,
    Json,
    all_of,
    allowed_records,
    any_branch,
    as_text,
    best_score,
    has_any,
    holding,
    nested,
    possible,
)

MAX_VALUES = 30_000  # of all facets of a list together
_RANKED: list[Json] = [{"_score": "desc"}, {"tie": "asc"}]


MAX_FETCHED = 10_000  # records that one search returns; the cluster's own limit


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """What the cluster returned for one gate that it ranked."""

    hits: Hits
    gated: int  # personas that pass the gate
    possible: int  # and that no date makes impossible
    records: int
    missing: str


class OpenSearchFinder:
    """Finds the best records of a list."""

    lists_at_once = 16
    list_seconds = 30.0  # before the others go on without a list
    few_records = MAX_FETCHED  # that pass the gate of all lists; they are scored here
    few_of_list = 3_000  # to rank more records of one list in the cluster is quicker

    def __init__(self, cluster: Cluster, indexes: Indexes) -> None:
        self._cluster = cluster
        self._indexes = indexes
        self._numbers = ConditionNumbers()

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        """Return the best records of each list that the viewer may see, each record once.

        What is not returned whole for all lists at once is searched list by list, at the same
        time.  A list that takes too long is reported as failed.
        """
        ranked = self._find_together(searches, viewer, top) if len(searches) > 1 else {}
        others = [number for number in range(len(searches)) if number not in ranked]
        if len(others) == 1:
            ranked[others[0]] = self._find_or_fail(searches[others[0]], viewer, top)
        elif others:
            ranked |= self._find_each(searches, others, viewer, top)
        return [ranked[number] for number in range(len(searches))]

    def _find_together(
        self, searches: Sequence[ListSearch], viewer: Viewer, top: int
    ) -> dict[int, RankedList]:
        """Return the lists, by number, of which one request returned all candidates."""
        started = time.perf_counter()
        by_gate: dict[object, list[int]] = {}
        for number, search in enumerate(searches):
            # By identity: the lists of a search share their branches, which are long to compare.
            gate = search.gate
            key = (id(gate.branches), gate.required, gate.refinements)
            by_gate.setdefault(key, []).append(number)
        groups = [[searches[number] for number in numbers] for numbers in by_gate.values()]
        try:
            responses = self._cluster.searches(
                [self._candidates(group, viewer, self.few_records) for group in groups]
            )
        except StorageError:
            return {}  # searched one by one, only those that fail are reported
        ranked: dict[int, RankedList] = {}
        for numbers, group, response in zip(by_gate.values(), groups, responses, strict=True):
            if missing(response) or _is_more_than(self.few_records, response):
                continue
            personas = read_personas(response["hits"]["hits"])
            scored = score_lists(group, personas, self._numbers, top=top)
            ranked |= dict(zip(numbers, map(_ranked_list, scored), strict=True))
        seconds = (time.perf_counter() - started) / len(searches)
        return {number: replace(list_, seconds=seconds) for number, list_ in ranked.items()}

    def _find_each(
        self, searches: Sequence[ListSearch], numbers: Sequence[int], viewer: Viewer, top: int
    ) -> dict[int, RankedList]:
        """Return lists that are searched at the same time, each by itself."""
        pool = ThreadPoolExecutor(self.lists_at_once, thread_name_prefix="list")
        try:
            deadline = time.monotonic() + self.list_seconds
            pending = {
                number: pool.submit(self._find_or_fail, searches[number], viewer, top)
                for number in numbers
            }
            return {
                number: self._in_time(future, searches[number], deadline)
                for number, future in pending.items()
            }
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _in_time(
        self, future: Future[RankedList], search: ListSearch, deadline: float
    ) -> RankedList:
        try:
            return future.result(timeout=max(0.0, deadline - time.monotonic()))
        except TimeoutError:
            return failed_list(search, f"late: no answer within {self.list_seconds:g} s")

    def _find_or_fail(self, search: ListSearch, viewer: Viewer, top: int) -> RankedList:
        try:
            return self._find(search, viewer, top)
        except StorageError as error:
            return failed_list(search, error.message)

    def _find(self, search: ListSearch, viewer: Viewer, top: int) -> RankedList:
        started = time.perf_counter()
        limit = min(self.few_records, self.few_of_list)
        index, body = self._candidates([search], viewer, limit)
        response = self._cluster.parts(index, body)
        if "hits" not in response:
            raise StorageError(f"the list {search.name!r} was not searched: {missing(response)}")
        if _is_more_than(limit, response):
            list_ = self._find_ranked(search, viewer, top)
        else:
            personas = read_personas(response["hits"]["hits"])
            (scored,) = score_lists([search], personas, self._numbers, top=top)
            list_ = _ranked_list(scored, missing(response))
        return replace(list_, seconds=time.perf_counter() - started)

    def _find_ranked(self, search: ListSearch, viewer: Viewer, top: int) -> RankedList:
        """Return a list that the cluster scores and ranks."""
        branches = self._branches(search, viewer)
        candidates, steps = reduce(or_, branches), 0
        ranked = self._rank(search, candidates, viewer, top)
        if ranked.gated > search.gate.limit:
            count = branches[0].count
            refinements = [holding([condition], count) for condition in search.gate.refinements]
            candidates, steps = narrow(branches, refinements, limit=search.gate.limit)
            ranked = self._rank(search, candidates, viewer, top) if steps else ranked
        scored = ScoredList(
            search=search,
            hits=ranked.hits,
            gated=ranked.gated,
            possible=ranked.possible,
            records=ranked.records,
            steps=steps,
        )
        return _ranked_list(scored, ranked.missing)

    def _candidates(
        self, searches: Sequence[ListSearch], viewer: Viewer, limit: int
    ) -> tuple[str, Json]:
        """Return the indexes and the search for all that passes the gate that lists share."""
        gate = searches[0].gate
        branches = tuple(branch.conditions for branch in gate.branches)
        collections = dict.fromkeys(name for search in searches for name in search.collections)
        filters = [*allowed_records(list(collections), viewer), nested(_gate(gate, branches))]
        aliases = dict.fromkeys(self._indexes.alias_of(search.record_type) for search in searches)
        body: Json = {
            "size": limit,
            "track_total_hits": limit + 1,
            "stored_fields": "_none_",
            "docvalue_fields": ["pb"],
            "sort": ["_doc"],
            "query": {"bool": {"filter": filters}},
        }
        return ",".join(aliases), body

    def facets(self, searches: Sequence[ListSearch], *, viewer: Viewer) -> list[ListFacets]:
        """Count, for each list, everything that passes its gate, never narrowed."""
        return [self._facets(search, viewer) for search in searches]

    def _facets(self, search: ListSearch, viewer: Viewer) -> ListFacets:
        gate = _search_gate(search)
        filters = [*allowed_records(search.collections, viewer), nested(gate)]
        aggregations = _counts(gate, possible(gate, search.gate))
        aggregations["personas"]["aggs"]["possible"]["aggs"] = {
            "records": {"reverse_nested": {}},
            "facets": {
                "terms": {"field": "p.facet", "size": MAX_VALUES},
                "aggs": {"records": {"reverse_nested": {}}},
            },
        }
        response = self._cluster.search(
            self._indexes.alias_of(search.record_type),
            {
                "size": 0,
                "query": {"bool": {"filter": filters}},
                "aggs": aggregations,
            },
        )
        counted = response["aggregations"]["personas"]
        spread = counted["possible"]["facets"]
        if spread["sum_other_doc_count"]:
            raise StorageError(f"{search.name!r} has more than {MAX_VALUES} values of facets")
        return ListFacets(
            name=search.name,
            record_type=search.record_type,
            records=counted["possible"]["records"]["doc_count"],
            candidates=counted["possible"]["doc_count"],
            excluded=counted["gated"]["doc_count"] - counted["possible"]["doc_count"],
            counts=count_facets(
                {
                    _facet(bucket["key"]): bucket["records"]["doc_count"]
                    for bucket in spread["buckets"]
                }
            ),
        )

    def browse(
        self,
        search: ListSearch,
        *,
        viewer: Viewer,
        limit: int,
        after: CollectionRow | None = None,
        before: CollectionRow | None = None,
    ) -> list[CollectionRow]:
        """Return records that pass a gate and that the viewer may see, in the source's order."""
        filters = allowed_records(search.collections, viewer)
        if not is_whole_collection(search):
            filters.append(nested(_search_gate(search)))
        order = "desc" if before else "asc"
        body: Json = {
            "query": {"bool": {"filter": filters}},
            "sort": [{"position": order}, {"key": order}],
            "_source": ["key", "position"],
        }
        if start := before or after:
            body["search_after"] = list(start.place)
        index = self._indexes.alias_of(search.record_type)
        if limit > PAGE:
            hits = list(self._cluster.scan(index, body, limit=limit))
        else:
            page = {**body, "size": limit, "track_total_hits": False}
            response = self._cluster.search(index, page, may_be_absent=True)
            hits = response["hits"]["hits"] if response else []
        rows = [
            CollectionRow(
                position=hit["_source"]["position"],
                record_key=hit["_source"]["key"],
            )
            for hit in hits
        ]
        return rows[::-1] if before else rows

    def _rank(self, search: ListSearch, candidates: Formula, viewer: Viewer, top: int) -> _Ranked:
        gate = _gate(search.gate, candidates.branches)
        possible_ones = possible(gate, search.gate)
        body: Json = {
            "track_total_hits": True,
            "stored_fields": "_none_",
            "docvalue_fields": ["pb"],
            "sort": _RANKED,
            "aggs": _counts(gate, possible_ones),
            **_scored(search, gate, possible_ones, viewer),
        }
        index = self._indexes.alias_of(search.record_type)
        response = self._cluster.parts(index, {**body, "size": min(top, PAGE)})
        if "aggregations" not in response:
            raise StorageError(f"the list {search.name!r} was not searched: {missing(response)}")
        hits = response["hits"]["hits"]
        if len(hits) == PAGE < top:
            # A long list is walked as it was at one moment.
            pages = {key: value for key, value in body.items() if key != "aggs"}
            hits = list(self._cluster.scan(index, pages, limit=top))
        personas = response["aggregations"]["personas"]
        return _Ranked(
            hits=read_hits(search, candidates.branches, hits, self._numbers),
            gated=personas["gated"]["doc_count"],
            possible=personas["possible"]["doc_count"],
            records=response["hits"]["total"]["value"],
            missing=missing(response),
        )

    def _branches(self, search: ListSearch, viewer: Viewer) -> list[Formula]:
        count = self._counter(search, viewer)
        return [holding(branch.conditions, count) for branch in search.gate.branches]

    def _counter(self, search: ListSearch, viewer: Viewer) -> Callable[[Json], int]:
        """Return what counts the personas of a list that pass a query, each query once."""
        index = self._indexes.alias_of(search.record_type)
        required = [has_any(condition) for condition in search.gate.required]
        counts: dict[str, int] = {}

        def count(query: Json) -> int:
            text = as_text(query)
            if text not in counts:
                counts[text] = send(query)
            return counts[text]

        def send(query: Json) -> int:
            gate = all_of([*required, query])
            filters = [*allowed_records(search.collections, viewer), nested(gate)]
            body = {
                "size": 0,
                "query": {"bool": {"filter": filters}},
                "aggs": _counts(gate, gate),
            }
            response = self._cluster.search(index, body)
            return int(response["aggregations"]["personas"]["gated"]["doc_count"])

        return count


def _gate(gate: Gate, branches: Branches) -> Json:
    required = [has_any(condition) for condition in gate.required]
    return all_of([*required, any_branch(branches)])


def _search_gate(search: ListSearch) -> Json:
    return _gate(search.gate, tuple(branch.conditions for branch in search.gate.branches))


def _is_more_than(limit: int, response: Json) -> bool:
    return bool(response["hits"]["total"]["value"] > limit)


def _ranked_list(scored: ScoredList, missing_part: str = "") -> RankedList:
    search, steps = scored.search, scored.steps
    return RankedList(
        name=search.name,
        record_type=search.record_type,
        hits=scored.hits,
        candidates=scored.possible,
        records=scored.records,
        excluded=scored.gated - scored.possible,
        state=_state(missing_part, steps),
        message=missing_part or (f"narrowed in {steps} steps" if steps else ""),
        clauses=search.info.clauses,
    )


def _scored(search: ListSearch, gate: Json, possible_ones: Json, viewer: Viewer) -> Json:
    """Return the query that ranks records, and what keeps impossible ones out of the hits."""
    filters = allowed_records(search.collections, viewer)
    score = best_score(possible_ones, search.clauses, search.weights)
    if not search.gate.excluded:
        return {"query": {"bool": {"filter": filters, "must": [score]}}}
    # Records of which only impossible personas pass are counted, and then left out.
    return {
        "query": {"bool": {"filter": [*filters, nested(gate)], "should": [score]}},
        "post_filter": nested(possible_ones),
    }


def _counts(gate: Json, possible_ones: Json) -> Json:
    return {
        "personas": {
            "nested": {"path": "p"},
            "aggs": {"gated": {"filter": gate}, "possible": {"filter": possible_ones}},
        }
    }


def _state(missing_part: str, steps: int) -> ListState:
    if missing_part:
        return "partial"
    return "narrowed" if steps else "complete"


def _facet(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value

"""Record search in the cluster: gated there, and scored where that is quicker.

Most gates let few records in.  These are fetched with their personas' terms and scored here:
the clauses of a list make a query of a hundred kilobytes, and to read it takes the cluster longer
than all else.  Where there are many, the cluster scores and ranks them; its hits bring their
terms along too, from which the best persona and the clauses that fired are worked out here,
and the score so found must be the one that the cluster ranked by.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from operator import or_

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.hits import Hits
from forebear.search.record_search.facets import ListFacets, count_facets
from forebear.search.record_search.narrow import narrow
from forebear.search.record_search.ranked_list import (
    ListSearch,
    ListState,
    RankedList,
    failed_list,
)
from forebear.search.store import CollectionRow, is_whole_collection, source_position
from forebear.storage.opensearch.answers import missing
from forebear.storage.opensearch.cluster import PAGE, Cluster
from forebear.storage.opensearch.hits import read_hits, score_records
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.queries import (
    Formula,
    Json,
    all_of,
    allowed_records,
    as_text,
    best_score,
    has_any,
    holding,
    nested,
    possible,
)

MOST_VALUES = 30_000  # of all facets of a list together
_RANKED: list[Json] = [{"_score": "desc"}, {"tie": "asc"}]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the cluster answered to one gate."""

    hits: Hits
    gated: int  # personas that pass the gate
    possible: int  # and that no date makes impossible
    records: int
    lacking: str


class OpenSearchFinder:
    """Finds the best records of a list."""

    lists_at_once = 16
    list_seconds = 30.0  # before the others go on without a list
    few_records = 500  # that pass a gate; to fetch and score them here is quicker

    def __init__(self, cluster: Cluster, indexes: Indexes) -> None:
        self._cluster = cluster
        self._indexes = indexes

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        """Return the best records of each list that the viewer may see, each record once.

        The lists are searched at the same time, because each waits for the cluster.  A list
        that has not been answered in time is reported as failed.
        """
        if len(searches) < 2:
            return [self._find_or_fail(search, viewer, top) for search in searches]
        pool = ThreadPoolExecutor(self.lists_at_once, thread_name_prefix="list")
        try:
            deadline = time.monotonic() + self.list_seconds
            pending = [
                (search, pool.submit(self._find_or_fail, search, viewer, top))
                for search in searches
            ]
            return [self._in_time(future, search, deadline) for search, future in pending]
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
        branches = self._branches(search, viewer)
        candidates, steps = reduce(or_, branches), 0
        found = self._few(search, candidates, viewer, top)
        if found is None:
            found = self._rank(search, candidates, viewer, top)
        if found.gated > search.gate.limit:
            count = branches[0].count
            refinements = [holding([way], count) for way in search.gate.refinements]
            candidates, steps = narrow(branches, refinements, limit=search.gate.limit)
            found = self._rank(search, candidates, viewer, top) if steps else found
        return RankedList(
            name=search.name,
            record_type=search.record_type,
            hits=found.hits,
            candidates=found.possible,
            records=found.records,
            excluded=found.gated - found.possible,
            state=_state(found.lacking, steps),
            message=found.lacking or (f"narrowed in {steps} steps" if steps else ""),
            seconds=time.perf_counter() - started,
            clauses=tuple(clause.name for clause in search.clauses),
        )

    def facets(self, searches: Sequence[ListSearch], *, viewer: Viewer) -> list[ListFacets]:
        """Count, for each list, everything that passes its gate, never narrowed."""
        return [self._facets(search, viewer) for search in searches]

    def _facets(self, search: ListSearch, viewer: Viewer) -> ListFacets:
        gate = self._gate(search, reduce(or_, self._branches(search, viewer)))
        aggregations = _counts(gate, possible(gate, search.gate))
        aggregations["personas"]["aggs"]["possible"]["aggs"] = {
            "records": {"reverse_nested": {}},
            "facets": {
                "terms": {"field": "p.facet", "size": MOST_VALUES},
                "aggs": {"records": {"reverse_nested": {}}},
            },
        }
        told = self._cluster.search(
            self._indexes.alias_of(search.record_type),
            {
                "size": 0,
                "query": {"bool": {"filter": [*allowed_records(search, viewer), nested(gate)]}},
                "aggs": aggregations,
            },
        )["aggregations"]["personas"]
        spread = told["possible"]["facets"]
        if spread["sum_other_doc_count"]:
            raise StorageError(f"{search.name!r} has more than {MOST_VALUES} values of facets")
        return ListFacets(
            name=search.name,
            record_type=search.record_type,
            records=told["possible"]["records"]["doc_count"],
            candidates=told["possible"]["doc_count"],
            excluded=told["gated"]["doc_count"] - told["possible"]["doc_count"],
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
        filters = allowed_records(search, viewer)
        if not is_whole_collection(search):
            gate = self._gate(search, reduce(or_, self._branches(search, viewer)))
            filters.append(nested(gate))
        order = "desc" if before else "asc"
        body: Json = {
            "query": {"bool": {"filter": filters}},
            "sort": [{"position": order}, {"key": order}],
            "_source": ["key", "source"],
        }
        if start := before or after:
            body["search_after"] = list(start.place)
        index = self._indexes.alias_of(search.record_type)
        if limit > PAGE:
            hits = list(self._cluster.scan(index, body, most=limit))
        else:
            page = {**body, "size": limit, "track_total_hits": False}
            answer = self._cluster.search(index, page, may_be_absent=True)
            hits = answer["hits"]["hits"] if answer else []
        rows = [
            CollectionRow(
                position=source_position(hit["_source"]["source"]),
                record_key=hit["_source"]["key"],
            )
            for hit in hits
        ]
        return rows[::-1] if before else rows

    def _few(
        self, search: ListSearch, candidates: Formula, viewer: Viewer, top: int
    ) -> _Found | None:
        """Return what passes a gate, scored here; None if it is too much for that."""
        gate = nested(self._gate(search, candidates))
        body: Json = {
            "size": self.few_records,
            "track_total_hits": self.few_records + 1,
            "stored_fields": "_none_",
            "docvalue_fields": ["pb"],
            "sort": ["_doc"],
            "query": {"bool": {"filter": [*allowed_records(search, viewer), gate]}},
        }
        found = self._cluster.parts(self._indexes.alias_of(search.record_type), body)
        if "hits" not in found:
            raise StorageError(f"the list {search.name!r} was not searched: {missing(found)}")
        if found["hits"]["total"]["value"] > self.few_records:
            return None
        scored = score_records(search, candidates, found["hits"]["hits"])
        return _Found(
            hits=scored.hits[:top],
            gated=scored.gated,
            possible=scored.possible,
            records=len(scored.hits),
            lacking=missing(found),
        )

    def _rank(self, search: ListSearch, candidates: Formula, viewer: Viewer, top: int) -> _Found:
        gate = self._gate(search, candidates)
        wanted = possible(gate, search.gate)
        body: Json = {
            "track_total_hits": True,
            "stored_fields": "_none_",
            "docvalue_fields": ["pb"],
            "sort": _RANKED,
            "aggs": _counts(gate, wanted),
            **_scored(search, gate, wanted, viewer),
        }
        index = self._indexes.alias_of(search.record_type)
        found = self._cluster.parts(index, {**body, "size": min(top, PAGE)})
        if "aggregations" not in found:
            raise StorageError(f"the list {search.name!r} was not searched: {missing(found)}")
        hits = found["hits"]["hits"]
        if len(hits) == PAGE < top:
            # A long list is walked as it was at one moment.
            pages = {key: value for key, value in body.items() if key != "aggs"}
            hits = list(self._cluster.scan(index, pages, most=top))
        personas = found["aggregations"]["personas"]
        return _Found(
            hits=read_hits(search, candidates, hits),
            gated=personas["gated"]["doc_count"],
            possible=personas["possible"]["doc_count"],
            records=found["hits"]["total"]["value"],
            lacking=missing(found),
        )

    def _gate(self, search: ListSearch, candidates: Formula) -> Json:
        required = [has_any(condition) for condition in search.gate.required]
        return all_of([*required, candidates.query])

    def _branches(self, search: ListSearch, viewer: Viewer) -> list[Formula]:
        count = self._counter(search, viewer)
        return [holding(branch.conditions, count) for branch in search.gate.branches]

    def _counter(self, search: ListSearch, viewer: Viewer) -> Callable[[Json], int]:
        """Return what counts the personas of a list that pass a query."""
        index = self._indexes.alias_of(search.record_type)
        required = [has_any(condition) for condition in search.gate.required]
        counted: dict[str, int] = {}

        def count(query: Json) -> int:
            text = as_text(query)
            if text not in counted:
                counted[text] = ask(query)
            return counted[text]

        def ask(query: Json) -> int:
            asked = all_of([*required, query])
            filters = [*allowed_records(search, viewer), nested(asked)]
            body = {
                "size": 0,
                "query": {"bool": {"filter": filters}},
                "aggs": _counts(asked, asked),
            }
            told = self._cluster.search(index, body)
            return int(told["aggregations"]["personas"]["gated"]["doc_count"])

        return count


def _scored(search: ListSearch, gate: Json, wanted: Json, viewer: Viewer) -> Json:
    """Return the query that ranks records, and what keeps impossible ones out of the hits."""
    filters = allowed_records(search, viewer)
    score = best_score(wanted, search.clauses, search.weights)
    if not search.gate.excluded:
        return {"query": {"bool": {"filter": filters, "must": [score]}}}
    # Records of which only impossible personas pass are counted, and then left out.
    return {
        "query": {"bool": {"filter": [*filters, nested(gate)], "should": [score]}},
        "post_filter": nested(wanted),
    }


def _counts(gate: Json, wanted: Json) -> Json:
    return {
        "personas": {
            "nested": {"path": "p"},
            "aggs": {"gated": {"filter": gate}, "possible": {"filter": wanted}},
        }
    }


def _state(lacking: str, steps: int) -> ListState:
    if lacking:
        return "partial"
    return "narrowed" if steps else "complete"


def _facet(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value

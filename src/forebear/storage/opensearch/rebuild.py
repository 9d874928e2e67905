"""How is an index rewritten while it is searched and written to?

The new index is filled from one moment of the old one, behind its back.  Then the old one
refuses writes, what was changed since that moment is brought over, and the aliases move to
the new one in one step.  The old one stays until no search that began before that step can be
under way: a cluster that is asked for several indexes leaves out, without a word, one that is
deleted meanwhile.  A write that falls into the last, short part is refused and asked for
again until the alias has moved.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from forebear.storage.opensearch.cluster import Cluster, Json
from forebear.storage.opensearch.households import Action
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.queries import UNMASKED
from forebear.storage.opensearch.records import OpenSearchRecords

BATCH = 1_000
IN_FLIGHT = 1_000  # changes that may have begun before the copy and ended after it


def rebuild(
    cluster: Cluster,
    indexes: Indexes,
    records: OpenSearchRecords,
    record_types: Iterable[str],
    progress: Callable[[int, int], None],
) -> None:
    """Rewrite the indexes of some record types; ``progress`` gets the records done and all."""
    types = [name for name in record_types if indexes.current(name)]
    counts = {name: _count(cluster, indexes.current(name)) for name in types}
    done = 0
    for record_type in types:
        indexes.delete_replaced(record_type)  # what an interrupted rebuild left
        for copied in _rebuild(cluster, indexes, records, record_type):
            progress(done + copied, sum(counts.values()))
        done += counts[record_type]
    if types:
        time.sleep(cluster.attempt_seconds)
    for record_type in types:
        indexes.delete_replaced(record_type)


def _rebuild(
    cluster: Cluster, indexes: Indexes, records: OpenSearchRecords, record_type: str
) -> Iterator[int]:
    """Rewrite an index and yield, after every batch, how many records are in the new one."""
    old = indexes.current(record_type)
    new = indexes.create_numbered(record_type, indexes.next_number(record_type), aliases={})
    began = indexes.change_number()
    yield from _write(cluster, records.rewritten(old, new, {"match_all": {}}))
    indexes.block_writes(old)
    cluster.write("POST", f"/{old}/_refresh")
    changed = {"range": {"written": {"gte": began - IN_FLIGHT}}}
    deque(_write(cluster, records.rewritten(old, new, changed)), maxlen=0)
    if _count(cluster, new) != _count(cluster, old):
        stored = {hit["_id"] for hit in _hits(cluster, old, UNMASKED)}
        _delete(
            cluster,
            new,
            (h["_id"] for h in _hits(cluster, new, UNMASKED) if h["_id"] not in stored),
        )
    _delete(cluster, new, _stale_masks(cluster, new))
    indexes.switch(record_type, old, new)


def _write(cluster: Cluster, actions: Iterator[Action]) -> Iterator[int]:
    """Send actions in batches and yield how many were sent after each."""
    sent = 0
    while batch := list(islice(actions, BATCH)):
        cluster.bulk(batch)
        sent += len(batch)
        yield sent


def _delete(cluster: Cluster, index: str, ids: Iterable[str]) -> None:
    deletions = (({"delete": {"_index": index, "_id": name}}, None) for name in ids)
    deque(_write(cluster, deletions), maxlen=0)


def _stale_masks(cluster: Cluster, index: str) -> Iterator[str]:
    """Yield the masked documents whose record was changed or deleted after they were written."""
    masks = list(_hits(cluster, index, {"exists": {"field": "until"}}))
    written = (
        {
            hit["_source"]["key"]: hit["_source"]["written"]
            for hit in _hits(cluster, index, UNMASKED)
        }
        if masks
        else {}
    )
    for hit in masks:
        if written.get(hit["_source"]["key"]) != hit["_source"]["written"]:
            yield hit["_id"]


def _count(cluster: Cluster, index: str) -> int:
    response = cluster.search(index, {"size": 0, "track_total_hits": True, "query": UNMASKED})
    return int(response["hits"]["total"]["value"])


def _hits(cluster: Cluster, index: str, query: Json) -> Iterator[Json]:
    body = {"query": query, "sort": [{"key": "asc"}], "_source": ["key", "written"]}
    return cluster.scan(index, body)

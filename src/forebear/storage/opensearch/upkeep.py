"""Keeping an archive in a cluster in order: is it as the records say, and how is it rewritten?

The check compares what is searched with what the records say.

An index is rewritten while it is searched and written to.  The new index is filled from one moment
of the old one, behind its back.  Then the old one refuses writes, what was changed since that
moment is brought over, and the aliases move to the new one in one step.  The old one stays until no
search that began before that step can be under way: a cluster that searches several indexes omits,
without an error, one that is deleted meanwhile.  A write that falls into the last, short part is
refused and repeated until the alias has moved.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice

from forebear.records.privacy import OWNER, PRIVACY_RULES_VERSION
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.opensearch.cluster import Cluster, Json
from forebear.storage.opensearch.documents import (
    document_id,
    read_document,
    unpack,
    write_documents,
)
from forebear.storage.opensearch.households import Action
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.queries import UNMASKED
from forebear.storage.opensearch.records import OpenSearchRecords
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.port import MAX_FAULTS, CheckReport

Pairs = Counter[tuple[str, str]]  # personas by part and field
BATCH = 1_000
IN_FLIGHT = 1_000  # changes that may have begun before the copy and ended after it


class _Check:
    """One pass over all records, with what it counted on the way."""

    def __init__(self, storage: OpenSearchStorage) -> None:
        self._storage = storage
        self._collections = {collection.name: collection for collection in storage.collections()}
        self._hidden = storage.takedowns().keys()
        # Terms of older rules differ from those the records would get now.
        self._are_older = storage.terms_version() < TERM_RULES_VERSION
        self._hide_less = storage.privacy_version() < PRIVACY_RULES_VERSION
        self.records = self.personas = 0
        self.pairs: Pairs = Counter()

    def faults(self) -> Iterator[str]:
        documents = self._storage.documents()
        for _, members in groupby(documents, key=lambda hit: hit["_source"]["group"]):
            yield from self._group_faults(list(members))
        if self._are_older or self._hide_less:
            return
        indexed: Pairs = Counter()
        for part, having in self._storage.knowledge(OWNER).habits_now().items():
            indexed.update({(part, field): count for field, count in having.items()})
        for part, field in sorted(self.pairs.keys() | indexed.keys()):
            if self.pairs[part, field] != indexed[part, field]:
                yield f"the index of {field!r} in {part!r} is not what the personas say"

    def _group_faults(self, hits: list[Json]) -> Iterator[str]:
        stored = {hit["_id"]: hit for hit in hits}
        records = [hit for hit in hits if "until" not in hit["_source"]]
        if not records:
            yield f"{hits[0]['_id']!r} is a masked document of no record"
            return
        group = tuple(read_document(hit["_source"]) for hit in records)
        for hit in records:
            self.records += 1
            self.personas += len(_terms(hit["fields"]["pb"][0]))
        if self._hide_less:
            return
        is_hidden = any(record.key in self._hidden for record in group)
        collection = self._collections[group[0].collection]
        expected = {
            document_id(document["key"], is_masked="until" in document): document
            for document in write_documents(group, collection, is_hidden=is_hidden)
        }
        for document in expected.values():
            if "until" not in document:
                self._count(document)
        for name in sorted(expected.keys() | stored.keys()):
            yield from self._document_faults(name, expected.get(name), stored.get(name))

    def _document_faults(self, name: str, expected: Json | None, hit: Json | None) -> Iterator[str]:
        if expected is None or hit is None:
            yield f"{name!r} is masked where it should not be, or is not where it should"
            return
        key, source = expected["key"], hit["_source"]
        for year in ("public_year", "until"):
            if source.get(year) != expected.get(year):
                yield f"{key}: public from another year than {expected.get(year)}"
        if self._are_older:
            return
        written, stored = _terms(expected["pb"]), _terms(hit["fields"]["pb"][0])
        for position in sorted(written.keys() | stored.keys()):
            if written.get(position) != stored.get(position):
                yield f"{key}: persona {position} has other terms than the record gives it"

    def _count(self, document: Json) -> None:
        for persona in document["p"]:
            self.pairs.update((part, field) for part in persona["part"] for field in persona["has"])


def _terms(packed: str) -> dict[int, frozenset[bytes]]:
    """Return the numbers of each persona's terms, by the persona's position."""
    return {
        position: frozenset(numbers[at : at + 8] for at in range(0, len(numbers), 8))
        for position, _, numbers in unpack(packed)[2]
    }


def check_storage(storage: OpenSearchStorage) -> CheckReport:
    """Compare what is searched with what the records say, and return the faults."""
    check = _Check(storage)
    faults = tuple(islice(check.faults(), MAX_FAULTS))
    return CheckReport(records=check.records, personas=check.personas, faults=faults)


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

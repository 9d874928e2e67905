"""Keeping an archive in a cluster in order: is what is searched what the records say?"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice

from forebear.records.privacy import OWNER, PRIVACY_RULES_VERSION
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.opensearch.cluster import Json
from forebear.storage.opensearch.documents import (
    document_id,
    read_document,
    unpack,
    write_documents,
)
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.port import MAX_FAULTS, CheckReport

Pairs = Counter[tuple[str, str]]  # personas by part and field


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

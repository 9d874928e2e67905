"""Keeping an archive in a cluster in order: is what is searched what the records say?"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from forebear.records.privacy import NEVER, OWNER, public_year
from forebear.search.terms.fields import HAS, TERM_RULES_VERSION, field_of, value_of
from forebear.search.terms.write import write_terms
from forebear.storage.opensearch.answers import Json
from forebear.storage.opensearch.documents import PackedPersona, read_document, unpack
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.port import MAX_FAULTS, CheckReport

Pairs = Counter[tuple[str, str]]  # personas by part and field


class _Check:
    """One pass over all records, with what it counted on the way."""

    def __init__(self, storage: OpenSearchStorage) -> None:
        self._storage = storage
        self._collections = {each.name: each for each in storage.collections()}
        self._hidden = storage.takedowns().keys()
        # Terms of older rules differ from those the records would get now.
        self._are_older = storage.terms_version() < TERM_RULES_VERSION
        self.records = self.personas = 0
        self.pairs: Pairs = Counter()

    def faults(self) -> Iterator[str]:
        documents = self._storage.documents()
        for _, members in groupby(documents, key=lambda hit: hit["_source"]["group"]):
            yield from self._group_faults(list(members))
        indexed: Pairs = Counter()
        for part, having in self._storage.knowledge(OWNER).habits_now().items():
            indexed.update({(part, field): count for field, count in having.items()})
        for part, field in sorted(self.pairs.keys() | indexed.keys()):
            if self.pairs[part, field] != indexed[part, field]:
                yield f"the index of {field!r} in {part!r} is not what the personas say"

    def _group_faults(self, hits: list[Json]) -> Iterator[str]:
        group = tuple(read_document(hit["_source"]) for hit in hits)
        collection = self._collections[group[0].collection]
        is_hidden = any(record.key in self._hidden for record in group)
        year = NEVER if is_hidden else public_year(group, collection)
        expected = {
            (persona.record_key, persona.position): persona.terms
            for persona in write_terms(group, collection)
        }
        for record, hit in zip(group, hits, strict=True):
            self.records += 1
            if hit["_source"]["public_year"] != year:
                yield f"{record.key}: public from another year than {year}"
            key, personas = unpack(hit["fields"]["pb"][0])
            self._count(personas)
            stored = {(key, persona.position): persona.terms for persona in personas}
            if self._are_older:
                continue
            own = {at: terms for at, terms in expected.items() if at[0] == record.key}
            for at in sorted(own.keys() | stored.keys()):
                if own.get(at) != stored.get(at):
                    yield f"{at[0]}: persona {at[1]} has other terms than the record gives it"

    def _count(self, personas: Iterable[PackedPersona]) -> None:
        for persona in personas:
            self.personas += 1
            parts = [value_of(fact) for fact in persona.terms if field_of(fact) == "record.part"]
            fields = [value_of(fact) for fact in persona.terms if field_of(fact) == HAS]
            self.pairs.update((part, field) for part in parts for field in fields)


def check_storage(storage: OpenSearchStorage) -> CheckReport:
    """Compare what is searched with what the records say, and return the faults."""
    check = _Check(storage)
    faults = tuple(islice(check.faults(), MAX_FAULTS))
    return CheckReport(records=check.records, personas=check.personas, faults=faults)

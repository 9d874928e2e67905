"""What is stored in the cluster: records for a viewer, and all of them for those who keep it."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from forebear.ingest.store import Group, SourceFile
from forebear.records.codec import decode_collection
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.hits import TIE_KEYS
from forebear.storage.opensearch.cluster import PAGE, Cluster, Json
from forebear.storage.opensearch.documents import read_document
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.knowledge import ClusterCache
from forebear.storage.opensearch.queries import UNMASKED, all_of, visible_records

KEYS_AT_ONCE = 1_000  # a request

GroupOfFile = tuple[Group, str]  # a group and the name of the file it came from


class StoredRecords:
    """Reads the records of an archive."""

    def __init__(self, cluster: Cluster, indexes: Indexes, cache: ClusterCache) -> None:
        self._cluster = cluster
        self._indexes = indexes
        self._cache = cache
        self._unseen: frozenset[str] = frozenset()  # aliases of indexes with changes to refresh

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""
        return tuple(self._cache.get("collections", self._collections_now).values())

    def privacy_version(self) -> int:
        """Return the version of the rules by which it was decided what the public may see."""
        return int(self._metadata().get("privacy", 1))

    def import_year(self) -> int:
        """Return the year of the last import; 0 if there was none."""
        return int(self._metadata().get("import_year", 0))

    def _refresh_unseen(self) -> None:
        """Let searches see what was written here."""
        if self._unseen:
            self._cluster.refresh(",".join(sorted(self._unseen)))
            self._unseen = frozenset()

    def _metadata(self) -> dict[str, str]:
        return self._cache.get("metadata", lambda: self._values_of("metadata"))

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return self._values_of("takedown")

    def records(
        self, keys: Sequence[str], *, viewer: Viewer, groups: bool = False
    ) -> dict[str, tuple[Record, ...]]:
        """Return records by key that the viewer may see, each alone or with its household."""
        sources = [
            source
            for chunk in in_chunks(list(dict.fromkeys(keys)))
            for source in self._enough({"terms": {"key": chunk}}, len(chunk), viewer)
        ]
        households = self._households(sources, viewer) if groups else {}
        return {
            source["key"]: households.get(source["group"]) or (read_document(source),)
            for source in sources
        }

    def _households(self, sources: Sequence[Json], viewer: Viewer) -> dict[str, Group]:
        """Return the groups of more than one record in which any of these are, by name."""
        sizes = {source["group"]: source["members"] for source in sources if source["members"] > 1}
        members: defaultdict[str, list[Record]] = defaultdict(list)
        for chunk in in_chunks(sorted(sizes)):
            size = sum(sizes[name] for name in chunk)
            for source in self._enough({"terms": {"group": chunk}}, size, viewer):
                members[source["group"]].append(read_document(source))
        return {name: tuple(group) for name, group in members.items()}

    def groups(self) -> Iterator[tuple[Group, SourceFile | None]]:
        """Yield all groups of the archive as they are at one moment, each with its file."""
        for group, file in self._stored({"match_all": {}}):
            yield group, _read_file(file)

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return keys of records of a collection chosen at random; a key may repeat.

        The tie key of a record is a hash, so those that follow a random number are a random
        choice.
        """
        start = random.Random(f"{seed}/{collection}").randrange(TIE_KEYS)
        body = {"sort": [{"tie": "asc"}, {"key": "asc"}], "_source": ["key"]}
        keys: list[str] = []
        for bounds in ({"gte": start}, {"lt": start}):
            filters = [{"term": {"collection": collection}}, {"range": {"tie": bounds}}, UNMASKED]
            query = {**body, "query": {"bool": {"filter": filters}}}
            if missing := count - len(keys):
                hits = self._cluster.scan(self._indexes.records, query, limit=missing)
                keys += [hit["_source"]["key"] for hit in hits]
        return keys

    def documents(self) -> Iterator[Json]:
        """Yield all that is stored, group by group, masked documents among it, at one moment."""
        body = {**with_masked({"match_all": {}}, None), "docvalue_fields": ["pb"]}
        return self._cluster.scan(self._indexes.records, body)

    def count(self, collection: str, *, viewer: Viewer) -> int:
        """Return how many records of a collection the viewer may see."""
        filters = [{"term": {"collection": collection}}, *visible_records(viewer)]
        body = {"size": 0, "track_total_hits": True, "query": {"bool": {"filter": filters}}}

        def count() -> int:
            response = self._cluster.search(self._indexes.records, body, may_be_absent=True)
            return int(response["hits"]["total"]["value"]) if response else 0

        return self._cache.get(("count", collection, viewer), count)

    def groups_holding(self, record_keys: Iterable[str]) -> list[Group]:
        """Return the stored groups in which any of these records is."""
        return [group for group, _ in self._groups_with_files(list(record_keys))]

    def keys_from(self, file: SourceFile) -> list[str]:
        """Return the keys of the records that came from a file."""
        hits = self._hits({"term": {"file": file_name(file)}}, ["key"])
        return [hit["_source"]["key"] for hit in hits]

    def _documents_of(self, keys: Sequence[str]) -> Iterator[Json]:
        """Yield all documents, masked ones too, of the groups of these records."""
        for groups in in_chunks(self._groups_of(keys)):
            body = with_masked({"terms": {"group": groups}}, None)
            yield from self._cluster.all_hits(self._indexes.records, body)

    def _groups_of(self, keys: Sequence[str]) -> list[str]:
        """Return the names of the groups in which any of these records is."""
        groups = {
            hit["_source"]["group"]
            for chunk in in_chunks(keys)
            for hit in self._hits({"terms": {"key": chunk}}, ["group"])
        }
        return sorted(groups)

    def _groups_with_files(self, keys: Sequence[str]) -> Iterator[GroupOfFile]:
        """Yield the groups in which any of these records is, with the file of each."""
        for groups in in_chunks(self._groups_of(keys)):
            yield from _by_group(self._hits({"terms": {"group": groups}}))

    def _stored(self, query: Json) -> Iterator[GroupOfFile]:
        """Yield the groups that match a query as they are at one moment, and their files."""
        return _by_group(self._cluster.scan(self._indexes.records, grouped(query, None)))

    def _enough(self, query: Json, count: int, viewer: Viewer) -> list[Json]:
        """Return what a viewer may see of this many records; if fewer, no part may be missing."""
        query = all_of([query, *visible_records(viewer)])
        body = {**_in_order(query, None), "size": PAGE}
        response = {} if count > PAGE else self._cluster.parts(self._indexes.records, body)
        hits = response["hits"]["hits"] if "hits" in response else []
        if len(hits) < count:
            body = _in_order(query, None)
            hits = list(self._cluster.all_hits(self._indexes.records, body))
        return [hit["_source"] for hit in hits]

    def _hits(self, query: Json, fields: list[str] | None = None) -> Iterator[Json]:
        self._refresh_unseen()
        body = grouped(query, fields)
        return self._cluster.all_hits(self._indexes.records, body, may_be_absent=True)

    def _takedowns_now(self) -> frozenset[str]:
        return frozenset(self._values_of("takedown"))

    def _collections_now(self) -> dict[str, Collection]:
        stored = self._values_of("collection")
        return {name: decode_collection(value) for name, value in stored.items()}

    def _values_of(self, kind: str) -> dict[str, str]:
        body = {
            "query": {"bool": {"filter": [{"term": {"kind": kind}}]}},
            "sort": [{"name": "asc"}],
        }
        hits = self._cluster.all_hits(self._indexes.archive, body)
        return {hit["_source"]["name"]: hit["_source"]["value"] for hit in hits}


def _by_group(hits: Iterable[Json]) -> Iterator[GroupOfFile]:
    for _, members in groupby((hit["_source"] for hit in hits), key=lambda s: s["group"]):
        sources = list(members)
        yield tuple(map(read_document, sources)), sources[0]["file"]


def grouped(query: Json, fields: list[str] | None) -> Json:
    """Return the search that finds records group by group, in the order of the source."""
    return _in_order(all_of([query, UNMASKED]), fields)


def with_masked(query: Json, fields: list[str] | None) -> Json:
    """Return the search that finds masked documents too, each after that of its record."""
    body = _in_order(query, fields)
    until = {"order": "asc", "missing": "_first", "unmapped_type": "integer"}
    return {**body, "sort": [*body["sort"], {"until": until}]}


def _in_order(query: Json, fields: list[str] | None) -> Json:
    return {
        "query": {"bool": {"filter": [query]}},
        "sort": [{"group": "asc"}, {"member": "asc"}],
        "_source": fields or True,
    }


def in_chunks(values: Sequence[str], size: int = KEYS_AT_ONCE) -> Iterator[list[str]]:
    """Yield values a thousand at a time, or as many as given."""
    for start in range(0, len(values), size):
        yield list(values[start : start + size])


def file_name(file: SourceFile) -> str:
    """Return how a document names the file it came from."""
    return f"{file.collection}\t{file.name}"


def _read_file(name: str) -> SourceFile | None:
    target, _, file = name.partition("\t")
    return SourceFile(collection=target, name=file) if name else None

"""Records in the cluster, written whole.

A cluster has no transactions, so writing is made safe to repeat instead.  A record's
document has the record's key for its id, and every change has a number that documents carry
as their version: sent twice, a change is made once, and one that arrives late does not undo
a newer one.  A household is sent in one request and is put back if the cluster refuses a part
of it; a write that the cluster's failure cuts in two is set right by doing it again.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby

import msgspec

from forebear.errors import StorageError
from forebear.ingest.store import Encode, EncodedBatch, Group, RecordStore, SourceFile
from forebear.records.codec import encode_collection
from forebear.records.collections import Collection
from forebear.records.privacy import PRIVACY_RULES_VERSION
from forebear.records.record import Record
from forebear.storage.opensearch.cluster import Cluster, Json, PartlyDoneError
from forebear.storage.opensearch.documents import (
    DocumentBatch,
    document_id,
    encode_documents,
    id_of,
    read_document,
    write_documents,
)
from forebear.storage.opensearch.households import (
    Action,
    Household,
    Place,
    action,
    join_households,
    put_back,
    requests,
)
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.knowledge import ClusterCache
from forebear.storage.opensearch.stored import (
    GroupOfFile,
    StoredRecords,
    file_name,
    grouped,
    in_chunks,
)

BULKS_IN_FLIGHT = 3
KEYS_CHECKED = 10_000  # a request


class OpenSearchRecords(StoredRecords, RecordStore):
    """Writes the records of an archive."""

    _is_extended = False  # whether the indexes have all fields
    # Collections that are new in this import: nothing of them is stored but what it wrote.  None
    # while there is no import.
    _new_collections: frozenset[str] | None = None

    def __init__(self, cluster: Cluster, indexes: Indexes, cache: ClusterCache) -> None:
        super().__init__(cluster, indexes, cache)
        self._imported: Counter[str] = Counter()  # documents, by alias, since an import began

    def put_collection(self, collection: Collection) -> None:
        """Add a collection, or say something new of it; then its records are indexed again."""
        stored = self._collections_now().get(collection.name)
        if stored == collection:
            return
        is_importing = self._new_collections is not None
        self._indexes.ensure(collection.record_type, is_importing=is_importing)
        self._put("collection", collection.name, encode_collection(collection))
        if stored:
            self._write_collection(stored.name)
        elif self._new_collections is not None:
            self._new_collections |= {collection.name}

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        """Write groups of records; a record that is there already is replaced, group and all."""
        self._write([(group, file_name(file) if file else "") for group in groups])

    def encoder(self) -> Encode:
        """Return what makes documents of records of the collections known by now."""
        return partial(encode_documents, collections=self._collections_now())

    def write_encoded(self, batches: Sequence[EncodedBatch], *, file: SourceFile) -> bool:
        """Write batches, unless a record of them is there already or twice; return whether.

        Searches see them when the import is finished, or within seconds.
        """
        ours = [_checked(batch) for batch in batches]
        keys = [key for batch in ours for key in batch.keys]
        collections = self._collections_now()
        if (
            any(collections.get(name) != c for b in ours for name, c in b.collections.items())
            or len(set(keys)) < len(keys)
            or self.privacy_version() < PRIVACY_RULES_VERSION
            or not self._takedowns_now().isdisjoint(keys)
            or self.erased(keys)
            or self._are_stored(keys)
        ):
            return False
        self._extend()
        number = self._indexes.begin_change()
        name = file_name(file)
        households: dict[str, Household] = {}
        for document in (document for batch in ours for document in batch.documents):
            place = (self._alias_of(document.collection, document.group, collections), document.id)
            head = action("index", place, number, require_alias=True)
            household = households.setdefault(document.group, Household())
            household.actions[place] = head, document.text(written=number, file=name)
            self._imported[place[0]] += 1
        self._change(list(households.values()), number, refresh=False)
        return True

    def _write(
        self, groups_with_files: Sequence[GroupOfFile], *, hidden: frozenset[str] = frozenset()
    ) -> None:
        """Write groups, each with the file it came from; ``hidden`` ones are taken down too."""
        collections = self._collections_now()
        for group, _ in groups_with_files:
            if group[0].collection not in collections:
                raise StorageError(f"collection {group[0].collection!r} is not in the archive")
        self._extend()
        # The number first: whoever lists a takedown and then writes has a greater one, so that
        # of two writes the one stands that knows the takedown.
        number = self._indexes.begin_change()
        stored = self._places([record.key for group, _ in groups_with_files for record in group])
        hidden = hidden | self._takedowns_now()
        groups = _last(groups_with_files)
        changes = [_deletion(place, document, number) for place, document in stored]
        for group, file in groups:
            collection = collections[group[0].collection]
            is_hidden = any(record.key in hidden for record in group)
            documents = write_documents(group, collection, is_hidden=is_hidden)
            state = {"written": number, "file": file}
            changes += self._writings(documents, collections, state)
        keys = ([record.key for record in group] for group, _ in groups)
        self._change(join_households(changes, stored, keys), number)

    def restate(self, records: Iterable[Record]) -> None:
        """Replace records of which nothing that is searched has changed."""
        new = {record.key: record for record in records}
        stored = self._groups_with_files(list(new))
        self._write([(tuple(new.get(r.key, r) for r in group), file) for group, file in stored])

    def delete(self, record_keys: Iterable[str]) -> None:
        """Delete records, each with its whole group."""
        for keys in in_chunks(list(record_keys)):
            number = self._indexes.begin_change()
            stored = self._places(keys)
            changes = [_deletion(place, document, number) for place, document in stored]
            self._change(join_households(changes, stored, ()), number)

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        hits = self._hits({"term": {"collection": name}}, ["key"])
        keys = [hit["_source"]["key"] for hit in hits]
        self.delete(keys)
        self._drop("collection", name)
        return len(keys)

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again.

        It is hidden first and listed after, so that no listed record is ever shown.  An import
        that read the list before may meanwhile have shown it again: hide it once more.
        """
        self._write(list(self._groups_with_files([record_key])), hidden=frozenset({record_key}))
        self._put("takedown", record_key, reason, at)
        self._write_again(record_key)

    def restore(self, record_key: str) -> None:
        """Undo a takedown; a record that is no longer listed stays hidden until it is written."""
        self._drop("takedown", record_key)
        self._write_again(record_key)

    def rewritten(self, old: str, new: str, query: Json) -> Iterator[Action]:
        """Yield what writes the records that a query finds in one index to another."""
        collections = self._collections_now()
        hidden = self._takedowns_now()
        hits = self._cluster.scan(old, grouped(query, None))
        for name, of_group in groupby(hits, key=lambda hit: hit["_source"]["group"]):
            here = {hit["_id"]: hit["_source"] for hit in of_group}
            group = tuple(map(read_document, here.values()))
            if len(group) < next(iter(here.values()))["members"]:
                members = self._hits({"term": {"group": name}})
                group = tuple(read_document(hit["_source"]) for hit in members)
            is_hidden = any(record.key in hidden for record in group)
            collection = collections[group[0].collection]
            for document in write_documents(group, collection, is_hidden=is_hidden):
                stored = here.get(document_id(document["key"]))
                if stored:
                    state = {key: stored[key] for key in ("written", "file")}
                    place = (new, id_of(document))
                    body = msgspec.json.encode({**document, **state})
                    yield action("index", place, stored["written"]), body

    def _writings(
        self, documents: Iterable[Json], collections: dict[str, Collection], state: Json
    ) -> Iterator[tuple[Place, str, Action]]:
        """Yield what writes the documents of a group: a place, a record and an action each.

        An index that was made by older rules of privacy has no room for masked documents.  The
        public sees nothing of it until it is rewritten, which adds them.
        """
        has_room = self.privacy_version() >= PRIVACY_RULES_VERSION
        for document in documents:
            if "until" in document and not has_room:
                continue
            alias = self._alias_of(document["collection"], document["group"], collections)
            place = (alias, id_of(document))
            head = action("index", place, state["written"], require_alias=True)
            yield place, document["key"], (head, msgspec.json.encode({**document, **state}))

    def _alias_of(self, collection: str, group: str, collections: Mapping[str, Collection]) -> str:
        """Return the alias of the index for a record of a collection, or of its household's."""
        stored = collections.get(collection) or collections[group.partition(":")[0]]
        return self._indexes.alias_of(stored.record_type)

    def _extend(self) -> None:
        if not self._is_extended:
            self._indexes.extend()
            self._is_extended = True

    def _are_stored(self, keys: Sequence[str]) -> bool:
        """Return whether any of these records was in the cluster when the import began."""
        new = self._new_collections or ()
        keys = [key for key in keys if key.partition(":")[0] not in new]
        query = {"size": 0, "terminate_after": 1, "track_total_hits": True}
        return any(
            self._cluster.search(
                self._indexes.records,
                {**query, "query": {"bool": {"filter": [{"terms": {"key": chunk}}]}}},
            )["hits"]["total"]["value"]
            for chunk in in_chunks(keys, KEYS_CHECKED)
        )

    def _places(self, keys: Sequence[str]) -> list[tuple[Place, Json]]:
        """Return the documents of the groups that hold these records, and where each is."""
        return [
            ((self._indexes.alias_behind(hit["_index"]), hit["_id"]), hit["_source"])
            for hit in self._documents_of(keys)
        ]

    def _change(
        self, households: Sequence[Household], number: int, *, refresh: bool = True
    ) -> None:
        """Send households in large requests, several at a time, and let searches see them."""
        self._cache.clear()  # also if it fails: a part of it may have been done
        aliases = {alias for household in households for alias, _ in household.actions}
        self._unseen |= aliases
        with ThreadPoolExecutor(BULKS_IN_FLIGHT, thread_name_prefix="bulk") as pool:
            deque(pool.map(partial(self._send_bulk, number), requests(households)), maxlen=0)
        if refresh:
            self._refresh_unseen()
        self._announce_change()

    def _send_bulk(self, number: int, request: Sequence[Household]) -> None:
        actions = [action for household in request for action in household.actions.values()]
        try:
            self._cluster.bulk(actions, refresh=False)
        except PartlyDoneError as error:
            self._undo(request, error, number)
            raise

    def _undo(self, request: Sequence[Household], error: PartlyDoneError, number: int) -> None:
        """Put back the households of which a part was refused."""
        try:
            undo = put_back(request, error.positions, self._collections_now(), number)
            self._cluster.bulk(undo)
        except StorageError:
            raise StorageError(
                f"{error.message}; a household was changed in part",
                hint="run the same command again; `forebear check` names the household",
            ) from None

    def _announce_change(self) -> None:
        """Let what others and we have cached of the archive be read again."""
        self._cache.clear()
        self._indexes.begin_change()

    def _write_collection(self, name: str) -> None:
        """Write the records of a collection of which something new was said."""
        hits = self._hits({"term": {"collection": name}}, ["key"])
        for keys in in_chunks([hit["_source"]["key"] for hit in hits]):
            self._write(list(self._groups_with_files(keys)))

    def _erase(self, record_key: str) -> None:
        """Delete a record, without the rest of its household, and its takedown."""
        for group, file in list(self._groups_with_files([record_key])):
            rest = tuple(record for record in group if record.key != record_key)
            if rest:
                self._write([(rest, file)])
            else:
                self.delete([record_key])
        self._drop("takedown", record_key)

    def _write_again(self, record_key: str) -> None:
        self._write(list(self._groups_with_files([record_key])))

    def _put(self, kind: str, name: str, value: str, at: str = "") -> None:
        action = {"index": {"_index": self._indexes.archive, "_id": document_id(f"{kind}:{name}")}}
        self._cluster.bulk([(action, {"kind": kind, "name": name, "value": value, "at": at})])
        self._announce_change()

    def _drop(self, kind: str, name: str) -> None:
        action = {"delete": {"_index": self._indexes.archive, "_id": document_id(f"{kind}:{name}")}}
        self._cluster.bulk([(action, None)])
        self._announce_change()


def _checked(batch: EncodedBatch) -> DocumentBatch:
    if not isinstance(batch, DocumentBatch):
        raise StorageError(f"a cluster cannot store a batch of {type(batch).__name__!r}")
    return batch


def _last(groups: Sequence[GroupOfFile]) -> list[GroupOfFile]:
    """Return the groups that stand when later ones replace earlier ones of the same record."""
    last: list[GroupOfFile] = []
    seen: set[str] = set()
    for group, file in reversed(groups):
        if seen.isdisjoint(record.key for record in group):
            last.append((group, file))
        seen.update(record.key for record in group)
    return last[::-1]


def _deletion(place: Place, document: Json, number: int) -> tuple[Place, str, Action]:
    return place, document["key"], (action("delete", place, number), None)

"""The cluster as a storage: writing, searching and looking after records over one connection.

Who attached what, which imports did not end, and where places lie is little, changes in
transactions, and belongs to the one server that writes; so it stays in the archive's local file.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Protocol

from forebear.errors import StorageError
from forebear.ingest.store import Journal, SourceFile
from forebear.normalize.gazetteer import Gazetteer, GazetteerEntry
from forebear.records.privacy import OWNER, PRIVACY_RULES_VERSION, Viewer
from forebear.search.expansion.learned_variants import LearnedVariant
from forebear.search.facets import ListFacets
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.store import is_whole_collection
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.copy import digest_contents
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.find import OpenSearchFinder
from forebear.storage.opensearch.indexes import Indexes, Layout
from forebear.storage.opensearch.knowledge import ClusterCache, ClusterKnowledge, Counts
from forebear.storage.opensearch.queries import all_of, visible_records
from forebear.storage.opensearch.records import OpenSearchRecords
from forebear.storage.places import KnownPlace, PlaceTree
from forebear.storage.port import CheckReport, ClusterAddress


class LocalFile(Protocol):
    """What an archive in a cluster stores in its own file."""

    def attached(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that someone attached to a tree."""
        ...

    def erase(self, record_key: str) -> None:
        """Note that a record is erased for good, and erase it from the log."""
        ...

    def erased(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that were erased for good."""
        ...

    def import_lock(self) -> AbstractContextManager[None]:
        """Keep other imports out until this one ends; wait for one that is running."""
        ...

    def unfinished(self, file: SourceFile) -> Journal | None:
        """Return the journal of an import of this file that did not end."""
        ...

    def all_unfinished(self) -> list[SourceFile]:
        """Return the files whose import did not end."""
        ...

    def begin(self, journal: Journal) -> None:
        """Note that an import begins."""
        ...

    def finish(self, file: SourceFile) -> None:
        """Note that the import of a file has ended."""
        ...

    def change_counter(self) -> int:
        """Return a number that every change of places and name variants raises."""
        ...

    def gazetteer(self) -> Gazetteer:
        """Return what gazetteers say of places."""
        ...

    def gazetteer_entries(self) -> dict[str, GazetteerEntry]:
        """Return what gazetteers say of each place, by its id."""
        ...

    def add_to_gazetteer(self, entries: Iterable[GazetteerEntry]) -> None:
        """Add what a gazetteer says of places."""
        ...

    def name_variants(self) -> tuple[LearnedVariant, ...]:
        """Return the name variants that the archive learned, also those that were revoked."""
        ...

    def put_name_variants(self, variants: Iterable[LearnedVariant]) -> None:
        """Store learned name variants; one of the same pair is replaced."""
        ...

    def compact(self) -> None:
        """Give back the space that deletions left."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


class OpenSearchStorage(OpenSearchRecords, OpenSearchFinder):
    """An archive's records in a cluster."""

    def __init__(self, cluster: Cluster, indexes: Indexes, local_file: LocalFile) -> None:
        OpenSearchRecords.__init__(self, cluster, indexes, ClusterCache(indexes))
        OpenSearchFinder.__init__(self, cluster, indexes)
        self._counts = Counts(cluster, indexes)
        self._local_file = local_file
        self._turns = threading.RLock()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let one thread read at a time; a cluster has no snapshot of all its indexes."""
        with self._turns:
            yield

    def knowledge(self, viewer: Viewer) -> ClusterKnowledge:
        """Return what the viewer may know, as it is now or was less than a minute ago."""
        gazetteer, variants = self._local_file.gazetteer(), self._local_file.name_variants()
        return ClusterKnowledge(self._counts, self._cache, gazetteer, viewer, variants)

    def _facets(self, search: ListSearch, viewer: Viewer) -> ListFacets:
        if not is_whole_collection(search):
            return super()._facets(search, viewer)
        count = partial(super()._facets, search, viewer)
        return self._cache.get(("facets", search.name, viewer), count)

    def attached(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that someone attached to a tree."""
        return self._local_file.attached(record_keys)

    def erase(self, record_key: str) -> None:
        """Delete a record for good; an import does not bring it back.

        The local file notes it first, so that whatever interrupts this can be repeated.
        """
        self._local_file.erase(record_key)
        self._erase(record_key)

    def erased(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that were erased for good."""
        return self._local_file.erased(record_keys)

    def import_lock(self) -> AbstractContextManager[None]:
        """Keep other imports out until this one ends; wait for one that is running."""
        return self._importing()

    @contextmanager
    def _importing(self) -> Iterator[None]:
        with self._local_file.import_lock():
            self._new_collections = frozenset()
            self._imported.clear()
            self._cluster.refresh(self._indexes.records)  # after one that was interrupted
            try:
                yield
            finally:
                self._new_collections = None
                with suppress(StorageError):  # the next import does it
                    self._indexes.end_import()

    def unfinished(self, file: SourceFile) -> Journal | None:
        """Return the journal of an import of this file that did not end."""
        return self._local_file.unfinished(file)

    def all_unfinished(self) -> list[SourceFile]:
        """Return the files whose import did not end."""
        return self._local_file.all_unfinished()

    def begin(self, journal: Journal) -> None:
        """Note that an import begins."""
        self._local_file.begin(journal)

    def finish(self, file: SourceFile) -> None:
        """Note that the import of a file has ended, once its records are there to be searched."""
        self._refresh_unseen()
        self._cache.clear()
        self._indexes.end_import()
        for alias, documents in self._imported.items():
            self._indexes.flush_imported(alias, documents)
        self._imported.clear()
        self._indexes.merge_imported()
        self._local_file.finish(file)

    def places(self) -> list[str]:
        """Return the ids of all places that some persona has."""
        return sorted(self._counts.places(all_of(visible_records(OWNER))))

    def place_tree(self, name: str = "", *, viewer: Viewer, depth: int) -> list[KnownPlace]:
        """Return the places of this name, or the largest, each with those inside it."""
        counts = self._counts.places(all_of(visible_records(viewer)))
        tree = PlaceTree(sorted(counts), self._local_file.gazetteer_entries())
        start = tree.named(name) if name else tree.inside("")
        return list(tree.walk(start, depth, lambda place: counts.get(place, 0)))

    def add_to_gazetteer(self, entries: Iterable[GazetteerEntry]) -> None:
        """Add what a gazetteer says of places."""
        self._local_file.add_to_gazetteer(entries)

    def name_variants(self) -> tuple[LearnedVariant, ...]:
        """Return the name variants that the archive learned, also those that were revoked."""
        return self._local_file.name_variants()

    def put_name_variants(self, variants: Iterable[LearnedVariant]) -> None:
        """Store learned name variants; one of the same pair is replaced."""
        self._local_file.put_name_variants(variants)

    def check(self) -> CheckReport:
        """Compare what is searched with what the records say."""
        from forebear.storage.opensearch.upkeep import check_storage

        return check_storage(self)

    def digest(self) -> str:
        """Return a hash of the contents, the same whatever the order they came in."""
        return digest_contents(self)

    def compile_loops(self) -> None:
        """Do nothing: the cluster scores, or few records are scored here."""

    def compact(self) -> None:
        """Rewrite every index, without what was deleted, and compact the local file."""
        self._indexes.rewrite_archive()
        self.reindex(lambda *_: None)
        self._local_file.compact()

    def change_counter(self) -> int:
        """Return a number that every change of records, places or takedowns raises."""
        return self._indexes.change_number() + self._local_file.change_counter()

    def terms_version(self) -> int:
        """Return the version of the rules by which the terms in the cluster were written."""
        return int(self._metadata().get("terms", 1))

    def note_import(self, year: int) -> None:
        """Note the year of an import."""
        self._put("metadata", "import_year", str(year))

    def reindex(self, progress: Callable[[int, int], None]) -> None:
        """Rewrite every index by the rules of today, while it is searched and written to."""
        from forebear.storage.opensearch.upkeep import rebuild

        record_types = sorted({collection.record_type for collection in self.collections()})
        rebuild(self._cluster, self._indexes, self, record_types, progress)
        self._note_rules()

    def _note_rules(self) -> None:
        """Note by which rules everything in the cluster was written."""
        self._put("metadata", "terms", str(TERM_RULES_VERSION))
        self._put("metadata", "privacy", str(PRIVACY_RULES_VERSION))

    def delete_all(self) -> None:
        """Delete everything that the archive has in the cluster."""
        self._indexes.delete()
        self._unseen = frozenset()
        self._cache.clear()

    def close(self) -> None:
        """Close all connections, and the local file."""
        with suppress(StorageError):  # without it, searches only take longer
            self._indexes.merge_imported(wait=True)
        self._cluster.close()
        self._local_file.close()


def create_storage(address: ClusterAddress, local_file: LocalFile) -> OpenSearchStorage:
    """Create an empty archive in a cluster."""
    cluster, indexes = _connect(address)
    if indexes.exist():
        cluster.close()
        raise StorageError(
            f"the cluster has an archive {address.prefix!r} already", hint="choose another prefix"
        )
    indexes.create()
    storage = OpenSearchStorage(cluster, indexes, local_file)
    storage._note_rules()
    return storage


def open_storage(address: ClusterAddress, local_file: LocalFile) -> OpenSearchStorage:
    """Open an archive in a cluster."""
    cluster, indexes = _connect(address)
    return OpenSearchStorage(cluster, indexes, local_file)


def _connect(address: ClusterAddress) -> tuple[Cluster, Indexes]:
    cluster = Cluster(address.hosts, access=address.access)
    layout = Layout(shards=address.shards, replicas=address.replicas)
    return cluster, Indexes(cluster, address.prefix, layout)

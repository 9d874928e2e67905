"""The cluster as a storage: writing, record search and knowledge over one connection."""

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.storage.opensearch.beside import KeptBeside
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.counts import Counts
from forebear.storage.opensearch.find import OpenSearchFinder
from forebear.storage.opensearch.indexes import Indexes, Layout
from forebear.storage.opensearch.knowledge import KnownInCluster
from forebear.storage.opensearch.queries import all_of, visible_records
from forebear.storage.opensearch.rebuild import rebuild
from forebear.storage.opensearch.records import OpenSearchRecords
from forebear.storage.opensearch.remembered import Remembered
from forebear.storage.sqlite.cluster_address import ClusterAddress
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.place_tree import KnownPlace, PlaceTree


class OpenSearchStorage(KeptBeside, OpenSearchRecords, OpenSearchFinder):
    """An archive's records in a cluster."""

    def __init__(self, cluster: Cluster, indexes: Indexes, connection: Connection) -> None:
        remembered = Remembered(indexes)
        KeptBeside.__init__(self, connection)
        OpenSearchRecords.__init__(self, cluster, indexes, remembered)
        OpenSearchFinder.__init__(self, cluster, indexes)
        self._counts = Counts(cluster, indexes)

    def known_to(self, viewer: Viewer) -> KnownInCluster:
        """Return what the viewer may know, as it is now or was less than a minute ago."""
        return KnownInCluster(self._counts, self._remembered, self.gazetteer(), viewer)

    def places(self) -> list[str]:
        """Return the ids of all places that some persona has."""
        return sorted(self._counts.places())

    def place_tree(self, name: str = "", *, viewer: Viewer, depth: int) -> list[KnownPlace]:
        """Return the places of this name, or the largest, each with those inside it."""
        counts = self._counts.places(all_of(visible_records(viewer)))
        tree = PlaceTree(sorted(counts), self.gazetteer_entries())
        start = tree.named(name) if name else tree.inside("")
        return list(tree.walk(start, depth, lambda place: counts.get(place, 0)))

    def close(self) -> None:
        """Close all connections."""
        self._cluster.close()

    def rebuild(self) -> None:
        """Write every index anew, while it is searched and written to."""
        record_types = sorted({each.record_type for each in self.collections()})
        rebuild(self._cluster, self._indexes, self, record_types)
        self._tell_others()

    def delete_everything(self) -> None:
        """Delete all that the archive has in the cluster."""
        self._indexes.delete()
        self._remembered.forget()


def create_storage(address: ClusterAddress, connection: Connection) -> OpenSearchStorage:
    """Make an empty archive in a cluster, with its file beside it."""
    cluster, indexes = _connect(address)
    if indexes.exist():
        raise StorageError(
            f"the cluster has an archive {address.prefix!r} already", hint="choose another prefix"
        )
    indexes.create()
    return OpenSearchStorage(cluster, indexes, connection)


def open_storage(address: ClusterAddress, connection: Connection) -> OpenSearchStorage:
    """Open an archive in a cluster, with its file beside it."""
    cluster, indexes = _connect(address)
    return OpenSearchStorage(cluster, indexes, connection)


def _connect(address: ClusterAddress) -> tuple[Cluster, Indexes]:
    cluster = Cluster(address.hosts)
    layout = Layout(shards=address.shards, replicas=address.replicas)
    return cluster, Indexes(cluster, address.prefix, layout)

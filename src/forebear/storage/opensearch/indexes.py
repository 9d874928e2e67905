"""Which indexes does an archive have in the cluster, and how is one replaced?

``PREFIX-archive`` has what is little: collections, takedowns, the count of changes; after a
rewrite, that is the alias of ``PREFIX-archive-N``.  The records of each type are in a separate
index, ``PREFIX-records-TYPE-N``, with the alias ``PREFIX-records-TYPE``; the alias
``PREFIX-records`` is that of all types.  No request names an index by its number, so a new one
takes the place of the old in one step, while it is searched.
"""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forebear.errors import StorageError
from forebear.storage.opensearch.cluster import LOST_PAUSES, Cluster
from forebear.storage.opensearch.documents import MAPPING

CHANGES = "changes"
# Big enough for every condition that a query may be expanded to.
MAX_TERMS = 1_000_000
MIN_MERGED = 5_000  # new documents of an index; fewer are merged as the cluster sees fit
MERGED_SHARE = 0.25  # of the documents of an index; the same
MERGED_AFTER = 32.0  # seconds; every 30 the cluster notes which changes no node needs any more
# Of an index that is filled for the first time, as the cluster returns them.
IMPORT_SETTINGS = {
    "auto_expand_replicas": "false",
    "number_of_replicas": "0",
    "refresh_interval": "-1",
}
# How long a node may be away before its shards are copied elsewhere again; a restart of a node
# takes longer, but until then there is one copy less.
COPIED_AFTER = "10s"

_ARCHIVE_MAPPING: dict[str, Any] = {
    "dynamic": "strict",
    "properties": {
        "kind": {"type": "keyword"},
        "name": {"type": "keyword"},
        "value": {"type": "keyword", "index": False, "doc_values": False},
        "at": {"type": "keyword", "index": False},
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How new indexes are cut and copied."""

    shards: int = 1
    replicas: int = 1  # copies of each shard, on as many more nodes as there are


class Indexes:
    """The indexes of one archive."""

    def __init__(self, cluster: Cluster, prefix: str, layout: Layout) -> None:
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,60}", prefix):
            raise StorageError(
                f"{prefix!r} cannot begin the names of indexes",
                hint="use lower-case letters, digits, - and _",
            )
        self._cluster = cluster
        self._layout = layout
        self._flushed: dict[str, float] = {}  # when, of indexes that are to be merged
        self.prefix = prefix
        self.archive = f"{prefix}-archive"
        self.records = f"{prefix}-records"

    def alias_of(self, record_type: str) -> str:
        """Return the alias of the index of a record type."""
        return f"{self.records}-{re.sub(r'[^a-z0-9]+', '-', record_type.lower())}"

    def alias_behind(self, index: str) -> str:
        """Return the alias under which the records of an index are known."""
        return index.rpartition("-")[0]

    def exist(self) -> bool:
        """Return whether the cluster has this archive."""
        response = self._cluster.read("GET", f"/_resolve/index/{self.archive}")
        return bool(response.get("indices") or response.get("aliases"))

    def create(self) -> None:
        """Create the index of the archive itself; a record type's comes with its collections."""
        self._create(self.archive, _ARCHIVE_MAPPING, {"number_of_shards": 1}, {})

    def ensure(self, record_type: str, *, is_importing: bool = False) -> None:
        """Create the index of a record type if there is none.

        One that an import is about to fill has no copies and is not refreshed until the import
        ends: to copy finished files is quicker than to index everything on each node.
        """
        alias = self.alias_of(record_type)
        if not self.current(record_type):
            settings = IMPORT_SETTINGS if is_importing else {}
            aliases: dict[str, dict[str, Any]] = {alias: {}, self.records: {}}
            self.create_numbered(record_type, 1, aliases=aliases, settings=settings)

    def end_import(self) -> None:
        """Give copies to the indexes that imports created, also those that did not end."""
        stored = self._cluster.read("GET", f"/{self.records}/_settings", flat_settings="true")
        for name, value in stored.items():
            settings = value.get("settings", {}) if isinstance(value, dict) else {}
            if all(settings.get(f"index.{k}") == v for k, v in IMPORT_SETTINGS.items()):
                usual = {**dict.fromkeys(IMPORT_SETTINGS), **self._copies()}
                self._cluster.write("PUT", f"/{name}/_settings", {"index": usual})

    def flush_imported(self, alias: str, documents: int) -> None:
        """Prepare the files of an index to be merged, if many of its documents are new."""
        body = {"size": 0, "track_total_hits": True}
        stored = self._cluster.search(alias, body)["hits"]["total"]["value"]
        if documents >= max(MIN_MERGED, MERGED_SHARE * stored):
            self._cluster.write("POST", f"/{alias}/_flush")
            self._flushed[alias] = time.monotonic()

    def merge_imported(self, *, wait: bool = False) -> None:
        """Let the cluster merge the files of indexes that an import filled, to one each.

        A search looks every term up in each file.  For half a minute after a flush the cluster
        keeps what it was sent next to what it stores, and a merge then would keep it for good.
        """
        while self._flushed:
            due = min(self._flushed.values()) + MERGED_AFTER - time.monotonic()
            if due > 0:
                if not wait:
                    return
                time.sleep(due)
            alias = min(self._flushed, key=self._flushed.__getitem__)
            del self._flushed[alias]
            path = f"/{alias}/_forcemerge"
            self._cluster.write("POST", path, max_num_segments="1", wait_for_completion="false")

    def extend(self) -> None:
        """Add to the indexes of an earlier program the fields that have come since."""
        properties = {"properties": MAPPING["properties"]}
        self._cluster.write("PUT", f"/{self.records}/_mapping", properties)

    def current(self, record_type: str) -> str:
        """Return the name of the index behind a type's alias, or "" if there is none."""
        return self._behind(self.alias_of(record_type))

    def create_numbered(
        self,
        record_type: str,
        number: int,
        *,
        aliases: dict[str, dict[str, Any]],
        settings: Mapping[str, Any] = {},
    ) -> str:
        """Create an index for the records of a type and return its name."""
        name = f"{self.alias_of(record_type)}-{number}"
        settings = {
            "number_of_shards": self._layout.shards,
            "max_terms_count": MAX_TERMS,
            **settings,
        }
        self._create(name, MAPPING, settings, aliases)
        return name

    def next_number(self, record_type: str) -> int:
        """Return the number that a new index of a type gets."""
        return int(self.current(record_type).rpartition("-")[2] or 0) + 1

    def switch(self, record_type: str, old: str, new: str) -> None:
        """Let a type's aliases point to the new index instead of the old one, in one step."""
        aliases = (self.alias_of(record_type), self.records)
        added = [{"add": {"index": new, "alias": alias}} for alias in aliases]
        removed = [{"remove": {"index": old, "alias": alias}} for alias in aliases]
        self._cluster.write("POST", "/_aliases", {"actions": [*added, *removed]})
        if self.current(record_type) != new:
            raise StorageError(f"the alias {aliases[0]!r} was not moved from {old!r} to {new!r}")

    def delete_replaced(self, record_type: str) -> None:
        """Delete the indexes of a type that its alias does not point to."""
        current = self.current(record_type)
        numbered = re.compile(rf"{re.escape(self.alias_of(record_type))}-\d+")
        for name in self._names():
            if current and name != current and numbered.fullmatch(name):
                self._cluster.write("DELETE", f"/{name}")

    def block_writes(self, index: str) -> None:
        """Let an index refuse writes; writers then wait for what comes after it."""
        self._cluster.write("PUT", f"/{index}/_block/write")

    def rewrite_archive(self) -> None:
        """Copy the index of collections and takedowns to a new one, without deleted ones.

        A merge would not do: a node keeps deleted documents a while, to bring other nodes up to
        date.  Writers wait meanwhile; it is a matter of a few documents.
        """
        alias = self._behind(self.archive)
        old = alias or self.archive
        new = f"{self.archive}-{int(alias.rpartition('-')[2] or 1) + 1}"
        self._cluster.write("DELETE", f"/{new}")  # what an interrupted rewrite left
        self._create(new, _ARCHIVE_MAPPING, {"number_of_shards": 1}, {})
        self.block_writes(old)
        self._cluster.write("POST", f"/{old}/_refresh")
        body = {
            "query": {"match_all": {}},
            "sort": [{"kind": "asc"}, {"name": "asc"}],
            "version": True,  # of the count of changes, which continues from there
        }
        copies = [
            ({"index": _same_version(new, hit)}, hit["_source"])
            for hit in self._cluster.all_hits(old, body)
        ]
        self._cluster.bulk(copies)
        actions = [
            {"add": {"index": new, "alias": self.archive}},
            {"remove_index": {"index": old}},
        ]
        self._cluster.write("POST", "/_aliases", {"actions": actions})
        if self._behind(self.archive) != new:
            raise StorageError(
                f"the index {old!r} was not replaced", hint="run `forebear compact` again"
            )

    def delete(self) -> None:
        """Delete everything the archive has in the cluster."""
        for name in self._names():
            self._cluster.write("DELETE", f"/{name}")

    def change_number(self) -> int:
        """Return the number of the last change."""
        response = self._cluster.read("GET", f"/{self.archive}/_doc/{CHANGES}")
        return int(response.get("_version", 0))

    def begin_change(self) -> int:
        """Return a number that no change had before, greater than all of them."""
        for pause in (0.0, *LOST_PAUSES):
            time.sleep(pause)
            path = f"/{self.archive}/_doc/{CHANGES}"
            response = self._cluster.write("PUT", path, {"kind": CHANGES})
            # A rewrite may replace the index while the request is on its way.
            if "_version" in response:
                return int(response["_version"])
        raise StorageError(f"there is no archive {self.prefix!r} in the cluster")

    def _names(self) -> list[str]:
        """Return the indexes of the archive, those that no alias points to among them."""
        response = self._cluster.read("GET", f"/_resolve/index/{self.prefix}-*")
        names = [index["name"] for index in response.get("indices", ())]
        archive = re.compile(rf"{re.escape(self.archive)}(-\d+)?")
        return [
            name for name in names if name.startswith(f"{self.records}-") or archive.fullmatch(name)
        ]

    def _behind(self, alias: str) -> str:
        """Return the name of the index behind an alias, or "" if there is none."""
        response = self._cluster.read("GET", f"/_alias/{alias}")
        names = [name for name, value in response.items() if isinstance(value, dict)]
        return names[0] if names and "error" not in response else ""

    def _create(
        self,
        name: str,
        mapping: dict[str, Any],
        settings: dict[str, Any],
        aliases: dict[str, dict[str, Any]],
    ) -> None:
        expanded = {
            **self._copies(),
            "unassigned.node_left.delayed_timeout": COPIED_AFTER,
            **settings,
        }
        self._cluster.create(
            name, {"mappings": mapping, "settings": {"index": expanded}, "aliases": aliases}
        )

    def _copies(self) -> dict[str, Any]:
        return {"auto_expand_replicas": f"0-{self._layout.replicas}"}


def _same_version(index: str, hit: dict[str, Any]) -> dict[str, Any]:
    version = {"version": hit["_version"], "version_type": "external"}
    return {"_index": index, "_id": hit["_id"], **version}

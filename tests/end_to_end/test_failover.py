"""Three nodes, each a process of its own, of which one or two die while they are needed.

One test, because starting three nodes takes longer than everything that is asked of them.
It starts them itself, on ports of their own, and kills them as a power cut would.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forebear.errors import StorageError
from forebear.records.collections import RecordList
from forebear.records.privacy import Viewer
from forebear.search.model import hand_set_model
from forebear.search.query.from_json import query_from_json
from forebear.search.searcher import Searcher, SearchResult
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.indexes import Indexes, Layout
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.opensearch.upkeep import check_storage
from forebear.storage.sqlite.connection import create_file
from making import make_baptism, make_collection

FIRST_PORTS = range(9310, 9400, 10)
BATCH = 100
WRITE_SECONDS = 30.0
OWNER = Viewer(year=2026, is_owner=True)


def _is_free(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) != 0


class Nodes:
    """Three nodes that a test may kill and start again."""

    def __init__(self, script: Path) -> None:
        self._script = script
        self._port = next(port for port in FIRST_PORTS if _is_free(port))
        self.pids: dict[str, int] = {}
        self.start("--wipe")

    def start(self, *more: str) -> None:
        """Start those that are not running and wait until all is well."""
        nodes = ["--nodes", "3", "--port", str(self._port)]
        started = subprocess.run(
            [sys.executable, self._script, "start", *nodes, *more],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        self.pids = {node["url"]: node["pid"] for node in json.loads(started.stdout)}

    def kill(self, url: str) -> None:
        os.kill(self.pids[url], signal.SIGKILL)

    def stop(self) -> None:
        for pid in self.pids.values():
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                continue

    @property
    def urls(self) -> list[str]:
        return sorted(self.pids)


@pytest.fixture
def nodes(repository: Path, java: str) -> Iterator[Nodes]:
    made = Nodes(repository / "scripts" / "opensearch.py")
    yield made
    made.stop()


@pytest.fixture
def storage(nodes: Nodes, tmp_path: Path) -> Iterator[OpenSearchStorage]:
    connection = create_file(tmp_path / "beside.forebear")
    cluster = Cluster(nodes.urls, write_seconds=WRITE_SECONDS)
    indexes = Indexes(cluster, f"failover-{secrets.token_hex(4)}", Layout(shards=3, replicas=1))
    indexes.create()
    yield OpenSearchStorage(cluster, indexes, connection)
    cluster.close()
    connection.close()


class Importing(threading.Thread):
    """Writes one batch after the other and remembers which were acknowledged."""

    def __init__(self, storage: OpenSearchStorage) -> None:
        super().__init__()
        self._storage = storage
        self.enough = threading.Event()
        self.acknowledged: list[str] = []
        self.errors: list[str] = []
        self.slowest_seconds = 0.0

    def run(self) -> None:
        for batch in range(10_000):
            if self.enough.is_set():
                return
            records = [(make_baptism(f"{batch}-{number}"),) for number in range(BATCH)]
            started = time.monotonic()
            try:
                self._storage.write(records)
            except StorageError as error:
                self.errors.append(str(error))
            else:
                self.acknowledged += [record.key for (record,) in records]
            self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - started)


class Searching(threading.Thread):
    """Searches one time after the other and remembers what was not whole."""

    def __init__(self, storage: OpenSearchStorage) -> None:
        super().__init__()
        self._storage = storage
        self.enough = threading.Event()
        self.searches = 0
        self.not_whole: list[str] = []

    def run(self) -> None:
        while not self.enough.is_set():
            (found,) = search(self._storage).lists
            self.searches += 1
            if found.state not in ("complete", "narrowed"):
                self.not_whole.append(f"{found.state}: {found.message}")


def search(storage: OpenSearchStorage) -> SearchResult:
    baptisms = RecordList(name="baptism", record_type="baptism", collections=("baptisms",))
    searcher = Searcher(
        storage=storage, knowledge=storage, lists=[baptisms], model=hand_set_model()
    )
    query = query_from_json({"given": "John", "surname": "Smith"})
    return searcher.search(query, viewer=OWNER, relax=False)


def health(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/_cluster/health", timeout=10) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def seconds_to_green(url: str, nodes: int) -> float:
    started = time.monotonic()
    while time.monotonic() - started < 180:
        told = health(url)
        if told["status"] == "green" and told["number_of_nodes"] == nodes:
            return time.monotonic() - started
        time.sleep(0.5)
    raise AssertionError(f"not green after 180 s: {told}")


def wait_until_spread(url: str, storage: OpenSearchStorage) -> None:
    """Wait until a node that came back has got some of the shards, and no shard moves."""
    index = storage._indexes.current("baptism")
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with urllib.request.urlopen(f"{url}/_cat/shards/{index}?format=json", timeout=10) as answer:
            shards = json.load(answer)
        if {shard["state"] for shard in shards} == {"STARTED"} and 1 <= sum(
            shard["node"] == "n2" for shard in shards
        ) < len({shard["shard"] for shard in shards}):
            return
        time.sleep(0.5)
    raise AssertionError(f"the shards did not spread: {shards}")


def test_nodes_die_and_nothing_is_lost(nodes: Nodes, storage: OpenSearchStorage) -> None:
    first, second, third = nodes.urls
    storage.put_collection(make_collection())
    storage.write([(make_baptism("first"),)])

    importing, searching = Importing(storage), Searching(storage)
    importing.start()
    searching.start()
    time.sleep(3)
    nodes.kill(second)
    to_green = seconds_to_green(first, 2)
    time.sleep(2)
    importing.enough.set()
    searching.enough.set()
    importing.join()
    searching.join()
    stored = {group[0].key for group, _ in storage.filed_groups()}
    lost = set(importing.acknowledged) - stored
    print(
        f"one of three killed: {len(importing.acknowledged):,} records acknowledged, "
        f"{len(lost)} lost, {len(importing.errors)} errors, slowest batch "
        f"{importing.slowest_seconds:.1f} s; {searching.searches} searches, "
        f"{len(searching.not_whole)} not whole; green on two nodes after {to_green:.0f} s"
    )
    assert importing.acknowledged
    assert importing.errors == []
    assert searching.searches
    assert searching.not_whole == []
    assert lost == set()

    started = time.monotonic()
    nodes.start()
    back = time.monotonic() - started
    wait_until_spread(second, storage)
    nodes.kill(first)
    nodes.kill(third)
    (found,) = search(storage).lists
    started = time.monotonic()
    with pytest.raises(StorageError, match=r"within \d+ s") as refused:
        storage.write([(make_baptism("never"),)])
    took = time.monotonic() - started
    print(
        f"started again: green on three nodes after {back:.0f} s; two of three killed: "
        f"the list is {found.state} ({found.message}) with {len(found.hits)} hits; "
        f"a write refused after {took:.1f} s ({refused.value.message})"
    )
    assert found.state == "partial"
    assert "of 3 shards did not answer" in found.message
    assert took < WRITE_SECONDS + 5

    nodes.start()
    report = check_storage(storage)
    assert report.faults == ()
    assert {group[0].key for group, _ in storage.filed_groups()} == stored
    storage.write([(make_baptism("never"),)])
    assert storage.count("baptisms", viewer=OWNER) == len(stored) + 1
    storage.delete_everything()

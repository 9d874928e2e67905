"""Three nodes of OpenSearch, of which one or two die while they are in use.

One test, because starting three nodes takes longer than all its steps.  It starts the nodes on
free ports and kills them as a power cut would.
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
from forebear.search.query.person_query import query_from_json
from forebear.search.search_result import SearchOptions, SearchResult
from forebear.search.searcher import Searcher
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.indexes import Indexes, Layout
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.opensearch.upkeep import check_storage
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from making import make_baptism, make_collection

FIRST_PORTS = range(9310, 9400, 10)
BATCH = 100
WRITE_SECONDS = 30.0
OWNER = Viewer(year=2026, is_owner=True)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


class Nodes:
    """Three nodes that a test may kill and start again; they stop when the block ends."""

    def __init__(self, script: Path) -> None:
        self._command = [sys.executable, str(script)]
        port = next(port for port in FIRST_PORTS if _is_free(port))
        self._options = ["--nodes", "3", "--port", str(port)]
        self.pids: dict[str, int] = {}

    def __enter__(self) -> "Nodes":
        # Its standard input closes with this process, so the nodes stop even if we are killed.
        self._guard = subprocess.Popen(
            [*self._command, "guard", *self._options],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            self.start("--wipe")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._guard.communicate(timeout=90)

    def start(self, *more: str) -> None:
        """Start the nodes that are not running and wait until the cluster is green."""
        started = subprocess.run(
            [*self._command, "start", *self._options, *more],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        self.pids = {node["url"]: node["pid"] for node in json.loads(started.stdout)}

    def kill(self, url: str) -> None:
        os.kill(self.pids[url], signal.SIGKILL)

    @property
    def urls(self) -> list[str]:
        return sorted(self.pids)


@pytest.fixture
def nodes(repository: Path, java: str) -> Iterator[Nodes]:
    with Nodes(repository / "scripts" / "opensearch.py") as nodes:
        yield nodes


@pytest.fixture
def storage(nodes: Nodes, tmp_path: Path) -> Iterator[OpenSearchStorage]:
    connection = create_file(tmp_path / "local.forebear")
    cluster = Cluster(nodes.urls, write_seconds=WRITE_SECONDS)
    indexes = Indexes(cluster, f"failover-{secrets.token_hex(4)}", Layout(shards=3, replicas=1))
    indexes.create()
    yield OpenSearchStorage(cluster, indexes, SqliteStorage(connection))
    cluster.close()
    connection.close()


class Importing(threading.Thread):
    """Writes batch after batch and remembers which were acknowledged."""

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
    """Searches again and again and remembers which results were incomplete."""

    def __init__(self, storage: OpenSearchStorage) -> None:
        super().__init__()
        self._storage = storage
        self.enough = threading.Event()
        self.searches = 0
        self.incomplete: list[str] = []

    def run(self) -> None:
        while not self.enough.is_set():
            (ranked,) = search(self._storage).lists
            self.searches += 1
            if ranked.state not in ("complete", "narrowed"):
                self.incomplete.append(f"{ranked.state}: {ranked.message}")


def search(storage: OpenSearchStorage) -> SearchResult:
    baptisms = RecordList(name="baptism", record_type="baptism", collections=("baptisms",))
    searcher = Searcher(storage=storage, lists=[baptisms], model=hand_set_model())
    query = query_from_json({"given": "John", "surname": "Smith"})
    return searcher.search(query, SearchOptions(relax=False), viewer=OWNER)


def health(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/_cluster/health", timeout=10) as answer:
        content: dict[str, Any] = json.load(answer)
        return content


def seconds_to_green(url: str, nodes: int) -> float:
    started = time.monotonic()
    while time.monotonic() - started < 180:
        status = health(url)
        if status["status"] == "green" and status["number_of_nodes"] == nodes:
            return time.monotonic() - started
        time.sleep(0.5)
    raise AssertionError(f"not green after 180 s: {status}")


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


@pytest.mark.waits
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
    stored = {group[0].key for group, _ in storage.groups()}
    lost = set(importing.acknowledged) - stored
    print(
        f"one of three killed: {len(importing.acknowledged):,} records acknowledged, "
        f"{len(lost)} lost, {len(importing.errors)} errors, slowest batch "
        f"{importing.slowest_seconds:.1f} s; {searching.searches} searches, "
        f"{len(searching.incomplete)} incomplete; green on two nodes after {to_green:.0f} s"
    )
    assert importing.acknowledged
    assert importing.errors == []
    assert searching.searches
    assert searching.incomplete == []
    assert lost == set()

    started = time.monotonic()
    nodes.start()
    back = time.monotonic() - started
    wait_until_spread(second, storage)
    nodes.kill(first)
    nodes.kill(third)
    (ranked,) = search(storage).lists
    started = time.monotonic()
    with pytest.raises(StorageError, match=r"within \d+ s") as refused:
        storage.write([(make_baptism("never"),)])
    took = time.monotonic() - started
    print(
        f"started again: green on three nodes after {back:.0f} s; two of three killed: "
        f"the list is {ranked.state} ({ranked.message}) with {len(ranked.hits)} hits; "
        f"a write refused after {took:.1f} s ({refused.value.message})"
    )
    assert ranked.state == "partial"
    assert "of 3 shards did not answer" in ranked.message
    assert took < WRITE_SECONDS + 5

    nodes.start()
    report = check_storage(storage)
    assert report.faults == ()
    assert {group[0].key for group, _ in storage.groups()} == stored
    storage.write([(make_baptism("never"),)])
    assert storage.count("baptisms", viewer=OWNER) == len(stored) + 1
    storage.delete_all()

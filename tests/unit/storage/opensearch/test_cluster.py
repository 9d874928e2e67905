"""Tests for `forebear.storage.opensearch.cluster`, against nodes that misbehave on purpose."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from forebear.errors import StorageError
from forebear.storage.opensearch.cluster import Cluster

Answer = tuple[int, dict[str, Any]]
WHOLE = {"_shards": {"total": 2, "failed": 0}, "hits": {"hits": []}}
PARTIAL = {
    "_shards": {
        "total": 2,
        "failed": 1,
        "failures": [{"reason": {"reason": "node left the cluster"}}],
    },
    "hits": {"hits": []},
}
NO_SHARD = {"error": {"type": "no_shard", "reason": "all shards failed"}, "status": 503}


class Node:
    """A node that answers what a test says, and counts how often it was asked."""

    def __init__(self, answer: Callable[[int], Answer]) -> None:
        self.asked = 0
        self._answer = answer

    def next_answer(self) -> Answer:
        self.asked += 1
        return self._answer(self.asked)


@contextmanager
def nodes(*answers: Callable[[int], Answer]) -> Iterator[tuple[list[str], list[Node]]]:
    with ExitStack() as stack:
        servers = [Node(answer) for answer in answers]
        yield [stack.enter_context(serving(node)) for node in servers], servers


@contextmanager
def serving(node: Node) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            status, body = node.next_answer()
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_PUT = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def always(status: int, body: dict[str, Any]) -> Callable[[int], Answer]:
    return lambda _: (status, body)


def slowly(_: int) -> Answer:
    time.sleep(1.0)
    return 200, WHOLE


@contextmanager
def cluster(hosts: list[str], seconds: float = 2.0) -> Iterator[Cluster]:
    client = Cluster(hosts, read_seconds=seconds, write_seconds=seconds)
    try:
        yield client
    finally:
        client.close()


def test_an_answer_in_part_is_no_answer() -> None:
    with (
        nodes(always(200, PARTIAL)) as (hosts, _),
        cluster(hosts) as client,
        pytest.raises(StorageError, match="1 of 2 shards did not answer: node left the cluster"),
    ):
        client.search("index", {})


def test_a_search_that_ran_out_of_time_is_no_answer() -> None:
    with (
        nodes(always(200, {**WHOLE, "timed_out": True})) as (hosts, _),
        cluster(hosts) as client,
        pytest.raises(StorageError, match="ran out of time"),
    ):
        client.search("index", {})


def test_a_dead_node_is_no_obstacle_while_another_lives() -> None:
    with nodes(always(200, WHOLE)) as (hosts, _), cluster(["http://127.0.0.1:1", *hosts]) as client:
        responses = [client.search("index", {}) for _ in range(6)]

    assert responses == [WHOLE] * 6


def test_a_node_that_cannot_answer_is_asked_again_and_then_another() -> None:
    broken, sound = always(503, NO_SHARD), always(200, WHOLE)
    with nodes(broken, sound) as (hosts, _), cluster(hosts) as client:
        assert [client.search("index", {}) for _ in range(6)] == [WHOLE] * 6


def test_a_node_that_met_a_dead_one_is_asked_again() -> None:
    cause = {"type": "node_not_connected_exception", "reason": "[n1] Node not connected"}
    lost = {"error": {**cause, "root_cause": [cause]}, "status": 500}
    answers = [(500, lost), (200, WHOLE)]
    with nodes(lambda times: answers[times - 1]) as (hosts, _), cluster(hosts) as client:
        assert client.search("index", {}) == WHOLE


def test_a_silent_node_does_not_take_all_the_time_there_is() -> None:
    with nodes(slowly, always(200, WHOLE)) as (hosts, _), cluster(hosts, 1.0) as client:
        assert [client.search("index", {}) for _ in range(4)] == [WHOLE] * 4


def test_when_nobody_answers_the_error_comes_in_time_and_names_the_hosts() -> None:
    started = time.monotonic()
    with (
        cluster(["http://127.0.0.1:1"], 1.0) as client,
        pytest.raises(StorageError, match=r"127\.0\.0\.1:1 could answer within 1 s"),
    ):
        client.search("index", {})

    assert time.monotonic() - started < 2.0


def test_what_is_refused_for_good_is_asked_for_once() -> None:
    wrong = {"error": {"type": "parsing", "reason": "unknown query [x]"}, "status": 400}
    with nodes(always(400, wrong)) as (hosts, (node,)), cluster(hosts) as client:
        with pytest.raises(StorageError, match=r"refused: 400 unknown query \[x\]"):
            client.search("index", {})

        assert node.asked == 1


def test_a_missing_index_is_an_error_unless_it_may_be_missing() -> None:
    lacking = {"error": {"type": "index_not_found_exception", "reason": "no such index [x]"}}
    with nodes(always(404, lacking)) as (hosts, _), cluster(hosts) as client:
        assert client.search("x", {}, may_be_absent=True) == {}
        with pytest.raises(StorageError, match="no such index"):
            client.search("x", {})


def test_an_index_is_made_once_however_often_it_is_asked_for() -> None:
    there = {"error": {"type": "resource_already_exists_exception", "reason": "exists"}}
    wrong = {"error": {"type": "mapper_parsing_exception", "reason": "no such type"}}
    with nodes(always(400, there)) as (hosts, _), cluster(hosts) as client:
        client.create("index", {})
    with (
        nodes(always(400, wrong)) as (hosts, _),
        cluster(hosts) as client,
        pytest.raises(StorageError, match="made no index 'index': no such type"),
    ):
        client.create("index", {})


def outcome(status: int, **more: Any) -> dict[str, Any]:
    return {"index": {"_id": "r:1", "status": status, **more}}


def test_only_what_was_refused_for_the_moment_is_written_again() -> None:
    busy = outcome(503, error={"reason": "primary shard is not active"})
    answers = [{"items": [outcome(201), busy]}, {"items": [outcome(201)]}]
    with nodes(lambda times: (200, answers[times - 1])) as (hosts, (node,)), cluster(hosts) as one:
        one.bulk([({"index": {}}, {}), ({"index": {}}, {})])

        assert node.asked == 2


def test_a_write_that_cannot_be_made_fails_in_time() -> None:
    busy = {"items": [outcome(503, error={"reason": "primary shard is not active"})]}
    started = time.monotonic()
    with (
        nodes(always(200, busy)) as (hosts, _),
        cluster(hosts, 1.0) as client,
        pytest.raises(StorageError, match="1 of 1 changes were not made within 1 s: primary"),
    ):
        client.bulk([({"index": {}}, {})])

    assert time.monotonic() - started < 2.0


def test_a_newer_record_is_never_overwritten_in_silence() -> None:
    conflict = {"items": [outcome(409, error={"reason": "version conflict"})]}
    with (
        nodes(always(200, conflict)) as (hosts, _),
        cluster(hosts) as client,
        pytest.raises(StorageError, match="'r:1' was changed by another program"),
    ):
        client.bulk([({"index": {}}, {})])


def test_deleting_what_is_gone_already_is_done() -> None:
    gone = {"items": [{"delete": {"_id": "r:1", "status": 404, "result": "not_found"}}]}
    with nodes(always(200, gone)) as (hosts, (node,)), cluster(hosts) as client:
        client.bulk([({"delete": {}}, None)])

        assert node.asked == 1

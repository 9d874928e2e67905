"""`forebear serve` with real sockets: limits, slow clients, a busy archive, workers."""

import contextlib
import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from forebear.storage.sqlite.migrate import open_file
from processes import start_process

FOREBEAR = [sys.executable, "-c", "from forebear.cli.app import main; main()"]
PATIENCE = 6  # seconds, against hangs only


class Server(NamedTuple):
    process: "subprocess.Popen[str]"
    host: str
    port: int

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return the status and the body of a response."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={"Accept": "application/json", **headers})
            response = connection.getresponse()
            return response.status, response.read().decode()

    def connect(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=PATIENCE)


Serve = Callable[..., AbstractContextManager[Server]]


@pytest.fixture
def serve(demo_file: Path, tmp_path: Path) -> Serve:
    @contextmanager
    def start(*words: str, path: Path = demo_file) -> Iterator[Server]:
        command = [*FOREBEAR, "serve", "--port", "0", "--archive", str(path), *words]
        with start_process(command, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            try:
                url = urlsplit(process.stderr.readline().strip())
                assert url.hostname
                assert url.port
                yield Server(process, url.hostname, url.port)
            finally:
                process.terminate()
                process.wait(timeout=PATIENCE)

    return start


def read_all(client: socket.socket) -> str:
    """Return everything that arrives until the server closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(4096):
            parts.append(part)
    return b"".join(parts).decode()


def test_slow_headers_are_refused_in_time(serve: Serve) -> None:
    with serve("--header-seconds", "0.5") as server:
        with server.connect() as silent, server.connect() as slow:
            slow.sendall(b"GET / HT")
            started = time.monotonic()
            with contextlib.suppress(OSError):
                for _ in range(20):  # a byte now and then does not extend the time
                    time.sleep(0.1)
                    slow.sendall(b"T")
            assert "408 Request Timeout" in read_all(silent)
            assert "408 Request Timeout" in read_all(slow)
            assert time.monotonic() - started < 10

        with server.connect() as client:  # the second request of a connection, too
            client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert client.recv(4096).startswith(b"HTTP/1.1 200")
            client.sendall(b"GET /health HTTP/1.1\r\n")
            assert "408 Request Timeout" in read_all(client)


def test_a_slow_body_is_refused_in_time(serve: Serve) -> None:
    head = (
        b"POST /api/1/search HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    with serve("--body-seconds", "0.5") as server, server.connect() as slow:
        slow.sendall(head)

        response = read_all(slow)

    assert response.startswith("HTTP/1.1 408")
    assert "the body did not arrive in 0.5 seconds" in response


def test_a_large_body_is_refused_also_in_chunks(serve: Serve) -> None:
    head = b"POST /api/1/search HTTP/1.1\r\nHost: localhost\r\n"
    with serve("--max-body", "1000") as server:
        with server.connect() as client:
            client.sendall(head + b"Content-Length: 999999999\r\n\r\n")
            assert read_all(client).startswith("HTTP/1.1 413")
        with server.connect() as client:
            client.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
            client.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n0\r\n\r\n")
            assert read_all(client).startswith("HTTP/1.1 413")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_is_no_http_is_refused_like_everything_else(serve: Serve, method: str) -> None:
    head = f"{method} /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with serve() as server:
        with server.connect() as client:
            client.sendall(head.encode() + b"[[[\r\n")
            response = read_all(client)
        server.process.terminate()
        assert server.process.stderr is not None
        messages = server.process.stderr.read()

    assert response.startswith("HTTP/1.1 400")
    assert "content-security-policy:" in response.lower()
    assert "Traceback" not in messages


def test_a_client_that_does_not_read_is_cut_off(serve: Serve) -> None:
    request = b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
    options = ("--body-seconds", "0.5", "--max-connections", "1", "--max-requests", "100000")
    with serve(*options) as server, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(1)
        client.connect((server.host, server.port))
        with contextlib.suppress(OSError):
            for _ in range(20_000):
                client.sendall(request)
        deadline = time.monotonic() + PATIENCE
        while server.get("/health")[0] == 429:  # the only connection is still held
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_an_address_holds_only_so_many_connections(serve: Serve) -> None:
    with serve("--max-connections", "3", "--workers", "2") as server:
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(server.connect()) for _ in range(3)]
            with server.connect() as another:
                assert "429 Too Many Requests" in read_all(another)
            with socket.create_connection(
                (server.host, server.port), PATIENCE, source_address=("127.0.0.2", 0)
            ) as other:
                other.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert other.recv(4096).startswith(b"HTTP/1.1 200")
            assert len(clients) == 3
        deadline = time.monotonic() + PATIENCE
        while server.get("/health")[0] != 200:
            assert time.monotonic() < deadline


def test_requests_are_limited_for_all_workers_together(serve: Serve) -> None:
    options = ("--max-requests", "10", "--trusted-proxy", "127.0.0.1", "--workers", "2")
    with serve(*options) as server:
        header = "X-Forwarded-For"
        one = [server.get("/nothing", **{header: "192.0.2.7"})[0] for _ in range(15)]
        other = [server.get("/nothing", **{header: "192.0.2.8"})[0] for _ in range(5)]

    assert one == [404] * 10 + [429] * 5
    assert other == [404] * 5


def test_other_hosts_are_refused_and_the_public_url_is_answered(serve: Serve) -> None:
    with serve("--public-url", "https://records.example.org") as server:
        assert server.get("/health", Host="records.example.org")[0] == 200
        assert server.get("/health", Host=f"localhost:{server.port}")[0] == 200
        assert server.get("/health", Host="evil.example")[0] == 421
        with server.connect() as client:
            client.sendall(b"GET /health HTTP/1.0\r\n\r\n")
            assert read_all(client).startswith("HTTP/1.1 421")


def test_a_search_is_answered_before_it_is_logged(serve: Serve, demo_file: Path) -> None:
    query = "/?surname=Thurlow"
    with serve() as server:
        assert server.get(query, Accept="text/html")[0] == 200
        with contextlib.closing(sqlite3.connect(demo_file, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            started = time.monotonic()
            status, page = server.get(query, Accept="text/html")
            health = server.get("/health")[0]
            seconds = time.monotonic() - started
            writer.execute("ROLLBACK")

    assert (status, health) == (200, 200)
    assert "Thurlow" in page
    assert seconds < 20  # who waits for a lock waits 30 seconds


HOLD_LOCK = """
import sqlite3, sys
writer = sqlite3.connect(sys.argv[1], isolation_level=None)
writer.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
writer.execute("ROLLBACK")
"""


def test_a_server_starts_and_answers_while_another_process_writes(
    serve: Serve, demo_file: Path
) -> None:
    paths = ["/", "/?surname=Thurlow", "/api/1/search?surname=Ling", "/browse/burials", "/health"]
    command = [sys.executable, "-c", HOLD_LOCK, str(demo_file)]
    with start_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stdout.readline() == "locked\n"
        with serve() as server:
            statuses = [server.get(path, Accept="text/html")[0] for path in paths * 3]
            is_locked = writer.poll() is None
        writer.stdin.write("\n")

    assert is_locked  # nothing waited for the end of the lock
    assert statuses == [200] * len(statuses)


def children(pid: int) -> set[int]:
    """Return the processes that a process started, and those that they did."""
    listed = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    direct = {child for child, parent in pairs if parent == pid}
    return direct.union(*(children(child) for child in direct))


def wait_for_end(pids: set[int]) -> set[int]:
    """Return the processes that still run after a while."""
    deadline = time.monotonic() + PATIENCE
    while (left := {pid for pid in pids if is_running(pid)}) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def is_running(pid: int) -> bool:
    try:
        return "zombie" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_server(
    serve: Serve, stop: signal.Signals, counted_threads: Path
) -> None:
    with serve("--workers", "2") as server:
        assert server.get("/api/1/search?surname=Thurlow")[0] == 200
        workers = children(server.process.pid)
        assert len(workers) >= 2
        with server.connect() as idle:
            idle.sendall(b"GET / HTTP/1.1\r\n")
            server.process.send_signal(stop)
            server.process.wait(timeout=PATIENCE)
            assert wait_for_end(workers) == set()


def test_a_worker_that_crashes_is_replaced(serve: Serve, counted_threads: Path) -> None:
    with serve("--workers", "2") as server:
        before = children(server.process.pid)
        commands = {pid: Path(f"/proc/{pid}/cmdline").read_text() for pid in before}
        workers = [pid for pid, command in commands.items() if "spawn_main" in command]
        os.kill(workers[0], signal.SIGKILL)

        deadline = time.monotonic() + PATIENCE
        while not children(server.process.pid) - before:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        statuses = {server.get("/health")[0] for _ in range(20)}

    assert statuses == {200}


def test_an_archive_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    command = [*FOREBEAR, "serve", "--port", "0", "--workers", "2"]
    ran = subprocess.run(
        [*command, "--archive", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )

    assert ran.returncode == 2
    assert ran.stderr.startswith("error: there is no archive at")
    assert "Traceback" not in ran.stderr


def test_a_server_says_that_older_rules_of_privacy_hide_everything(
    serve: Serve, demo_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "older.forebear"
    path.write_bytes(demo_file.read_bytes())
    connection = open_file(path)
    connection.execute("UPDATE metadata SET value = '1' WHERE name = 'privacy'")
    connection.close()

    with serve(path=path) as server:
        assert server.process.stderr is not None
        notice = server.process.stderr.readline()
        status, body = server.get("/api/1/collections")

    assert notice.startswith("notice: ")
    assert "older rules of privacy" in notice
    assert (status, json.loads(body)) == (200, [])


def test_links_are_added_listed_and_revoked(
    run: Callable[..., Any], archive: Path, serve: Serve
) -> None:
    added = json.loads(run("links", "add", "Mary", "--json").out)
    path = urlsplit(added["url"]).path

    with serve(path=archive) as server:
        assert server.get(path)[0] == 303
        assert run("links", "revoke", "Mary").status == 0
        assert server.get(path)[0] == 403

    (row,) = json.loads(run("links", "list", "--json").out)
    assert (row["name"], row["state"]) == ("Mary", "revoked")
    assert row["last_used"]

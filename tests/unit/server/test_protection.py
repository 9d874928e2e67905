"""Tests for `forebear.server.app`: what is refused before a page is made."""

import asyncio
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from h11 import LocalProtocolError
from starlette.types import Message, Receive, Scope, Send

from forebear.archive import Archive
from forebear.server.app import AT_ONCE, Protection, make_app
from forebear.server.limits import Counters, Limits
from forebear.server.options import ServerOptions, read_networks

JSON = {"accept": "application/json"}
GETS = [
    *("/", "/?surname=Tye", "/record/baptisms:B-1", "/beside/baptisms:B-1", "/browse/baptisms"),
    *("/missing?surname=Tye&record=baptisms:B-1", "/health", "/static/style.css"),
    *("/api/1/search?surname=Tye", "/api/1/collections", "/api/1/records/baptisms:B-1"),
    *("/api/1/facets?surname=Tye", "/openapi.json", "/nothing", "/record/none:x"),
    "/api/1/explanation?surname=Tye&record=baptisms:B-1",
]


def visit(archive: Archive, options: ServerOptions) -> TestClient:
    return TestClient(make_app(archive, options=options), follow_redirects=False)


def forwarded(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address, **JSON}


@pytest.mark.parametrize("address", GETS)
def test_head_is_answered_like_get_without_the_body(anonymous: TestClient, address: str) -> None:
    get, head = anonymous.get(address), anonymous.head(address)

    assert head.status_code == get.status_code
    assert head.content == b""
    for name in ("content-type", "content-security-policy"):
        assert head.headers[name] == get.headers[name]
    if "search" not in get.text:  # the id of a search may differ
        assert head.headers["content-length"] == get.headers["content-length"]


def test_a_request_for_another_host_is_refused(anonymous: TestClient) -> None:
    refused = anonymous.get("/", headers={"Host": "evil.example", **JSON})

    assert refused.status_code == 421
    assert refused.json()["code"] == "host"
    assert "'evil.example'" in refused.json()["detail"]
    assert "--public-url" in refused.json()["hint"]
    assert anonymous.get("/", headers={"Host": "localhost:8000"}).status_code == 200


def test_a_public_url_is_answered(archive: Archive) -> None:
    client = visit(archive, ServerOptions(public_urls=("https://records.example.org",)))

    assert client.get("/", headers={"Host": "records.example.org"}).status_code == 200
    assert client.get("/", headers={"Host": "example.org"}).status_code == 421


@pytest.mark.parametrize(
    "address", ["/health/", "/browse/baptisms/", "/x//evil.example/", "/static"]
)
def test_no_redirect_uses_the_host_header(anonymous: TestClient, address: str) -> None:
    response = anonymous.get(address)

    assert response.status_code == 404
    assert "location" not in response.headers


def test_a_form_from_the_public_url_is_ours_behind_a_proxy_too(archive: Archive) -> None:
    client = visit(archive, ServerOptions(public_urls=("https://records.example.org",)))
    headers = {"Host": "127.0.0.1:8000", **JSON}

    ours = client.post("/sign-out", headers={**headers, "Origin": "https://records.example.org"})
    theirs = client.post("/sign-out", headers={**headers, "Origin": "https://evil.example"})
    malformed = client.post("/sign-out", headers={**headers, "Origin": "http://["})

    assert [ours.status_code, theirs.status_code, malformed.status_code] == [303, 403, 403]


@pytest.fixture
def limited(archive: Archive) -> Iterator[TestClient]:
    options = ServerOptions(
        trusted_proxies=read_networks(["10.0.0.1"]),
        limits=Limits(requests=3, body_bytes=1000, url_bytes=300),
    )
    with TestClient(make_app(archive, options=options), client=("10.0.0.1", 1)) as client:
        yield client


def test_too_many_requests_of_one_address_are_refused_with_a_time(limited: TestClient) -> None:
    one = [limited.get("/nothing", headers=forwarded("192.0.2.7")) for _ in range(4)]
    other = limited.get("/nothing", headers=forwarded("192.0.2.8"))

    assert [response.status_code for response in one] == [404, 404, 404, 429]
    assert other.status_code == 404
    assert one[3].json()["code"] == "limit"
    assert 1 <= int(one[3].headers["retry-after"]) <= 65
    assert "content-security-policy" in one[3].headers


def test_addresses_of_one_ipv6_network_count_together(limited: TestClient) -> None:
    statuses = [
        limited.get("/nothing", headers=forwarded(f"2001:db8::{n}")).status_code for n in range(4)
    ]

    assert statuses == [404, 404, 404, 429]


def test_an_address_before_the_last_is_not_believed(limited: TestClient) -> None:
    statuses = [
        limited.get("/nothing", headers=forwarded(f"203.0.113.{n}, 192.0.2.7")).status_code
        for n in range(4)
    ]

    assert statuses == [404, 404, 404, 429]


def test_a_header_of_anyone_else_is_not_believed(archive: Archive) -> None:
    client = visit(archive, ServerOptions(limits=Limits(requests=3)))

    statuses = [
        client.get("/nothing", headers=forwarded(f"192.0.2.{n}")).status_code for n in range(4)
    ]

    assert statuses == [404, 404, 404, 429]


def test_a_body_that_is_too_large_is_refused(limited: TestClient) -> None:
    headers = forwarded("192.0.2.7")

    stated = limited.post("/api/1/search", content=b" " * 1001, headers=headers)
    streamed = limited.post("/api/1/search", content=iter([b" " * 600] * 3), headers=headers)
    huge = limited.post("/api/1/search", content=b" " * 100_000, headers=headers)

    for response in (stated, streamed, huge):
        assert response.status_code == 413
        assert response.json()["detail"] == "more than 1,000 bytes were sent"
        assert response.headers["connection"] == "close"


def test_a_body_within_the_limit_arrives_whole(limited: TestClient) -> None:
    query = b'{"surname": "Tye"}'

    response = limited.post(
        "/api/1/search",
        content=iter([query[:5], query[5:]]),
        headers={**forwarded("192.0.2.7"), "Content-Type": "application/json"},
    )

    assert response.json()["results"][0]["name"] == "Alice Tye"


def test_an_address_that_is_too_long_is_refused(limited: TestClient) -> None:
    response = limited.get("/?surname=" + "x" * 300, headers=forwarded("192.0.2.7"))

    assert response.status_code == 414
    assert "300 are allowed" in response.json()["detail"]


def test_health_reads_nothing_of_the_archive(archive: Archive) -> None:
    client = visit(archive, ServerOptions())
    archive.close()

    assert client.get("/health").json()["status"] == "ok"

    archive.path.unlink()
    assert client.get("/health", headers=JSON).status_code == 503


def test_a_connection_that_the_server_has_answered_itself_gets_nothing_more(
    archive: Archive,
) -> None:
    sent: list[str] = []

    async def send(message: Message) -> None:
        sent.append(message["type"])
        raise LocalProtocolError("the body was no HTTP, and the connection must be closed")

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        **{"type": "http", "method": "GET", "path": "/health", "raw_path": b"/health"},
        **{"headers": [(b"host", b"localhost")], "query_string": b"", "root_path": ""},
        **{"client": ("127.0.0.1", 1), "server": ("localhost", 80), "scheme": "http"},
    }
    asyncio.run(make_app(archive, options=ServerOptions())(scope, receive, send))

    assert sent == ["http.response.start"]


def test_a_burst_from_one_address_does_not_delay_others() -> None:
    async def run() -> tuple[list[str], list[str]]:
        running: list[str] = []
        release = asyncio.Event()

        async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
            running.append(scope["client"][0])
            await release.wait()

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        async def send(_message: Message) -> None:
            pass

        def request(address: str) -> Scope:
            return {
                **{"type": "http", "method": "GET", "path": "/", "query_string": b""},
                **{"headers": [(b"host", b"localhost")], "client": (address, 1)},
                **{"server": ("127.0.0.1", 80), "scheme": "http", "root_path": ""},
            }

        protected = Protection(app, options=ServerOptions(), counters=Counters(Limits()))
        addresses = ["192.0.2.1"] * 5 + ["192.0.2.2"]
        tasks = [
            asyncio.create_task(protected(request(address), receive, send)) for address in addresses
        ]
        for _ in range(20):  # steps of the loop, until nobody moves any more
            await asyncio.sleep(0)
        first = list(running)
        release.set()
        await asyncio.gather(*tasks)
        return first, running

    first, answered = asyncio.run(run())

    assert sorted(first) == ["192.0.2.1"] * AT_ONCE + ["192.0.2.2"]
    assert len(answered) == 6

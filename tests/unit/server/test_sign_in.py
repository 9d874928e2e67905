"""Tests for sign-in links, and for what visitors may do with and without them."""

import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from forebear.archive import Archive
from forebear.archive.records import moment
from forebear.errors import InputError, NotFoundError
from forebear.interactions.links import SignInLink, hash_token
from forebear.server.app import make_app
from forebear.server.options import ServerOptions

MARY = "/?given=Mary+Ann&surname=Fairweather"
JUDGE = "/judge?given=Mary+Ann&surname=Fairweather"
ATTACH = {"record": "baptisms:B-1", "kind": "attach"}
JSON = {"accept": "application/json"}


def test_a_link_signs_in_and_leaves_the_token_out_of_the_address(
    anonymous: TestClient, archive: Archive
) -> None:
    token = archive.add_link("Mary")

    opened_link = anonymous.get(f"/sign-in/{token}")

    assert opened_link.status_code == 303
    assert opened_link.headers["location"] == "/"
    assert opened_link.headers["referrer-policy"] == "no-referrer"
    assert opened_link.headers["cache-control"] == "no-store"
    cookie = opened_link.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert "expires=" in cookie
    assert "secure" not in cookie
    page = anonymous.get("/").text
    assert "Signed in as <strong>Mary</strong>" in page
    assert token not in page


def test_the_cookie_is_secure_where_the_public_url_is_https(archive: Archive) -> None:
    app = make_app(archive, options=ServerOptions(public_urls=("https://records.example.org",)))
    client = TestClient(app, base_url="https://records.example.org", follow_redirects=False)

    response = client.get(f"/sign-in/{archive.add_link('Mary')}")

    assert "secure" in response.headers["set-cookie"].lower()


def test_signed_in_visitors_attach_and_anonymous_ones_only_read(
    client: TestClient, anonymous: TestClient, archive: Archive
) -> None:
    assert 'value="attach"' in client.get(MARY).text
    assert client.post(JUDGE, data=ATTACH).status_code == 303
    assert len(archive.judged_searches()) == 1

    page = anonymous.get(MARY).text
    assert 'value="attach"' not in page
    assert "/judge" not in page
    assert "You are not signed in" in page
    refused = anonymous.post(JUDGE, data=ATTACH, headers=JSON)
    assert refused.status_code == 403
    assert refused.json()["code"] == "access"
    assert "only who is signed in" in refused.json()["detail"]
    assert "open your sign-in link" in refused.json()["hint"]
    assert len(archive.judged_searches()) == 1


def test_what_a_signed_in_visitor_does_is_logged_under_the_link(
    client: TestClient, archive: Archive
) -> None:
    client.post(JUDGE, data=ATTACH)
    archive.revoke_link("Mary")
    client.get(f"/sign-in/{archive.add_link('Ann')}")
    client.post(JUDGE, data=ATTACH)

    searchers = {judged.search.searcher for judged in archive.judged_searches()}

    assert len(searchers) == 2
    assert all(re.fullmatch("u[0-9a-f]{10}", name) for name in searchers)


def test_signed_in_visitors_see_no_more_than_the_public(
    client: TestClient, anonymous: TestClient
) -> None:
    for address in ("/record/baptisms:B-living", "/api/1/records/baptisms:B-living"):
        assert client.get(address).status_code == anonymous.get(address).status_code == 404
    data = {"record": "baptisms:B-living", "kind": "attach"}
    assert client.post(JUDGE, data=data).status_code == 404


def test_votes_of_anonymous_visitors_are_accepted_where_allowed(archive: Archive) -> None:
    app = make_app(archive, options=ServerOptions(allow_votes=True))
    client = TestClient(app, follow_redirects=False)

    page = client.get(MARY).text

    assert 'value="attach"' in page
    assert "released" in page
    assert client.post(JUDGE, data=ATTACH).status_code == 303


def test_signing_out_ends_the_session(client: TestClient) -> None:
    response = client.post("/sign-out")

    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert "Signed in" not in client.get("/").text


def test_a_revoked_link_signs_out_at_once(client: TestClient, archive: Archive) -> None:
    assert "Signed in" in client.get("/").text

    archive.revoke_link("Mary")

    assert "Signed in" not in client.get("/").text
    assert client.post(JUDGE, data=ATTACH).status_code == 403
    assert [link.state(moment(datetime.now(UTC))) for link in archive.links()] == ["revoked"]


def test_an_expired_link_signs_nobody_in(anonymous: TestClient, archive: Archive) -> None:
    ended = moment(datetime.now(UTC) - timedelta(seconds=1))
    link = SignInLink(name="Late", created_at=ended, expires_at=ended)
    archive._links.put(link, hash_token("late"))

    response = anonymous.get("/sign-in/late", headers=JSON)

    assert response.status_code == 403
    assert "it has expired, was revoked, or is incomplete" in response.json()["detail"]
    assert "set-cookie" not in response.headers
    anonymous.cookies.set("forebear", "late")
    assert "Signed in" not in anonymous.get("/").text


@pytest.mark.parametrize("token", ["x", "x" * 500, "%00", "%ff", "a%20b"])
def test_a_token_of_nobody_signs_nobody_in(anonymous: TestClient, token: str) -> None:
    assert anonymous.get(f"/sign-in/{token}").status_code == 403


def test_only_a_hash_of_the_token_is_stored(archive: Archive) -> None:
    token = archive.add_link("Mary")
    archive.compact()

    stored = archive.path.read_bytes()

    assert len(token) >= 32
    assert token.encode() not in stored
    assert hashlib.sha256(token.encode()).digest() in stored


def test_the_day_of_the_last_use_is_noted(archive: Archive) -> None:
    token = archive.add_link("Mary")
    assert [link.last_used for link in archive.links()] == [None]

    archive.sign_in(token)

    assert [link.last_used for link in archive.links()] == [f"{datetime.now(UTC):%Y-%m-%d}"]


def test_a_name_has_one_valid_link_at_a_time(archive: Archive) -> None:
    first = archive.add_link(" Mary ")
    with pytest.raises(InputError, match="there is a link 'Mary' already"):
        archive.add_link("Mary")

    archive.revoke_link("Mary")
    second = archive.add_link("Mary")

    assert archive.sign_in(first) is None
    link = archive.sign_in(second)
    assert link is not None
    assert link.name == "Mary"


@pytest.mark.parametrize("name", ["", " ", "x" * 61, "a\nb", "a\x00b"])
def test_a_name_is_short_and_printable(archive: Archive, name: str) -> None:
    with pytest.raises(InputError, match="cannot be the name of a link"):
        archive.add_link(name)


def test_a_link_that_is_not_there_cannot_be_revoked(archive: Archive) -> None:
    with pytest.raises(NotFoundError, match="there is no link 'Ann'"):
        archive.revoke_link("Ann")

"""Tests for `forebear.server.visitors` and `forebear.server.options`."""

import pytest

from forebear.errors import InputError
from forebear.server.options import ServerOptions, read_networks, read_public_url
from forebear.server.visitors import Visitor, address_group, client_address

PROXIES = read_networks(["10.0.0.0/8", "::1"])


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.7", ["203.0.113.9"], "192.0.2.7"),  # not a proxy that we trust
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),  # the first may be invented
        ("10.0.0.1", ["198.51.100.1", "203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"),
        ("10.0.0.1", ["[2001:db8::9]:4711"], "2001:db8::/64"),
        ("::1", ["2001:db8::9"], "2001:db8::/64"),
        ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
    ],
)
def test_the_address_is_the_last_that_no_trusted_proxy_has(
    peer: str, forwarded: list[str], address: str
) -> None:
    assert client_address(peer, forwarded, PROXIES) == address


def test_no_header_is_trusted_unless_a_proxy_is() -> None:
    assert client_address("127.0.0.1", ["203.0.113.9"], ()) == "127.0.0.1"


def test_ipv6_addresses_of_one_network_are_one_visitor() -> None:
    assert address_group("2001:db8:0:1::5") == address_group("2001:db8:0:1:ffff::6")
    assert address_group("2001:db8:0:1::5") != address_group("2001:db8:0:2::5")
    assert address_group("fe80::1%eth0") == "fe80::/64"


def test_a_visitor_is_known_by_the_link_or_else_by_the_address() -> None:
    assert Visitor(address="192.0.2.7").identity == "192.0.2.7"
    assert Visitor(address="192.0.2.7", link="Mary").identity == "link:Mary"
    assert [Visitor(link=link).is_signed_in for link in (None, "Mary")] == [False, True]


@pytest.mark.parametrize(
    ("host", "is_allowed"),
    [
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("[::1]:8000", True),
        ("records.example.org", True),
        ("RECORDS.example.org.:443", True),
        ("192.0.2.7:8000", True),  # the address that was reached
        ("192.0.2.8:8000", False),
        ("records.example.org.evil.example", False),
        ("evil.example", False),
        ("localhost@evil.example", False),
        ("", False),
    ],
)
def test_only_hosts_that_name_us_are_allowed(host: str, is_allowed: bool) -> None:
    options = ServerOptions(public_urls=("https://records.example.org",))

    assert options.allows_host(host, "192.0.2.7") is is_allowed


def test_https_follows_from_the_public_url() -> None:
    both = ServerOptions(public_urls=("https://records.example.org", "http://intranet"))

    assert both.is_https("records.example.org")
    assert both.is_https("127.0.0.1:8000")  # behind a proxy that does not pass the host on
    assert not both.is_https("intranet:80")
    assert not ServerOptions().is_https("127.0.0.1:8000")


@pytest.mark.parametrize(
    "text",
    ["records.example.org", "ftp://x", "https://", "https://x/path", "https://x:99999", "http://["],
)
def test_what_is_no_public_url_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a public URL"):
        read_public_url(text)


def test_what_is_no_network_is_refused() -> None:
    with pytest.raises(InputError, match="'proxy' is not an address"):
        read_networks(["10.0.0.2", "proxy"])

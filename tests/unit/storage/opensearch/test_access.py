"""Tests for `forebear.storage.opensearch.access`: who may connect, and what is never sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cluster_proxy import Certificates, Proxy, proxy
from forebear.errors import ForebearError, InputError, StorageError
from forebear.storage.opensearch.access import client_options
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.port import ClusterAccess

LOCAL, REMOTE = "http://localhost:9200", "http://cluster.example:9200"


@pytest.fixture(scope="module")
def certificates(openssl: str, tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(openssl, tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def client(certificates: Certificates) -> tuple[Path, Path]:
    return certificates.issue("client")


@pytest.fixture
def guarded(opensearch_url: str, certificates: Certificates) -> Iterator[Proxy]:
    """Return a node that demands a client certificate."""
    with proxy(opensearch_url, tls=certificates.server("localhost", demands_certificate=True)) as p:
        yield p


@pytest.fixture
def encrypted(opensearch_url: str, certificates: Certificates) -> Iterator[Proxy]:
    with proxy(opensearch_url, tls=certificates.server("localhost")) as p:
        yield p


@contextmanager
def connected(url: str, access: ClusterAccess) -> Iterator[Cluster]:
    cluster = Cluster([url], access=access, read_seconds=5.0)
    try:
        yield cluster
    finally:
        cluster.close()


def ask(url: str, access: ClusterAccess) -> str:
    with connected(url, access) as cluster:
        return str(cluster.read("GET", "/")["version"]["distribution"])


def secret_file(folder: Path, text: str, mode: int = 0o600) -> str:
    path = folder / "secret"
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_a_client_with_a_certificate_is_let_in(
    guarded: Proxy, certificates: Certificates, client: tuple[Path, Path]
) -> None:
    certificate, key = map(str, client)
    access = ClusterAccess(ca=str(certificates.ca), certificate=certificate, key=key)

    assert ask(guarded.url, access) == "opensearch"


def test_a_client_without_a_certificate_is_not(guarded: Proxy, certificates: Certificates) -> None:
    with pytest.raises(StorageError):
        ask(guarded.url, ClusterAccess(ca=str(certificates.ca)))
    assert guarded.requests == []


def test_a_node_that_no_trusted_authority_signed_for_gets_no_request(encrypted: Proxy) -> None:
    with pytest.raises(StorageError, match="CERTIFICATE_VERIFY_FAILED"):
        ask(encrypted.url, ClusterAccess())
    assert encrypted.requests == []


def test_a_node_with_the_certificate_of_another_name_gets_no_request(
    opensearch_url: str, certificates: Certificates
) -> None:
    with proxy(opensearch_url, tls=certificates.server("other.example")) as other:
        with pytest.raises(StorageError, match=r"[Hh]ostname"):
            ask(other.url, ClusterAccess(ca=str(certificates.ca)))
        assert other.requests == []


def test_the_api_key_comes_from_the_environment_or_a_file(
    encrypted: Proxy,
    certificates: Certificates,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encrypted.authorization = "ApiKey bm90LWEtcmVhbC1rZXk="
    ca = str(certificates.ca)
    in_file = ClusterAccess(ca=ca, api_key_file=secret_file(tmp_path, "bm90LWEtcmVhbC1rZXk=\n"))

    assert ask(encrypted.url, in_file) == "opensearch"
    monkeypatch.setenv("FOREBEAR_CLUSTER_API_KEY", "bm90LWEtcmVhbC1rZXk=")
    assert ask(encrypted.url, ClusterAccess(ca=ca)) == "opensearch"
    monkeypatch.setenv("FOREBEAR_CLUSTER_API_KEY", "another")
    with pytest.raises(StorageError, match="401 who are you") as refused:
        ask(encrypted.url, in_file)
    assert "FOREBEAR_CLUSTER_API_KEY" in str(refused.value)


def test_the_password_comes_from_the_environment_or_a_file(
    encrypted: Proxy,
    certificates: Certificates,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encrypted.authorization = "Basic YW5uYTpzZWNyZXQ="  # anna:secret
    ca = str(certificates.ca)
    in_file = ClusterAccess(ca=ca, user="anna", password_file=secret_file(tmp_path, "secret"))

    assert ask(encrypted.url, in_file) == "opensearch"
    monkeypatch.setenv("FOREBEAR_CLUSTER_USER", "anna")
    monkeypatch.setenv("FOREBEAR_CLUSTER_PASSWORD", "secret")
    assert ask(encrypted.url, ClusterAccess(ca=ca)) == "opensearch"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_secret_that_others_can_read_is_refused(
    mode: int, tmp_path: Path, client: tuple[Path, Path]
) -> None:
    path = secret_file(tmp_path, "secret", mode)
    for access in (
        ClusterAccess(user="anna", password_file=path),
        ClusterAccess(api_key_file=path),
        ClusterAccess(certificate=str(client[0]), key=path),
    ):
        with pytest.raises(InputError, match=f"mode {mode:o}.*\nhint: chmod 600"):
            client_options(["https://localhost:9200"], access)


@pytest.mark.parametrize(
    ("hosts", "access", "message"),
    [
        (["https://anna:secret@localhost:9200"], ClusterAccess(), "has a user or password in it"),
        (["localhost:9200"], ClusterAccess(), "is not the address of a node"),
        (["http://[::1"], ClusterAccess(), "is not the address of a node"),
        ([LOCAL], ClusterAccess(user="anna"), "a password is missing"),
        ([LOCAL], ClusterAccess(password_file="SECRET"), "a user is missing"),
        ([LOCAL, REMOTE], ClusterAccess(api_key_file="SECRET"), "'cluster.example' unencrypted"),
        ([LOCAL], ClusterAccess(ca="ca.pem"), "without TLS"),
        (["https://localhost"], ClusterAccess(ca="absent.pem"), "CA file 'absent.pem'"),
        (["https://localhost"], ClusterAccess(key="a.key"), "without its certificate"),
        (["https://localhost"], ClusterAccess(certificate="absent.pem"), "'absent.pem'"),
        (["https://localhost"], ClusterAccess(api_key_file="absent"), "API key 'absent'"),
    ],
)
def test_what_cannot_be_right_is_refused_with_its_reason(
    hosts: list[str], access: ClusterAccess, message: str, tmp_path: Path
) -> None:
    path = secret_file(tmp_path, "secret")
    names = {
        name: path if getattr(access, name) == "SECRET" else getattr(access, name)
        for name in ("ca", "certificate", "key", "user", "password_file", "api_key_file")
    }
    with pytest.raises(ForebearError, match=message) as refused:
        client_options(hosts, ClusterAccess(**names))
    assert "secret" not in str(refused.value).replace(path, "")


def test_a_password_for_this_machine_needs_no_encryption(tmp_path: Path) -> None:
    access = ClusterAccess(user="anna", password_file=secret_file(tmp_path, "secret"))

    assert client_options([LOCAL], access) == {"http_auth": ("anna", "secret")}

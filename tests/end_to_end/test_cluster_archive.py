"""The program on an archive in a cluster: the commands of a file archive, the same answers."""

import json
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cluster_proxy import Certificates, proxy

Run = Callable[..., Any]
QUERY = ("--given", "Thomas", "--surname", "Thurlow", "--birth", "1812", "--no-log", "--json")


@pytest.fixture
def cluster(run: Run, opensearch_url: str, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "cluster.forebear"
    where = ("--hosts", opensearch_url, "--prefix", f"program-{secrets.token_hex(4)}")
    assert run("init", path, "--storage", "opensearch", *where).status == 0
    yield path
    assert run("delete", path, "--yes").status == 0


def test_a_cluster_answers_like_a_file(
    run: Run, archive: Path, cluster: Path, repository: Path
) -> None:
    for name in ("baptisms", "marriages", "burials", "census"):
        folder = repository / "demo" / "records" / name
        words = (f"{folder}.csv", "--mapping", f"{folder}.toml", "--archive", cluster)
        assert run("import", *words).status == 0

    here, there = (
        json.loads(run("search", *QUERY, "--archive", a).out) for a in (archive, cluster)
    )
    checks = [
        run("check", "--archive", opened_archive).out for opened_archive in (archive, cluster)
    ]

    assert here["results"]
    assert here["results"] == there["results"]
    assert here["lists"] == there["lists"]
    assert checks[0] == checks[1]


def test_weights_are_estimated_in_a_cluster(run: Run, archive: Path, cluster: Path) -> None:
    run("copy", archive, cluster)

    ran = run("weights", "estimate", "--personas", 12, "--json", "--archive", cluster)

    assert ran.status == 0
    estimate = json.loads(ran.out)
    assert estimate["personas"] >= 8
    assert sum(estimate["matches"].values()) > 0


def test_an_archive_is_copied_to_a_cluster_and_back(
    run: Run, archive: Path, cluster: Path, tmp_path: Path
) -> None:
    back = tmp_path / "back.forebear"
    run("init", back)
    run("takedown", "burials:BUR-0001", "--reason", "asked")

    there = json.loads(run("copy", archive, cluster, "--json").out)
    here = json.loads(run("copy", cluster, back, "--json").out)
    digests = [run("check", "--digest", "--json", "--archive", a).out for a in (archive, back)]

    assert there == here
    assert there["records"] == 847
    assert digests[0] == digests[1]
    assert json.loads(run("takedown", "--json", "--archive", back).out) == {
        "burials:BUR-0001": "asked"
    }


def test_importing_a_file_again_changes_nothing(run: Run, cluster: Path, repository: Path) -> None:
    folder = repository / "demo" / "records" / "burials"
    words = ("import", f"{folder}.csv", "--mapping", f"{folder}.toml", "--archive", cluster)

    first, second = (json.loads(run(*words, "--json").out)[0] for _ in range(2))

    assert first["added"] == 139
    assert (second["added"], second["changed"], second["gone"]) == (0, 0, 0)


def test_an_archive_that_cannot_be_made_leaves_nothing_behind(
    run: Run, opensearch_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "other.forebear"
    words = ("init", path, "--storage", "opensearch")

    unnamed = run(*words)
    refused = run(*words, "--hosts", opensearch_url, "--prefix", "Not A Name")

    assert (unnamed.status, refused.status) == (2, 3)
    assert "which cluster?" in unnamed.err
    assert "cannot begin the names of indexes" in refused.err
    assert not path.exists()


def test_an_archive_is_deleted_only_on_purpose(run: Run, archive: Path) -> None:
    refused = run("delete", archive)

    assert refused.status == 2
    assert "add --yes" in refused.err
    assert archive.exists()
    assert run("delete", archive, "--yes").status == 0
    assert not archive.exists()


def test_an_archive_behind_tls_needs_a_certificate_and_a_key_that_its_file_never_has(
    run: Run,
    opensearch_url: str,
    openssl: str,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    certificates = Certificates(openssl, tmp_path)
    certificate, key = certificates.issue("client")
    path = tmp_path / "encrypted.forebear"
    secret = secrets.token_hex(16)
    burials = repository / "demo" / "records" / "burials"
    tls = certificates.server("localhost", demands_certificate=True)
    with proxy(opensearch_url, tls=tls) as guarded:
        guarded.authorization = f"ApiKey {secret}"
        where = ("--hosts", guarded.url, "--prefix", f"program-{secrets.token_hex(4)}")
        files = ("--ca", certificates.ca, "--certificate", certificate, "--key", key)
        refused = run("init", path, "--storage", "opensearch", *where, *files)
        monkeypatch.setenv("FOREBEAR_CLUSTER_API_KEY", secret)
        assert run("init", path, "--storage", "opensearch", *where, *files).status == 0
        try:
            words = (f"{burials}.csv", "--mapping", f"{burials}.toml", "--archive", path)
            assert run("import", *words).status == 0
            assert " 0 faults" in run("check", "--archive", path).out
        finally:
            stored = b"".join(file.read_bytes() for file in tmp_path.glob("encrypted*"))
            assert run("delete", path, "--yes").status == 0
    assert refused.status == 3
    assert "FOREBEAR_CLUSTER_API_KEY" in refused.err
    assert str(certificates.ca).encode() in stored
    assert secret.encode() not in stored

"""Tests of the cache in `forebear.storage.opensearch.knowledge`."""

import pytest

from forebear.errors import StorageError
from forebear.storage.opensearch import knowledge
from forebear.storage.opensearch.knowledge import ClusterCache


class Changes:
    """The count of changes of an archive, as a cluster returns it or cannot."""

    def __init__(self) -> None:
        self.number = 1
        self.requests = 0
        self.is_down = False

    def change_number(self) -> int:
        self.requests += 1
        if self.is_down:
            raise StorageError("no node answers")
        return self.number


def fail() -> str:
    raise StorageError("no node answers")


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def cache(changes: Changes) -> ClusterCache:
    return ClusterCache(changes)  # type: ignore[arg-type]


def test_a_value_is_computed_once(cache: ClusterCache, changes: Changes) -> None:
    assert cache.get("a", lambda: "first") == "first"
    assert cache.get("a", lambda: "second") == "first"
    assert changes.requests == 1


def test_a_change_made_here_is_noticed_at_once(cache: ClusterCache, changes: Changes) -> None:
    cache.get("a", lambda: "first")
    cache.clear()

    assert cache.get("a", lambda: "second") == "second"


def test_a_change_made_elsewhere_is_noticed_when_it_is_looked_for(
    cache: ClusterCache, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.get("a", lambda: "first")
    changes.number = 2
    assert cache.get("a", lambda: "second") == "first"

    monkeypatch.setattr(knowledge, "NOTICED_SECONDS", -1.0)

    assert cache.get("a", lambda: "second") == "second"


def test_while_the_cluster_does_not_respond_its_last_value_serves_without_another_request(
    cache: ClusterCache, changes: Changes
) -> None:
    cache.get("a", lambda: "first")
    cache.clear()
    changes.is_down = True

    assert [cache.get("a", fail) for _ in range(3)] == ["first"] * 3
    assert changes.requests == 2
    with pytest.raises(StorageError, match="no node"):
        cache.get("b", fail)


def test_when_the_cluster_is_back_it_is_asked_again(
    cache: ClusterCache, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.get("a", lambda: "first")
    cache.clear()
    changes.is_down = True
    cache.get("a", fail)
    changes.is_down = False

    monkeypatch.setattr(knowledge, "NOTICED_SECONDS", -1.0)

    assert cache.get("a", lambda: "second") == "second"

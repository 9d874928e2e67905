"""Tests for `forebear.storage.opensearch.remembered`."""

import pytest

from forebear.errors import StorageError
from forebear.storage.opensearch import remembered
from forebear.storage.opensearch.remembered import Remembered


class Changes:
    """The count of changes of an archive, as a cluster tells it or cannot."""

    def __init__(self) -> None:
        self.number = 1
        self.asked = 0
        self.is_down = False

    def change_number(self) -> int:
        self.asked += 1
        if self.is_down:
            raise StorageError("no node answers")
        return self.number


def fail() -> str:
    raise StorageError("no node answers")


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def kept(changes: Changes) -> Remembered:
    return Remembered(changes)  # type: ignore[arg-type]


def test_an_answer_is_worked_out_once(kept: Remembered, changes: Changes) -> None:
    assert kept.keep("a", lambda: "first") == "first"
    assert kept.keep("a", lambda: "second") == "first"
    assert changes.asked == 1


def test_a_change_made_here_is_noticed_at_once(kept: Remembered, changes: Changes) -> None:
    kept.keep("a", lambda: "first")
    kept.forget()

    assert kept.keep("a", lambda: "second") == "second"


def test_a_change_made_elsewhere_is_noticed_when_it_is_looked_for(
    kept: Remembered, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.keep("a", lambda: "first")
    changes.number = 2
    assert kept.keep("a", lambda: "second") == "first"

    monkeypatch.setattr(remembered, "NOTICED_SECONDS", -1.0)

    assert kept.keep("a", lambda: "second") == "second"


def test_while_the_cluster_cannot_tell_its_last_answer_serves_without_asking_again(
    kept: Remembered, changes: Changes
) -> None:
    kept.keep("a", lambda: "first")
    kept.forget()
    changes.is_down = True

    assert [kept.keep("a", fail) for _ in range(3)] == ["first"] * 3
    assert changes.asked == 2
    with pytest.raises(StorageError, match="no node"):
        kept.keep("b", fail)


def test_when_the_cluster_is_back_it_is_asked_again(
    kept: Remembered, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.keep("a", lambda: "first")
    kept.forget()
    changes.is_down = True
    kept.keep("a", fail)
    changes.is_down = False

    monkeypatch.setattr(remembered, "NOTICED_SECONDS", -1.0)

    assert kept.keep("a", lambda: "second") == "second"

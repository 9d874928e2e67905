"""Tests for `forebear.search.record_search.find_lists`."""

import threading
from collections.abc import Callable, Sequence

import pytest

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.expansion.gate import Gate
from forebear.search.record_search.find_lists import find_lists
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.storage.memory import MemoryStorage

OWNER = Viewer(year=2026, is_owner=True)
NAMES = ("baptism", "marriage", "burial")


def list_search(name: str) -> ListSearch:
    gate = Gate(branches=())
    return ListSearch(
        name=name, record_type=name, collections=(), gate=gate, clauses=(), weights=()
    )


class Answering(MemoryStorage):
    """A storage of which each list does what a test says."""

    def __init__(self, doing: dict[str, Callable[[], None]], at_once: int) -> None:
        super().__init__()
        self._doing = doing
        self.lists_at_once = at_once
        self.list_seconds = 0.3

    def find(self, search: ListSearch, *, viewer: Viewer, top: int) -> RankedList:
        del viewer, top
        self._doing.get(search.name, lambda: None)()
        return RankedList(name=search.name, record_type=search.record_type, records=7)


class Together(Answering):
    """One that searches its lists together, and counts how often it is asked for one alone."""

    def __init__(self, doing: dict[str, Callable[[], None]]) -> None:
        super().__init__(doing, at_once=1)
        self.alone = 0

    def find(self, search: ListSearch, *, viewer: Viewer, top: int) -> RankedList:
        self.alone += 1
        return super().find(search, viewer=viewer, top=top)

    def find_together(
        self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int
    ) -> list[RankedList]:
        return [super(Together, self).find(each, viewer=viewer, top=top) for each in searches]


def fail() -> None:
    raise StorageError("the disk is gone")


def answers(storage: Answering) -> list[RankedList]:
    return find_lists(storage, [list_search(name) for name in NAMES], viewer=OWNER, top=10)


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_list_that_fails_is_named_and_the_others_are_returned(at_once: int) -> None:
    found = answers(Answering({"marriage": fail}, at_once))

    assert [each.name for each in found] == list(NAMES)
    assert [each.state for each in found] == ["complete", "failed", "complete"]
    assert found[1].message == "the disk is gone"
    assert [each.records for each in found] == [7, 0, 7]


def test_a_list_that_is_late_is_named_and_the_others_are_returned() -> None:
    released = threading.Event()

    found = answers(Answering({"baptism": lambda: released.wait(5) and None}, at_once=8))
    released.set()

    assert [each.state for each in found] == ["failed", "complete", "complete"]
    assert found[0].message == "late: no answer within 0.3 s"


def test_lists_are_asked_at_once_where_that_pays() -> None:
    together = threading.Barrier(3, timeout=5)

    found = answers(Answering(dict.fromkeys(NAMES, lambda: together.wait() and None), at_once=3))

    assert [each.state for each in found] == ["complete"] * 3


def test_lists_are_searched_together_where_they_can_share_the_work() -> None:
    storage = Together({})

    found = answers(storage)

    assert [each.records for each in found] == [7, 7, 7]
    assert storage.alone == 0


def test_a_list_that_fails_among_others_does_not_take_them_with_it() -> None:
    storage = Together({"marriage": fail})

    found = answers(storage)

    assert [each.state for each in found] == ["complete", "failed", "complete"]
    assert storage.alone == 3

"""A list that fails or is late is reported; the others are not affected."""

import threading
from collections.abc import Callable, Sequence

import pytest

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.expansion.gate import Gate
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.storage.opensearch.find import OpenSearchFinder
from forebear.storage.sqlite.find import SqliteFinder

OWNER = Viewer(year=2026, is_owner=True)
NAMES = ("baptism", "marriage", "burial")
SEARCHES = [
    ListSearch(
        name=name,
        record_type=name,
        collections=(),
        gate=Gate(branches=()),
        clauses=(),
        weights=(),
    )
    for name in NAMES
]
Doing = dict[str, Callable[[], object]]


class Cluster(OpenSearchFinder):
    """A cluster in which each list does what a test says."""

    list_seconds = 0.3

    def __init__(self, doing: Doing) -> None:
        self._doing = doing

    def _find_together(
        self, searches: Sequence[ListSearch], viewer: Viewer, top: int
    ) -> dict[int, RankedList]:
        del searches, viewer, top
        return {}  # something failed

    def _find(self, search: ListSearch, viewer: Viewer, top: int) -> RankedList:
        del viewer, top
        self._doing.get(search.name, lambda: None)()
        return RankedList(name=search.name, record_type=search.record_type, records=7)


class File(SqliteFinder):
    """A file in which each list does what a test says, and which counts its searches."""

    def __init__(self, doing: Doing) -> None:
        self._doing = doing
        self.calls: list[int] = []

    def _find(self, searches: Sequence[ListSearch], viewer: Viewer, top: int) -> list[RankedList]:
        del viewer, top
        self.calls.append(len(searches))
        for search in searches:
            self._doing.get(search.name, lambda: None)()
        return [
            RankedList(name=search.name, record_type=search.record_type, records=7)
            for search in searches
        ]


def fail() -> None:
    raise StorageError("the disk is gone")


@pytest.mark.parametrize("storage", [Cluster, File])
def test_a_list_that_fails_is_reported_and_the_others_are_returned(
    storage: type[Cluster] | type[File],
) -> None:
    ranked = storage({"marriage": fail}).find(SEARCHES, viewer=OWNER, top=10)

    assert [one.name for one in ranked] == list(NAMES)
    assert [one.state for one in ranked] == ["complete", "failed", "complete"]
    assert ranked[1].message == "the disk is gone"
    assert [one.records for one in ranked] == [7, 0, 7]


def test_a_list_that_is_late_is_reported_and_the_others_are_returned() -> None:
    released = threading.Event()

    ranked = Cluster({"baptism": lambda: released.wait(5)}).find(SEARCHES, viewer=OWNER, top=10)
    released.set()

    assert [one.state for one in ranked] == ["failed", "complete", "complete"]
    assert ranked[0].message == "late: no answer within 0.3 s"


def test_lists_that_failed_together_are_searched_one_by_one_at_the_same_time() -> None:
    barrier = threading.Barrier(3, timeout=5)

    ranked = Cluster(dict.fromkeys(NAMES, barrier.wait)).find(SEARCHES, viewer=OWNER, top=10)

    assert [one.state for one in ranked] == ["complete"] * 3


def test_a_file_is_read_once_for_all_lists_and_one_by_one_only_after_a_failure() -> None:
    sound, damaged = File({}), File({"marriage": fail})

    sound.find(SEARCHES, viewer=OWNER, top=10)
    damaged.find(SEARCHES, viewer=OWNER, top=10)

    assert sound.calls == [3]
    assert damaged.calls == [3, 1, 1, 1]

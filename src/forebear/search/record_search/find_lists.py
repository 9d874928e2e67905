"""How are many lists searched when one of them may fail or be late?

Each by itself: what one list says never depends on another.  A list that fails, or is not
there when its time is up, is named with the reason, and the others are returned.  Storages
that wait for others (a cluster) are asked for many lists at once, those that do the work
themselves for one after the other, or, where they can share the work, for all together.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.record_search.storage import FindsTogether, RecordStorage

if TYPE_CHECKING:
    from concurrent.futures import Future


def find_lists(
    storage: RecordStorage, searches: Sequence[ListSearch], *, viewer: Viewer, top: int
) -> list[RankedList]:
    """Return the answer of every list, in their order."""
    if isinstance(storage, FindsTogether):
        try:
            return storage.find_together(searches, viewer=viewer, top=top)
        except StorageError:
            pass  # some list failed; asked one by one, each says so for itself
    if storage.lists_at_once == 1 or len(searches) < 2:
        return [_find(storage, search, viewer, top) for search in searches]
    # Only those who wait for others need threads, which take a while to load.
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(storage.lists_at_once, thread_name_prefix="list")
    try:
        deadline = time.monotonic() + storage.list_seconds
        asked = [pool.submit(_find, storage, search, viewer, top) for search in searches]
        return [
            _in_time(future, search, deadline, storage.list_seconds)
            for future, search in zip(asked, searches, strict=True)
        ]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _find(storage: RecordStorage, search: ListSearch, viewer: Viewer, top: int) -> RankedList:
    try:
        return storage.find(search, viewer=viewer, top=top)
    except StorageError as error:
        return _failed(search, error.message)


def _in_time(
    future: "Future[RankedList]", search: ListSearch, deadline: float, seconds: float
) -> RankedList:
    try:
        return future.result(timeout=max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        return _failed(search, f"late: no answer within {seconds:g} s")


def _failed(search: ListSearch, message: str) -> RankedList:
    return RankedList(
        name=search.name, record_type=search.record_type, state="failed", message=message
    )

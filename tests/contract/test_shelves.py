"""Every storage gives the same rows, in the same order, to those who browse."""

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import structs

from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.results.describe import browse, collection_search, neighbors
from forebear.storage.memory import MemoryStorage
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.sqlite import browse as sqlite_browse
from making import make_baptism, make_collection
from storages import SQLITE, Storage, empty, get, sqlite_storage

SHELF, OTHER = make_collection("baptisms"), make_collection("others")
OWNER, PUBLIC = Viewer(year=2026, is_owner=True), Viewer(year=2026)
RAYDON, LAYHAM = "Raydon, Suffolk, England", "Layham, Suffolk, England"
Rows = Callable[..., list[str]]


@pytest.fixture(params=["memory", *SQLITE, "sqlite, walked", "opensearch"])
def storage(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Storage]:
    if request.param == "memory":
        yield MemoryStorage()
    elif request.param == "opensearch":
        cluster: OpenSearchStorage = request.getfixturevalue("cluster_archive")
        empty(cluster)
        yield cluster
    else:
        if "walked" in request.param:  # large parts are walked through, few rows at a time
            monkeypatch.setattr(sqlite_browse, "FEW_PERSONAS", 0)
            monkeypatch.setattr(sqlite_browse, "WALKED_ROWS", 2)
        with sqlite_storage(tmp_path, request.param) as file:
            yield file


def child(
    number: int, year: int, place: str, collection: str = "baptisms", file: str = "book.csv"
) -> Record:
    source = f"{file}:{number}"
    return make_baptism(
        str(number), date=str(year), place=place, collection=collection, source=source
    )


@pytest.fixture
def rows(storage: Storage) -> Rows:
    storage.put_collection(SHELF)
    storage.put_collection(OTHER)
    storage.write(
        [
            (child(11, 1801, RAYDON),),
            (child(2, 1801, LAYHAM),),
            (child(3, 1802, RAYDON),),
            (child(4, 1990, RAYDON),),
            (child(5, 1801, RAYDON, collection="others"),),
        ]
    )

    def browsed(viewer: Viewer = OWNER, **part: object) -> list[str]:
        rows = storage.browse(shelf(storage, viewer, **part), viewer=viewer, limit=100)
        return [row.record_key for row in rows]

    return browsed


def shelf(storage: Storage, viewer: Viewer, **part: object) -> ListSearch:
    return collection_search(SHELF, storage.knowledge(viewer), **part)  # type: ignore[arg-type]


def test_all_rows_of_a_collection_in_the_order_of_their_lines(rows: Rows) -> None:
    assert rows() == ["baptisms:2", "baptisms:3", "baptisms:4", "baptisms:11"]


def test_rows_of_a_place_and_a_year(rows: Rows) -> None:
    assert rows(place="Raydon") == ["baptisms:3", "baptisms:4", "baptisms:11"]
    assert rows(place="Raydon", year=1801) == ["baptisms:11"]
    assert rows(place="p:norfolk,england") == []


def test_rows_that_the_public_may_not_see_are_not_there(rows: Rows, storage: Storage) -> None:
    storage.take_down("baptisms:2", reason="asked", at="2026")

    assert rows(PUBLIC) == ["baptisms:3", "baptisms:11"]
    opened = [rows(Viewer(year=year)) for year in range(1890, 1930)]
    assert [keys for keys, more in pairwise(opened) if keys != more] == [
        [],
        ["baptisms:11"],
    ]
    assert len(rows(OWNER)) == 4


def test_rows_follow_what_is_deleted_and_what_moves(rows: Rows, storage: Storage) -> None:
    storage.delete(["baptisms:3"])
    storage.restate([structs.replace(child(11, 1801, RAYDON), source="book.csv:1")])

    assert rows() == ["baptisms:11", "baptisms:2", "baptisms:4"]
    assert storage.count("baptisms", viewer=OWNER) == 3
    assert storage.check().faults == ()


def fill(storage: Storage) -> None:
    """Write records of three files, half of them hidden, in no order."""
    storage.put_collection(SHELF)
    numbers = list(range(1, 25))
    random.Random(1).shuffle(numbers)
    storage.write(
        [
            (child(n, 1990 + n if n % 2 else 1801, RAYDON if n % 3 else LAYHAM, file=file),)
            for n, file in ((n, f"{'bac'[n % 3]} book.csv") for n in numbers)
        ]
    )


def pages(storage: Storage, viewer: Viewer, way: str, size: int, **part: object) -> list[str]:
    """Return the rows of all pages, walked from the first or from the last."""
    search = shelf(storage, viewer, **part)
    keys: list[str] = []
    page = browse(storage, search, viewer, size=size)
    while way == "back" and page.after:
        page = browse(storage, search, viewer, size=size, after=page.after)
    while True:
        shown = [row.record_key for row in page.rows]
        assert len(shown) <= size
        keys = [*keys, *shown] if way == "on" else [*shown, *keys]
        cursor = page.after if way == "on" else page.before
        if not cursor:
            return keys
        go_on = {"after": cursor} if way == "on" else {"before": cursor}
        page = browse(storage, search, viewer, size=size, **go_on)


def test_pages_of_any_size_give_every_row_once_in_order(storage: Storage) -> None:
    fill(storage)
    memory = MemoryStorage()
    fill(memory)

    for viewer in (OWNER, PUBLIC, Viewer(year=2105)):
        for part in ({}, {"place": "Raydon"}):
            expected = [
                row.record_key
                for row in memory.browse(shelf(memory, viewer, **part), viewer=viewer, limit=99)
            ]
            assert expected
            for size in (1, 4, 12):
                for direction in ("on", "back"):
                    assert pages(storage, viewer, direction, size, **part) == expected


def test_a_page_does_not_show_how_many_rows_are_hidden_in_between(storage: Storage) -> None:
    fill(storage)
    search = shelf(storage, PUBLIC)
    seen = [row.record_key for row in storage.browse(search, viewer=PUBLIC, limit=99)]
    before = [browse(storage, search, PUBLIC, size=size) for size in (1, 3, 99)]

    storage.delete(
        row.record_key
        for row in storage.browse(shelf(storage, OWNER), viewer=OWNER, limit=99)
        if row.record_key not in seen
    )

    assert [browse(storage, search, PUBLIC, size=size) for size in (1, 3, 99)] == before
    assert storage.count("baptisms", viewer=PUBLIC) == storage.count("baptisms", viewer=OWNER)


def test_neighbors_are_of_the_same_file_and_may_be_seen(storage: Storage) -> None:
    fill(storage)
    record = get(storage, "baptisms:12", viewer=PUBLIC)
    assert record is not None

    for viewer, expected in ((PUBLIC, [6, 12, 18]), (OWNER, [9, 12, 15])):
        near = neighbors(storage, shelf(storage, viewer), viewer, record, around=1)
        assert [row.record_key for row in near] == [f"baptisms:{n}" for n in expected]
    far = neighbors(storage, shelf(storage, OWNER), OWNER, record, around=99)
    assert [row.record_key for row in far] == [f"baptisms:{n}" for n in range(3, 25, 3)]


def test_facets_and_counts_follow_every_change(storage: Storage) -> None:
    fill(storage)

    def counted(viewer: Viewer) -> tuple[int, int]:
        page = browse(storage, shelf(storage, viewer), viewer, size=1)
        return page.total, storage.count("baptisms", viewer=viewer)

    assert [counted(viewer) for viewer in (OWNER, PUBLIC)] == [(24, 24), (12, 12)]
    storage.take_down("baptisms:12", reason="asked", at="2026")
    assert [counted(viewer) for viewer in (OWNER, PUBLIC)] == [(24, 24), (11, 11)]
    storage.restore("baptisms:12")
    storage.delete(["baptisms:12", "baptisms:1"])
    assert [counted(viewer) for viewer in (OWNER, PUBLIC)] == [(22, 22), (11, 11)]
    storage.delete_collection("baptisms")
    assert storage.count("baptisms", viewer=OWNER) == 0

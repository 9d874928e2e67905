"""Every storage gives the same rows to those who browse."""

from collections.abc import Callable

import pytest

from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.results.browse import collection_search
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite.storage import SqliteStorage
from making import make_baptism, make_collection

Storage = MemoryStorage | SqliteStorage
SHELF, OTHER = make_collection("baptisms"), make_collection("others")
OWNER, PUBLIC = Viewer(year=2026, is_owner=True), Viewer(year=2026)


def child(number: int, year: int, place: str, collection: str = "baptisms") -> Record:
    source = f"book.csv:{number}"
    return make_baptism(
        str(number), date=str(year), place=place, collection=collection, source=source
    )


@pytest.fixture
def rows(storage: Storage) -> Callable[..., list[tuple[str, str]]]:
    storage.put_collection(SHELF)
    storage.put_collection(OTHER)
    storage.write(
        [
            (child(1, 1801, "Raydon, Suffolk, England"),),
            (child(2, 1801, "Layham, Suffolk, England"),),
            (child(3, 1802, "Raydon, Suffolk, England"),),
            (child(4, 1990, "Raydon, Suffolk, England"),),
            (child(5, 1801, "Raydon, Suffolk, England", collection="others"),),
        ]
    )

    def browsed(viewer: Viewer = OWNER, **part: object) -> list[tuple[str, str]]:
        search = collection_search(SHELF, storage.knowledge(viewer), **part)  # type: ignore[arg-type]
        found = storage.browse(search, viewer=viewer)
        return sorted((row.record_key, row.source) for row in found)

    return browsed


def test_all_rows_of_a_collection_each_once(rows: Callable[..., list[tuple[str, str]]]) -> None:
    assert rows() == [(f"baptisms:{n}", f"book.csv:{n}") for n in (1, 2, 3, 4)]


def test_rows_of_a_place_and_a_year(rows: Callable[..., list[tuple[str, str]]]) -> None:
    assert [key for key, _ in rows(place="Raydon")] == ["baptisms:1", "baptisms:3", "baptisms:4"]
    assert [key for key, _ in rows(place="Raydon", year=1801)] == ["baptisms:1"]
    assert rows(place="p:norfolk,england") == []


def test_rows_that_the_public_may_not_see_are_not_there(
    rows: Callable[..., list[tuple[str, str]]], storage: Storage
) -> None:
    storage.take_down("baptisms:2", reason="asked", at="2026")

    assert [key for key, _ in rows(PUBLIC)] == ["baptisms:1", "baptisms:3"]
    assert len(rows(OWNER)) == 4

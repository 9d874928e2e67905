"""Every storage gives the same rows to those who browse."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forebear.archive import create_archive
from forebear.normalize.dates import parse_date
from forebear.normalize.places import parse_place
from forebear.records.collections import Collection
from forebear.records.events import Event
from forebear.records.names import Name
from forebear.records.personas import Persona
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.results.browse import shelf_search
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite.connection import open_file
from forebear.storage.sqlite.storage import SqliteStorage

Storage = MemoryStorage | SqliteStorage
SHELF = Collection(name="baptisms", title="Baptisms", record_type="baptism")
OTHER = Collection(name="others", title="Others", record_type="baptism")
OWNER, PUBLIC = Viewer(year=2026, is_owner=True), Viewer(year=2026)


@pytest.fixture(params=["memory", "sqlite"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if request.param == "memory":
        yield MemoryStorage()
        return
    create_archive(tmp_path / "archive.forebear")
    connection = open_file(tmp_path / "archive.forebear")
    yield SqliteStorage(connection)
    connection.close()


def child(number: int, year: int, place: str, collection: str = "baptisms") -> Record:
    return Record(
        collection=collection,
        id=f"{number}",
        record_type="baptism",
        event=Event(kind="baptism", date=parse_date(str(year)), place=parse_place(place)),
        personas=(
            Persona(
                role="child",
                kin="self",
                names=(Name(given="Ann", surname="Tye"),),
                is_principal=True,
            ),
            Persona(role="father", kin="parent", names=(Name(given="Amos", surname="Tye"),)),
        ),
        source=f"book.csv:{number}",
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
        search = shelf_search(SHELF, storage.known_to(viewer), **part)  # type: ignore[arg-type]
        found = storage.rows_of(search, viewer=viewer)
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

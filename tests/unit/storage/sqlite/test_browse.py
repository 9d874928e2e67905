"""Tests for `forebear.storage.sqlite.browse`: few or many, the counts are the same."""

from pathlib import Path

import pytest

from forebear.archive import create_archive
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Event, Name, Persona, Record
from forebear.search.results.describe import collection_search
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite import browse
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.storage import SqliteStorage

SHELF = Collection(name="weddings", title="Weddings", record_type="marriage")
PLACES = ("Raydon, Suffolk, England", "Layham, Suffolk, England", "Diss, Norfolk, England", "")


def wedding(number: int) -> Record:
    place = PLACES[number % len(PLACES)]
    return Record(
        collection="weddings",
        id=str(number),
        record_type="marriage",
        event=Event(
            kind="marriage",
            date=read_date(str(1790 + 7 * number)) if number % 5 else None,
            place=read_place(place).place if place else None,
        ),
        personas=tuple(
            Persona(
                role=role, kin=kin, names=(Name(given="Ann", surname="Tye"),), is_principal=True
            )
            for role, kin in (("groom", "self"), ("bride", "spouse"))
        ),
    )


@pytest.mark.parametrize("few", [0, browse.FEW_COUNTED])
def test_terms_and_bitmaps_give_the_counts_of_the_reference(
    few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browse, "FEW_COUNTED", few)
    create_archive(tmp_path / "archive.forebear").close()
    connection = open_file(tmp_path / "archive.forebear")
    storages = MemoryStorage(), SqliteStorage(connection)
    for storage in storages:
        storage.put_collection(SHELF)
        storage.write([(wedding(number),) for number in range(20)])

    for part in ({}, {"place": "Suffolk, England"}, {"year": 1797}, {"year": 1066}):
        for viewer in (Viewer(year=2026, is_owner=True), Viewer(year=1950)):
            expected, counted = (
                storage.facets(
                    [collection_search(SHELF, storage.knowledge(viewer), **part)], viewer=viewer
                )
                for storage in storages
            )
            assert counted == expected

    assert expected[0].records == 0
    connection.close()

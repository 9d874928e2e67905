"""Tests for `forebear.storage.places`, and for what the storages learn of a collection."""

import pytest

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.privacy import OWNER
from forebear.records.record import Event, Name, Persona, Record
from forebear.storage.memory import MemoryStorage
from forebear.storage.places import Coverage, covered_places
from forebear.storage.sqlite.storage import SqliteStorage
from making import make_collection

Storage = MemoryStorage | SqliteStorage


@pytest.fixture
def storage(storage: Storage) -> Storage:
    for name in ("mine", "other"):
        storage.put_collection(make_collection(name, "burial"))
    return storage


def burial(number: int, place: str, year: int, collection: str = "mine", job: str = "") -> Record:
    return Record(
        collection=collection,
        id=str(number),
        record_type="burial",
        event=Event(kind="burial", date=read_date(str(year)), place=read_place(place).place),
        personas=(
            Persona(
                role="deceased",
                kin="self",
                names=(Name(given="Ann", surname="Green"),),
                occupation=job,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("counts", "covered"),
    [
        ({"p:england": 99, "p:suffolk,england": 95, "p:france": 1}, ("p:suffolk,england",)),
        ({"p:england": 60, "p:france": 39, "p:peru": 1}, ("p:england", "p:france")),
        ({"p:england": 9, "p:suffolk,england": 5, "p:essex,england": 4}, ("p:england",)),
        ({}, ()),
    ],
)
def test_places_are_told_as_narrowly_as_nearly_all_allow(
    counts: dict[str, int], covered: tuple[str, ...]
) -> None:
    assert covered_places(counts, lambda place: counts[place]) == covered


def test_coverage_is_learned_from_the_records(storage: Storage) -> None:
    storage.write([(burial(1, "Layham, Suffolk", 1851),), (burial(2, "Eye, Suffolk", 1860),)])
    storage.write([(burial(3, "Paris, France", 1900, "other"),)])

    assert storage.knowledge(OWNER).coverage("mine") == Coverage(
        places=("p:suffolk,england",), first_year=1851, last_year=1860
    )


def test_presence_follows_writing_and_deleting(storage: Storage) -> None:
    storage.write([(burial(1, "Layham", 1851, job="weaver"),), (burial(2, "Layham", 1860),)])
    storage.write([(burial(3, "Layham", 1900, "other"),)])
    before = storage.knowledge(OWNER).field_presence("mine")
    storage.delete(["mine:2"])

    assert (before["self.surname"], before["self.occupation"]) == (1.0, 0.5)
    assert storage.knowledge(OWNER).field_presence("mine")["self.occupation"] == 1.0
    assert "self.occupation" not in storage.knowledge(OWNER).field_presence("other")


def test_of_an_empty_collection_nothing_is_known(storage: Storage) -> None:
    assert storage.knowledge(OWNER).coverage("mine") == Coverage()
    assert storage.knowledge(OWNER).field_presence("mine") == {}


def test_a_collection_that_covers_something_else_is_indexed_anew(storage: Storage) -> None:
    storage.write([(burial(1, "Layham", 1851),)])
    places = (read_place("Suffolk, England").place,)
    storage.put_collection(
        Collection(name="mine", title="mine", record_type="burial", places=places)  # type: ignore[arg-type]
    )

    assert storage.knowledge(OWNER).field_presence("mine")["record.coverage"] == 1.0

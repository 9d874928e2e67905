"""What every storage must do, held against each of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forebear.errors import StorageError
from forebear.normalize.dates import parse_date
from forebear.normalize.places import parse_place
from forebear.records.collections import Collection
from forebear.records.events import Event
from forebear.records.names import Name
from forebear.records.personas import Persona
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.model import hand_set_model
from forebear.search.query.from_json import query_from_json
from forebear.search.searcher import RecordList, Searcher, SearchResult
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite.connection import create_file
from forebear.storage.sqlite.storage import SqliteStorage

Storage = MemoryStorage | SqliteStorage
OWNER = Viewer(year=2026, is_owner=True)
PUBLIC = Viewer(year=2026)


@pytest.fixture(params=["memory", "sqlite"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if request.param == "memory":
        yield MemoryStorage()
        return
    connection = create_file(tmp_path / "archive.forebear")
    yield SqliteStorage(connection)
    connection.close()


def make_collection(
    name: str = "baptisms", record_type: str = "baptism", **more: int
) -> Collection:
    return Collection(name=name, title=name, record_type=record_type, **more)


def make_baptism(
    number: str, given: str = "John", surname: str = "Smith", date: str = "12 Mar 1851"
) -> Record:
    return Record(
        collection="baptisms",
        id=number,
        record_type="baptism",
        event=Event(kind="baptism", date=parse_date(date), place=parse_place("Layham, Suffolk")),
        personas=(
            Persona(
                role="child",
                kin="self",
                is_principal=True,
                sex="m",
                names=(Name(given=given, surname=surname),),
            ),
            Persona(
                role="father",
                kin="parent",
                sex="m",
                names=(Name(given="Thomas", surname=surname),),
            ),
        ),
        text="twin",
        row=(("forename", given), ("surname", surname), ("note", "")),
        source="register.csv:7",
    )


def search(storage: Storage, viewer: Viewer = OWNER, **facts: object) -> SearchResult:
    searcher = Searcher(
        storage=storage,
        knowledge=storage,
        lists=[RecordList(name="baptism", record_type="baptism", collections=("baptisms",))],
        model=hand_set_model(),
    )
    return searcher.search(
        query_from_json({"given": "John", "surname": "Smith", **facts}), viewer=viewer
    )


def keys(result: SearchResult) -> list[str]:
    return [hit.hit.record_key for hit in result.fused]


def test_what_was_written_is_read_back_whole(storage: Storage) -> None:
    record = make_baptism("1")
    storage.put_collection(make_collection())

    storage.write([(record,)])

    assert storage.get("baptisms:1", viewer=OWNER) == record
    assert storage.group_of("baptisms:1", viewer=OWNER) == (record,)
    assert storage.collections() == (make_collection(),)
    assert storage.get("baptisms:2", viewer=OWNER) is None


def test_a_record_is_found_once_under_its_best_persona(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1", given="Thomas"),)])

    result = search(storage, given="Thomas")

    assert keys(result) == ["baptisms:1"]
    assert result.lists[0].candidates == 2
    assert result.lists[0].records == 1


def test_a_rewritten_record_replaces_the_old_one(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),)])

    storage.write([(make_baptism("1", given="Peter"),)])

    assert keys(search(storage)) == []
    assert keys(search(storage, given="Peter")) == ["baptisms:1"]
    assert storage.count("baptisms", viewer=OWNER) == 1


def test_a_deleted_record_is_gone_with_its_group(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2")), (make_baptism("3"),)])

    storage.delete(["baptisms:1", "baptisms:unknown"])

    assert keys(search(storage)) == ["baptisms:3"]
    assert storage.get("baptisms:2", viewer=OWNER) is None
    assert storage.count("baptisms", viewer=OWNER) == 1


def test_records_of_a_group_know_each_others_people(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2", given="Mary", surname="Jones"))])

    result = search(storage, relatives=[{"kind": "other", "given": "Mary", "surname": "Jones"}])

    best = result.fused[0].hit
    assert best.record_key == "baptisms:1"
    assert "other.name.exact" in best.fired


def test_a_collection_must_be_there_before_its_records(storage: Storage) -> None:
    with pytest.raises(StorageError, match="'baptisms' is not in the archive"):
        storage.write([(make_baptism("1"),)])


def living(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("old"),), (make_baptism("new", date="3 May 1990"),)])


def embargoed(storage: Storage) -> None:
    storage.put_collection(make_collection(embargo_years=150))
    storage.write(
        [(make_baptism("old", date="1 Jan 1850"),), (make_baptism("new", date="1 Jan 1900"),)]
    )


def undated(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("old"),), (make_baptism("new", date="torn"),)])


@pytest.mark.parametrize("fill", [living, embargoed, undated])
def test_what_the_public_may_not_see_is_in_no_answer(
    storage: Storage, fill: Callable[[Storage], None]
) -> None:
    fill(storage)

    owned, public = search(storage, viewer=OWNER), search(storage, viewer=PUBLIC)

    assert sorted(keys(owned)) == ["baptisms:new", "baptisms:old"]
    assert keys(public) == ["baptisms:old"]
    assert public.lists[0].candidates == 1
    assert public.lists[0].records == 1
    assert storage.get("baptisms:new", viewer=PUBLIC) is None
    assert storage.group_of("baptisms:new", viewer=PUBLIC) == ()
    assert storage.count("baptisms", viewer=PUBLIC) == 1
    assert storage.count("baptisms", viewer=OWNER) == 2


def test_an_impossible_record_of_a_living_person_is_not_even_counted(storage: Storage) -> None:
    living(storage)
    born = [{"kind": "birth", "date": "1850"}, {"kind": "death", "date": "1880"}]

    owned = search(storage, viewer=OWNER, events=born)
    public = search(storage, viewer=PUBLIC, events=born)

    assert owned.lists[0].excluded == 1
    assert public.lists[0].excluded == 0


def test_a_record_taken_down_stays_down_through_another_import(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2")), (make_baptism("3"),)])

    storage.take_down("baptisms:1", reason="asked by the family", at="2026-01-01")
    storage.write([(make_baptism("1"), make_baptism("2"))])

    assert keys(search(storage, viewer=PUBLIC)) == ["baptisms:3"]
    assert storage.get("baptisms:2", viewer=PUBLIC) is None
    assert storage.count("baptisms", viewer=PUBLIC) == 1
    assert len(keys(search(storage, viewer=OWNER))) == 3
    assert storage.takedowns() == {"baptisms:1": "asked by the family"}

    storage.restore("baptisms:1")

    assert len(keys(search(storage, viewer=PUBLIC))) == 3


def test_a_deleted_collection_leaves_nothing_behind(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.put_collection(make_collection("others"))
    storage.write([(make_baptism("1"),), (make_baptism("2"),)])

    deleted = storage.delete_collection("baptisms")

    assert deleted == 2
    assert keys(search(storage)) == []
    assert [collection.name for collection in storage.collections()] == ["others"]


def test_time_opens_a_record_without_a_rewrite(storage: Storage) -> None:
    embargoed(storage)

    seen = {year: keys(search(storage, viewer=Viewer(year=year))) for year in (2050, 2051)}

    assert seen[2050] == ["baptisms:old"]
    assert sorted(seen[2051]) == ["baptisms:new", "baptisms:old"]


def test_folded_names_of_the_archive_are_known(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1", surname="Müller"),)])

    assert storage.names_folding_to("surname", "mueller") == {"müller"}
    assert storage.names_folding_to("surname", "muller") == {"müller"}
    assert storage.names_folding_to("given", "mueller") == frozenset()


def test_parts_places_years_and_shares_follow_the_records(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),), (make_baptism("2", surname="Brown", date="1861"),)])

    assert storage.parts_with(frozenset({"father.given"})) == {
        "baptisms/1850/child",
        "baptisms/1860/child",
    }
    assert storage.parts_with(frozenset({"birth.year"})) == frozenset()
    assert storage.places_named("layham") == ("p:layham,suffolk,england",)
    assert storage.year_range() == (1851, 1861)
    assert storage.surname_share("brown") == 0.5

    storage.delete(["baptisms:2"])

    assert storage.parts_of(frozenset({"baptisms"})) == {
        "baptisms/1850/child",
        "baptisms/1850/father",
    }
    assert storage.year_range() == (1851, 1851)
    assert storage.surname_share("brown") == 0.0

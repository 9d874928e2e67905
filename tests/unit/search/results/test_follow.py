"""Tests for `forebear.search.results.follow`, and for the searcher that runs it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explaining import explain_hit
from forebear.normalize.dates import read_date
from forebear.records.collections import Collection, RecordList
from forebear.records.privacy import OWNER
from forebear.records.record import Event, Name, Persona, Record
from forebear.search.model import hand_set_model
from forebear.search.query.person_query import query_from_json
from forebear.search.searcher import Searcher, SearchResult
from forebear.storage.memory import MemoryStorage

Search = Callable[..., SearchResult]

# Somebody who knows the birth and the parents, but not the husband.
DAUGHTER: dict[str, Any] = {
    "given": "Mary Ann",
    "surname": "Brown",
    "events": [
        {"kind": "birth", "date": "12 Mar 1851"},
        {"kind": "marriage", "date": "2 Jun 1875"},
    ],
    "relatives": [
        {"kind": "father", "given": "John", "surname": "Brown"},
        {"kind": "mother", "given": "Ann", "surname": "Hall"},
    ],
}


def keys(result: SearchResult) -> set[str]:
    return {hit.record_key for hit in result.fused}


def test_a_husband_on_her_wedding_tells_the_name_she_bore_afterwards(
    search: Search, archive: MemoryStorage
) -> None:
    found = search(**DAUGHTER, sex="female")

    assert [str(each) for each in found.followed] == ["married name Green, as marriage:m1 tells"]
    assert any(stage.stage == "followed record search" for stage in found.trace)
    wife = found.find("census:c2")
    assert wife is not None
    assert "self.surname.exact" in wife[1].fired
    assert all(explain_hit(found, hit, archive).adds_up for hit in found.fused)
    surname = next(
        row for row in explain_hit(found, wife[1], archive).rows if row.fact == "surname"
    )
    assert surname.you_said == "Brown; Green (from another record)"
    assert surname.record_says == "Green"
    assert surname.verdict.startswith("same name")
    assert found.query.names[-1].surname == "Brown"


def test_a_strict_search_follows_nothing(search: Search) -> None:
    found = search(**DAUGHTER, sex="female", options={"relax": False})

    assert found.followed == ()


def test_a_record_that_is_hardly_hers_is_not_believed(search: Search) -> None:
    found = search(given="M", surname="Braun", sex="female")

    wedding = found.find("marriage:m1")
    assert wedding is not None
    assert found.probabilities["marriage:m1"] < 0.2
    assert found.followed == ()


def test_a_husband_takes_no_name_from_his_wife(search: Search) -> None:
    found = search(
        given="Thomas",
        surname="Green",
        sex="male",
        events=[{"kind": "marriage", "date": "2 Jun 1875", "place": "Hadleigh, Suffolk"}],
        relatives=[{"kind": "father", "given": "James", "surname": "Green"}],
    )

    assert found.fused[0].record_key == "marriage:m1"
    assert found.probabilities["marriage:m1"] > 0.5
    assert found.followed == ()


def test_a_name_that_was_asked_for_is_not_told_again(search: Search) -> None:
    husband = {"kind": "spouse", "given": "Thomas", "surname": "Green"}
    relatives = [*DAUGHTER["relatives"], husband]

    found = search(**{**DAUGHTER, "relatives": relatives}, sex="female")

    assert found.followed == ()


def test_a_wife_known_by_her_husbands_name_is_found_under_the_one_her_wedding_tells(
    search: Search,
) -> None:
    found = search(
        given="Mary Ann",
        surname="Green",
        sex="female",
        events=[{"kind": "marriage", "date": "2 Jun 1875", "place": "Hadleigh, Suffolk"}],
        relatives=[{"kind": "spouse", "given": "Thomas", "surname": "Green"}],
    )

    assert [str(each) for each in found.followed] == ["birth name Brown, as marriage:m1 tells"]
    assert "baptism:b1" in keys(found)


def following(*records: Record) -> Callable[..., SearchResult]:
    """Return a search among a few records of a register and of a census."""
    storage = MemoryStorage()
    for record_type in ("marriage", "census"):
        storage.put_collection(
            Collection(name=record_type, title=record_type, record_type=record_type)
        )
    storage.write([(record,) for record in records])
    lists = [RecordList(name=n, record_type=n, collections=(n,)) for n in ("marriage", "census")]
    model = replace(hand_set_model(), shifts={"marriage": 0, "census": 0})
    searcher = Searcher(storage=storage, lists=lists, model=model)
    return lambda **query: searcher.search(query_from_json(query), viewer=OWNER)


def wedding_of(id_: str, year: str, groom: Name, bride: Name, **more: Any) -> Record:
    return Record(
        collection="marriage",
        id=id_,
        record_type="marriage",
        event=Event(kind="marriage", date=read_date(year)),
        personas=(
            Persona(role="groom", kin="self", names=(groom,), sex="m", is_principal=True),
            Persona(role="bride", kin="spouse", names=(bride,), sex="f", is_principal=True),
        ),
        **more,
    )


def counted(id_: str, name: Name, born: str) -> Record:
    return Record(
        collection="census",
        id=id_,
        record_type="census",
        event=Event(kind="residence", date=read_date("1881")),
        personas=(
            Persona(
                role="head",
                kin="self",
                names=(name,),
                events=(Event(kind="birth", date=read_date(born)),),
                is_principal=True,
            ),
        ),
    )


def test_a_widows_second_wedding_tells_the_second_husband() -> None:
    search = following(
        wedding_of(
            "m1", "1870", Name(given="Tom", surname="Green"), Name(given="Ann", surname="Hall")
        ),
        wedding_of(
            "m2", "1880", Name(given="Jas", surname="Nunn"), Name(given="Ann", surname="Green")
        ),
        counted("c1", Name(given="Ann", surname="Nunn"), "1800"),
    )

    weddings = [{"kind": "marriage", "date": year} for year in ("1870", "1880")]
    found = search(given="Ann", surname="Hall", sex="female", events=weddings)

    assert [each.surname for each in found.followed] == ["Green", "Nunn"]
    assert "census:c1" in keys(found)


def test_whoever_went_by_the_second_name_is_found_under_the_first() -> None:
    search = following(
        counted("c1", Name(given="Edward Ralph", surname="Hunter"), "1850"),
        counted("c2", Name(given="Edward", surname="Hunter"), "1880"),
    )

    found = search(given="Ralph", surname="Hunter", events=[{"kind": "birth", "date": "1850"}])

    assert [str(each) for each in found.followed] == ["given name Edward Ralph, as census:c1 tells"]
    assert "census:c2" in keys(found)


def test_a_name_that_stands_first_elsewhere_is_not_taken_for_the_second() -> None:
    search = following(
        counted("c1", Name(given="Edward Ralph", surname="Hunter"), "1850"),
        counted("c2", Name(given="Ralph", surname="Hunter"), "1850"),
    )

    found = search(given="Ralph", surname="Hunter", events=[{"kind": "birth", "date": "1850"}])

    assert found.followed == ()


def test_a_name_that_is_followed_shuts_no_way_in() -> None:
    # The husband told may be another woman's: whoever came in by given name and birth stays.
    search = following(
        wedding_of(
            "m1", "1870", Name(given="Tom", surname="Green"), Name(given="Ann", surname="Hall")
        ),
        counted("c1", Name(given="Ann", surname="Nunn"), "1850"),
    )

    found = search(
        given="Ann", surname="Hall", sex="female", events=[{"kind": "birth", "date": "1850"}]
    )

    assert [each.surname for each in found.followed] == ["Green"]
    assert "census:c1" in keys(found)

"""Tests for `forebear.search.results.rounds`, and for the searcher that runs it."""

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
from forebear.search.results.rounds import THIN, relaxations
from forebear.search.search_result import SearchResult
from forebear.search.searcher import Searcher
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
    result = search(**DAUGHTER, sex="female")

    assert [str(name) for name in result.followed] == ["married name Green, as marriage:m1 tells"]
    assert any(stage.stage == "followed record search" for stage in result.trace)
    wife = result.find("census:c2")
    assert wife is not None
    assert "self.surname.exact" in wife[1].fired
    assert all(explain_hit(result, hit, archive).adds_up for hit in result.fused)
    surname = next(
        row for row in explain_hit(result, wife[1], archive).rows if row.fact == "surname"
    )
    assert surname.you_said == "Brown; Green (from another record)"
    assert surname.record_says == "Green"
    assert surname.verdict.startswith("same name")
    assert result.query.names[-1].surname == "Brown"


def test_a_strict_search_follows_nothing(search: Search) -> None:
    result = search(**DAUGHTER, sex="female", options={"relax": False})

    assert result.followed == ()


def test_a_record_that_is_hardly_hers_is_not_believed(search: Search) -> None:
    result = search(given="M", surname="Braun", sex="female")

    wedding = result.find("marriage:m1")
    assert wedding is not None
    assert result.probabilities["marriage:m1"] < 0.2
    assert result.followed == ()


def test_a_husband_takes_no_name_from_his_wife(search: Search) -> None:
    result = search(
        given="Thomas",
        surname="Green",
        sex="male",
        events=[{"kind": "marriage", "date": "2 Jun 1875", "place": "Hadleigh, Suffolk"}],
        relatives=[{"kind": "father", "given": "James", "surname": "Green"}],
    )

    assert result.fused[0].record_key == "marriage:m1"
    assert result.probabilities["marriage:m1"] > 0.5
    assert result.followed == ()


def test_a_name_that_was_asked_for_is_not_told_again(search: Search) -> None:
    husband = {"kind": "spouse", "given": "Thomas", "surname": "Green"}
    relatives = [*DAUGHTER["relatives"], husband]

    result = search(**{**DAUGHTER, "relatives": relatives}, sex="female")

    assert result.followed == ()


def test_a_wife_known_by_her_husbands_name_is_found_under_the_one_her_wedding_tells(
    search: Search,
) -> None:
    result = search(
        given="Mary Ann",
        surname="Green",
        sex="female",
        events=[{"kind": "marriage", "date": "2 Jun 1875", "place": "Hadleigh, Suffolk"}],
        relatives=[{"kind": "spouse", "given": "Thomas", "surname": "Green"}],
    )

    assert [str(name) for name in result.followed] == ["birth name Brown, as marriage:m1 tells"]
    assert "baptism:b1" in keys(result)


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
    result = search(given="Ann", surname="Hall", sex="female", events=weddings)

    assert [name.surname for name in result.followed] == ["Green", "Nunn"]
    assert "census:c1" in keys(result)


def test_whoever_went_by_the_second_name_is_found_under_the_first() -> None:
    search = following(
        counted("c1", Name(given="Edward Ralph", surname="Hunter"), "1850"),
        counted("c2", Name(given="Edward", surname="Hunter"), "1880"),
    )

    result = search(given="Ralph", surname="Hunter", events=[{"kind": "birth", "date": "1850"}])

    assert [str(name) for name in result.followed] == [
        "given name Edward Ralph, as census:c1 tells"
    ]
    assert "census:c2" in keys(result)


def test_a_name_that_stands_first_elsewhere_is_not_taken_for_the_second() -> None:
    search = following(
        counted("c1", Name(given="Edward Ralph", surname="Hunter"), "1850"),
        counted("c2", Name(given="Ralph", surname="Hunter"), "1850"),
    )

    result = search(given="Ralph", surname="Hunter", events=[{"kind": "birth", "date": "1850"}])

    assert result.followed == ()


def test_a_name_that_is_followed_shuts_no_way_in() -> None:
    # The husband told may be another woman's: whoever came in by given name and birth stays.
    search = following(
        wedding_of(
            "m1", "1870", Name(given="Tom", surname="Green"), Name(given="Ann", surname="Hall")
        ),
        counted("c1", Name(given="Ann", surname="Nunn"), "1850"),
    )

    result = search(
        given="Ann", surname="Hall", sex="female", events=[{"kind": "birth", "date": "1850"}]
    )

    assert [name.surname for name in result.followed] == ["Green"]
    assert "census:c1" in keys(result)


BIRTH = [{"kind": "birth", "date": "1851", "place": "Layham, Suffolk, England"}]


def steps(**query: object) -> list[str]:
    return [str(step) for step in relaxations(query_from_json(query))]


def test_the_strictest_is_relaxed_first_places_before_dates_before_names() -> None:
    steps_taken = steps(
        given="Mary",
        surname="Brown",
        events=BIRTH,
        exact=["surname", "birth.year", "birth.place"],
        require=["sex"],
    )

    assert steps_taken == [
        "birth place: anywhere in the county instead of the exact place",
        "birth year: up to ten years off instead of the exact year",
        "surname: any form of it instead of the same letters",
        "birth place: may differ, though it was required",
        "birth year: may differ, though it was required",
        "sex: may differ, though it was required",
        "surname: may differ, though it was required",
        "given: not needed to find a record, only to rank it",
        "surname: not needed to find a record, only to rank it",
    ]


def test_each_step_keeps_those_before_it_and_says_nothing_else_differently() -> None:
    query = query_from_json(
        {"surname": "Brown", "events": BIRTH, "exact": ["birth.place"], "require": ["surname"]}
    )

    first, second, third = relaxations(query)

    assert (first.query.exact, first.query.require) == ((), ("surname", "birth.place"))
    assert second.query.require == ("surname",)
    assert third.query.require == ()
    assert {record.query.events for record in (first, second, third)} == {query.events}


def test_a_name_is_let_go_at_the_gate_only() -> None:
    query = query_from_json({"given": "Mary", "surname": "Brown"})

    given, surname = relaxations(query)

    assert given.query.names == surname.query.names == query.names
    assert [name.given for name in given.gate_query.names] == [""]
    assert [name.surname for name in surname.gate_query.names] == [""]


def test_one_name_alone_is_never_let_go() -> None:
    assert steps(surname="Brown") == []


def test_where_to_look_is_never_relaxed() -> None:
    steps_taken = steps(surname="Brown", record_types=["census"], filters={"decade": "1880"})

    assert steps_taken == []


def test_a_thin_answer_is_relaxed_until_there_is_enough_and_says_so(
    search: Search, archive: MemoryStorage
) -> None:
    # The village is wrong, the county right.
    query = {"given": "Mary Ann", "surname": "Brown", "exact": ["birth.place"]}
    place = [{"kind": "birth", "date": "1851", "place": "Nowhere, Suffolk, England"}]

    strict = search(**query, events=place, options={"relax": False})
    relaxed = search(**query, events=place)

    assert len(strict.fused) < THIN
    assert strict.relaxed == ()
    assert len(relaxed.fused) > len(strict.fused)
    assert str(relaxed.relaxed[0]) == (
        "birth place: anywhere in the county instead of the exact place"
    )
    assert any(stage.stage == "relaxed record search" for stage in relaxed.trace)
    assert all(explain_hit(relaxed, hit, archive).adds_up for hit in relaxed.fused)


def test_what_is_let_in_without_a_given_name_is_still_scored_by_it(
    search: Search, archive: MemoryStorage
) -> None:
    result = search(given="Zerubbabel", surname="Brown", sex="female", record_types=["baptism"])

    rows = [row for hit in result.fused for row in explain_hit(result, hit, archive).rows]
    assert ("given name", "conflicts") in {(row.fact, row.verdict) for row in rows}


def test_enough_is_not_relaxed_and_nothing_gained_is_not_told(search: Search) -> None:
    many = search(surname="Green", exact=["surname"])
    none = search(given="Zerubbabel", surname="Quackenbush")

    assert len(many.fused) >= THIN
    assert many.relaxed == ()
    assert not any("relaxed" in stage.stage for stage in many.trace)
    assert (len(none.fused), none.relaxed) == (0, ())


def test_a_surname_that_only_sounds_alike_is_not_enough_without_the_given_name(
    search: Search,
) -> None:
    alone = search(surname="Parren")
    with_given = search(given="Zerubbabel", surname="Parren")

    assert alone.fused  # the Browns
    assert (len(with_given.fused), with_given.relaxed) == (0, ())


def test_a_given_name_needs_a_second_fact_where_the_surname_differs(search: Search) -> None:
    query = {"given": "Mary Ann", "surname": "Quackenbush", "record_types": ["baptism"]}

    named = search(**query)
    born = search(**query, events=BIRTH)

    assert (len(named.fused), named.relaxed) == (0, ())
    assert born.fused


def test_a_wider_gate_keeps_the_ways_of_the_first(search: Search) -> None:
    # Nobody there has these names, but somebody was married that very day.
    day = [{"kind": "marriage", "date": "2 Jun 1875"}]
    query = {"given": "Hezekiah", "surname": "Nunn", "events": day, "record_types": ["marriage"]}

    strict = search(**query, options={"relax": False})
    relaxed = search(**query)

    assert "marriage:m1" in {hit.record_key for hit in strict.fused}
    assert "marriage:m1" in {hit.record_key for hit in relaxed.fused}

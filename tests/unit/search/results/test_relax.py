"""Tests for `forebear.search.results.relax`, and for the searcher that runs it."""

from collections.abc import Callable

from explaining import explain_hit
from forebear.search.query.person_query import query_from_json
from forebear.search.results.relax import THIN, relaxations
from forebear.search.searcher import SearchResult
from forebear.storage.memory import MemoryStorage

Search = Callable[..., SearchResult]

BIRTH = [{"kind": "birth", "date": "1851", "place": "Layham, Suffolk, England"}]


def steps(**query: object) -> list[str]:
    return [str(step) for step in relaxations(query_from_json(query))]


def test_the_strictest_is_relaxed_first_places_before_dates_before_names() -> None:
    found = steps(
        given="Mary",
        surname="Brown",
        events=BIRTH,
        exact=["surname", "birth.year", "birth.place"],
        require=["sex"],
    )

    assert found == [
        "birth place: anywhere in the county instead of the very place",
        "birth year: up to ten years off instead of the very year",
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
    assert {each.query.events for each in (first, second, third)} == {query.events}


def test_a_name_is_let_go_at_the_gate_only() -> None:
    query = query_from_json({"given": "Mary", "surname": "Brown"})

    given, surname = relaxations(query)

    assert given.query.names == surname.query.names == query.names
    assert [name.given for name in given.gate_query.names] == [""]
    assert [name.surname for name in surname.gate_query.names] == [""]


def test_one_name_alone_is_never_let_go() -> None:
    assert steps(surname="Brown") == []


def test_where_to_look_is_never_relaxed() -> None:
    asked = steps(surname="Brown", record_types=["census"], filters={"decade": "1880"})

    assert asked == []


def test_a_thin_answer_is_relaxed_until_there_is_enough_and_says_so(
    search: Search, archive: MemoryStorage
) -> None:
    # The village is wrong, the county right.
    asked = {"given": "Mary Ann", "surname": "Brown", "exact": ["birth.place"]}
    place = [{"kind": "birth", "date": "1851", "place": "Nowhere, Suffolk, England"}]

    strict = search(**asked, events=place, options={"relax": False})
    relaxed = search(**asked, events=place)

    assert len(strict.fused) < THIN
    assert strict.relaxed == ()
    assert len(relaxed.fused) > len(strict.fused)
    assert str(relaxed.relaxed[0]) == (
        "birth place: anywhere in the county instead of the very place"
    )
    assert any(stage.stage == "relaxed record search" for stage in relaxed.trace)
    assert all(explain_hit(relaxed, hit, archive).adds_up for hit in relaxed.fused)


def test_what_is_let_in_without_a_given_name_is_still_scored_by_it(
    search: Search, archive: MemoryStorage
) -> None:
    found = search(given="Zerubbabel", surname="Brown", sex="female", record_types=["baptism"])

    rows = [row for hit in found.fused for row in explain_hit(found, hit, archive).rows]
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
    asked = {"given": "Mary Ann", "surname": "Quackenbush", "record_types": ["baptism"]}

    named = search(**asked)
    born = search(**asked, events=BIRTH)

    assert (len(named.fused), named.relaxed) == (0, ())
    assert born.fused


def test_a_wider_gate_keeps_the_ways_of_the_first(search: Search) -> None:
    # Nobody there has these names, but somebody was married that very day.
    day = [{"kind": "marriage", "date": "2 Jun 1875"}]
    asked = {"given": "Hezekiah", "surname": "Nunn", "events": day, "record_types": ["marriage"]}

    strict = search(**asked, options={"relax": False})
    relaxed = search(**asked)

    assert "marriage:m1" in {hit.record_key for hit in strict.fused}
    assert "marriage:m1" in {hit.record_key for hit in relaxed.fused}

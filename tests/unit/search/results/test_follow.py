"""Tests for `forebear.search.results.follow`, and for the searcher that runs it."""

from collections.abc import Callable
from typing import Any

from forebear.search.searcher import SearchResult

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
    return {hit.hit.record_key for hit in result.fused}


def test_a_husband_on_her_wedding_tells_the_name_she_bore_afterwards(search: Search) -> None:
    found = search(**DAUGHTER, sex="female")

    assert [str(each) for each in found.followed] == ["married name Green, as marriage:m1 tells"]
    assert any(stage.stage == "followed record search" for stage in found.trace)
    wife = found.find("census:c2")
    assert wife is not None
    assert "self.surname.exact" in wife[1].hit.fired
    assert all(found.explain(hit).adds_up for hit in found.fused)
    assert found.query.names[-1].surname == "Brown"


def test_a_strict_search_follows_nothing(search: Search) -> None:
    found = search(**DAUGHTER, sex="female", options={"relax": False})

    assert found.followed == ()


def test_a_record_that_is_less_likely_hers_than_not_is_not_believed(search: Search) -> None:
    found = search(given="M", surname="Braun", sex="female")

    wedding = found.find("marriage:m1")
    assert wedding is not None
    assert wedding[1].probability < 0.5
    assert found.followed == ()


def test_a_husband_takes_no_name_from_his_wife(search: Search) -> None:
    found = search(
        given="Thomas",
        surname="Green",
        sex="male",
        events=[{"kind": "marriage", "date": "2 Jun 1875", "place": "Hadleigh, Suffolk"}],
        relatives=[{"kind": "father", "given": "James", "surname": "Green"}],
    )

    assert found.fused[0].hit.record_key == "marriage:m1"
    assert found.fused[0].probability > 0.5
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

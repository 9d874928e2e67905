"""Tests for `forebear.interactions.families`: searches that share a record are one family."""

from hypothesis import given
from hypothesis import strategies as st

from forebear.interactions.events import ShownSearch
from forebear.interactions.families import families
from forebear.interactions.judgments import JudgedSearch

attachments = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=3), max_size=10)


def judged(*attached: str) -> list[JudgedSearch]:
    return [
        JudgedSearch(
            search=ShownSearch(
                id=f"s{number}", at="", query="", model="", viewer="", shown=(), lists=()
            ),
            attached=frozenset(records),
            rejected=frozenset(),
        )
        for number, records in enumerate(attached)
    ]


def partition(names: list[str]) -> set[frozenset[int]]:
    return {
        frozenset(number for number, name in enumerate(names) if name == family) for family in names
    }


def test_searches_that_attached_one_record_are_one_family() -> None:
    names = families(judged("ab", "c", "bd", "e"))

    assert partition(names) == {frozenset({0, 2}), frozenset({1}), frozenset({3})}


def test_a_family_is_joined_through_any_number_of_steps() -> None:
    assert partition(families(judged("a", "b", "bc", "cd", "da"))) == {frozenset(range(5))}


def test_a_search_without_attachments_is_a_family_of_its_own() -> None:
    assert partition(families(judged("", "", "a"))) == {
        frozenset({0}),
        frozenset({1}),
        frozenset({2}),
    }


def test_a_rejected_record_joins_nobody() -> None:
    searches = judged("a", "b")
    rejecting = [
        JudgedSearch(search=each.search, attached=each.attached, rejected=frozenset("x"))
        for each in searches
    ]

    assert len(set(families(rejecting))) == 2


def test_a_family_is_named_by_one_of_its_searches() -> None:
    searches = judged("ab", "c", "bd", "ce")

    for name, search in zip(families(searches), searches, strict=True):
        members = {
            other.search.id
            for other, family in zip(searches, families(searches), strict=True)
            if family == name
        }
        assert name in members
        assert search.search.id in members


@given(attachments)
def test_families_are_the_connected_searches(attached: list[frozenset[str]]) -> None:
    connected = [{number} for number in range(len(attached))]
    for _ in attached:
        for first in connected:
            for second in range(len(attached)):
                if any(attached[second] & attached[member] for member in first):
                    first.add(second)

    names = families(judged(*("".join(records) for records in attached)))

    assert partition(names) == {frozenset(members) for members in connected}

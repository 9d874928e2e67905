"""Tests for `forebear.interactions.events`: what is logged, judged, and grouped."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hits import make_list

from forebear.errors import InputError
from forebear.interactions.events import (
    WHOLE_SEARCH,
    Action,
    ActionKind,
    JudgedSearch,
    LoggedSearch,
    check_action,
    judge,
    logged_search,
    person_groups,
)
from forebear.search.fusion import fuse
from forebear.search.hits import ListShift
from forebear.search.model import Model, shipped_constants
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.ranked_list import RankedList
from forebear.search.results.probability import probabilities
from forebear.search.search_result import SearchResult

CLAUSES = ("self.surname.exact", "self.given.exact", "self.sex.conflict")


def result() -> SearchResult:
    census = make_list(
        "my census",
        {"c:1": 160, "c:2": -300, "c:3": -400},
        record_type="census",
        clauses=CLAUSES,
        fired={"c:1": CLAUSES[:2], "c:2": CLAUSES[1:]},
        state="narrowed",
    )
    lists = (
        census,
        RankedList(name="burial", record_type="burial", state="failed"),
    )
    fused = fuse([census.hits], {"my census": ListShift()})
    return SearchResult(
        query=query_from_json({"given": "Mary"}),
        model=Model(name="v7", weights={}, shifts={}),
        lists=lists,
        fused=fused,
        trace=(),
        searches={},
        unused=(),
        probabilities=probabilities(fused, lists, shipped_constants()),
    )


def test_whole_lists_are_logged_with_the_bits_of_every_hit() -> None:
    shown = logged_search(result(), search_id="s1", at="2026-11-15", query="{}", viewer="public")

    assert (shown.id, shown.at, shown.query) == ("s1", "2026-11-15", "{}")
    assert (shown.model, shown.viewer) == ("v7", "public")
    assert shown.shown == ("c:1", "c:2", "c:3")
    census, burial = shown.lists
    assert (census.name, census.record_type, census.state) == ("my census", "census", "narrowed")
    assert census.clauses == CLAUSES
    assert census.records == ("c:1", "c:2", "c:3")
    assert census.scores == (160, -300, -400)
    np.testing.assert_array_equal(census.bits, [[1, 1, 0], [0, 1, 1], [0, 0, 0]])
    assert census.bits.dtype == np.bool_
    assert (burial.state, burial.records, burial.bits.shape) == ("failed", (), (0, 0))


def test_the_bits_say_which_clauses_fired() -> None:
    searched = result()

    census = logged_search(searched, search_id="s", at="", query="", viewer="").lists[0]

    for row, hit in zip(census.bits, searched.lists[0].hits, strict=True):
        fired = {clause for clause, bit in zip(census.clauses, row, strict=True) if bit}
        assert fired == set(hit.fired)


SEARCH = LoggedSearch(id="s1", at="", query="{}", model="m", viewer="owner", shown=(), lists=())

deeds = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(get_args(ActionKind))))


def action(record: str, kind: ActionKind) -> Action:
    return Action(search_id="s1", record_key=record, kind=kind, rank=None, at="")


def test_the_last_word_on_a_record_counts() -> None:
    judged = judge(
        SEARCH,
        [
            action("a", "attach"),
            action("b", "attach"),
            action("a", "reject"),
            action("c", "reject"),
            action("c", "attach"),
        ],
    )

    assert judged.attached == {"b", "c"}
    assert judged.rejected == {"a"}
    assert judged.search is SEARCH


def test_nothing_done_is_nothing_judged() -> None:
    judged = judge(SEARCH, [])

    assert (judged.attached, judged.rejected) == (frozenset(), frozenset())


@given(deeds)
def test_the_judgment_of_a_record_is_its_last_action_that_was_not_undone(
    done: list[tuple[str, ActionKind]],
) -> None:
    judged = judge(SEARCH, [action(record, kind) for record, kind in done])

    states = {"attach": judged.attached, "reject": judged.rejected, "maybe": judged.maybe}
    for record in "abc":
        standing: list[str] = []
        for kind in [kind for about, kind in done if about == record and kind != "open"]:
            standing = standing[:-1] if kind == "undo" else [*standing, kind]
        last = standing[-1] if standing else ""
        assert [kind for kind, records in states.items() if record in records] == [
            kind for kind in states if kind == last
        ]


def test_a_detached_record_and_one_that_was_opened_are_not_judged() -> None:
    judged = judge(SEARCH, [action("a", "attach"), action("a", "detach"), action("b", "open")])

    assert not judged.is_judged
    assert judged.sources == frozenset()


def test_undo_brings_back_the_action_before_and_then_none() -> None:
    done = [action("a", "reject"), action("a", "attach"), action("a", "undo")]

    assert judge(SEARCH, done).rejected == {"a"}
    assert judge(SEARCH, [*done, action("a", "undo")]).rejected == frozenset()


def test_a_complete_search_has_no_judgment_from_use_until_that_is_undone() -> None:
    complete = Action(search_id="s1", record_key=WHOLE_SEARCH, kind="complete", rank=None, at="")
    done = [
        action("a", "attach"),
        replace(action("b", "attach"), source="link"),
        replace(action("c", "attach"), source="vote"),
        complete,
    ]

    judged = judge(SEARCH, done)

    assert judged.is_complete
    assert judged.attached == {"a", "b", "c"}
    assert judged.sources == {"complete", "link", "vote"}
    undone = judge(SEARCH, [*done, replace(complete, kind="undo")])
    assert not undone.is_complete
    assert undone.sources == {"use", "link", "vote"}


def test_a_complete_search_is_judged_though_nothing_was_attached() -> None:
    judged = judge(SEARCH, [action(WHOLE_SEARCH, "complete")])

    assert judged.is_judged
    assert judged.attached == frozenset()
    assert judged.sources == {"complete"}


@pytest.mark.parametrize(
    ("record", "kind", "message"),
    [
        ("a", "complete", "complete needs no record"),
        ("", "attach", "attach needs a record"),
        ("a", "undo", "nothing to undo: nothing was done with record a"),
        ("b", "detach", "nothing to detach: nothing was done with record b"),
        ("", "undo", "nothing to undo: nothing was done with the whole search"),
    ],
)
def test_an_action_that_means_nothing_is_refused(
    record: str, kind: ActionKind, message: str
) -> None:
    before = [action("a", "attach"), action("a", "undo"), action("b", "open")]

    with pytest.raises(InputError, match=message):
        check_action(record, kind, before)


attachments = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=3), max_size=10)


def judged_searches(*attached: str) -> list[JudgedSearch]:
    return [
        JudgedSearch(
            search=LoggedSearch(
                id=f"s{number}", at="", query="", model="", viewer="", shown=(), lists=()
            ),
            attached=frozenset(records),
            rejected=frozenset(),
        )
        for number, records in enumerate(attached)
    ]


def partition(names: list[str]) -> set[frozenset[int]]:
    return {
        frozenset(number for number, name in enumerate(names) if name == group) for group in names
    }


def test_searches_that_attached_one_record_are_one_group() -> None:
    names = person_groups(judged_searches("ab", "c", "bd", "e"))

    assert partition(names) == {frozenset({0, 2}), frozenset({1}), frozenset({3})}


def test_a_group_is_joined_through_any_number_of_steps() -> None:
    assert partition(person_groups(judged_searches("a", "b", "bc", "cd", "da"))) == {
        frozenset(range(5))
    }


def test_a_search_without_attachments_is_a_group_alone() -> None:
    assert partition(person_groups(judged_searches("", "", "a"))) == {
        frozenset({0}),
        frozenset({1}),
        frozenset({2}),
    }


def test_searches_for_one_person_of_a_tree_are_one_group() -> None:
    searches = [
        replace(judged, search=replace(judged.search, query=query))
        for judged, query in zip(
            judged_searches("a", "b", "c"),
            ('{"id": "I1", "surname": "Brown"}', '{"id": "I2"}', '{"surname": "Bron", "id": "I1"}'),
            strict=True,
        )
    ]

    assert partition(person_groups(searches)) == {frozenset({0, 2}), frozenset({1})}


def test_a_rejected_record_joins_no_searches() -> None:
    searches = judged_searches("a", "b")
    rejecting = [
        JudgedSearch(search=search.search, attached=search.attached, rejected=frozenset("x"))
        for search in searches
    ]

    assert len(set(person_groups(rejecting))) == 2


def test_a_group_is_named_by_one_of_its_searches() -> None:
    searches = judged_searches("ab", "c", "bd", "ce")

    for name, search in zip(person_groups(searches), searches, strict=True):
        members = {
            other.search.id
            for other, group in zip(searches, person_groups(searches), strict=True)
            if group == name
        }
        assert name in members
        assert search.search.id in members


@given(attachments)
def test_groups_are_the_connected_searches(attached: list[frozenset[str]]) -> None:
    connected = [{number} for number in range(len(attached))]
    for _ in attached:
        for first in connected:
            for second in range(len(attached)):
                if any(attached[second] & attached[member] for member in first):
                    first.add(second)

    names = person_groups(judged_searches(*("".join(records) for records in attached)))

    assert partition(names) == {frozenset(members) for members in connected}

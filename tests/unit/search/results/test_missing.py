"""Tests for `forebear.search.results.missing`: why a record is not in the list."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from forebear.records.codec import record_from_json, record_to_json
from forebear.records.privacy import NEVER, Viewer
from forebear.records.record import Record
from forebear.search.record_search.ranked_list import RankedList
from forebear.search.results.missing import MissingReason, hidden, not_searched
from forebear.search.search_result import SearchResult
from forebear.search.searcher import Searcher
from forebear.storage.memory import MemoryStorage

OWNER = Viewer(year=2026, is_owner=True)
Search = Callable[..., SearchResult]
Why = Callable[[SearchResult, Sequence[Record], Record], MissingReason | None]


@pytest.fixture
def why(searcher: Searcher, archive: MemoryStorage) -> Why:
    def explain(
        result: SearchResult, group: Sequence[Record], record: Record
    ) -> MissingReason | None:
        collection = next(c for c in archive.collections() if c.name == record.collection)
        return searcher.absence(result, group, record, collection, viewer=OWNER)

    return explain


def test_of_a_shut_gate_every_way_in_is_told_with_what_is_missed(
    search: Search, why: Why, baptism: Record
) -> None:
    result = search(given="Mary Ann", surname="Quackenbush", options={"relax": False})

    reason = why(result, [baptism], baptism)

    assert reason is not None
    assert (reason.kind, reason.record_key) == ("gate", "baptism:b1")
    nearest = reason.branches[0]
    assert nearest.name == "surname and given"
    (miss,) = nearest.misses
    assert (miss.fact, miss.you_said, miss.record_says) == ("surname", "Quackenbush", "Brown")
    assert [len(branch.misses) for branch in reason.branches] == sorted(
        len(w.misses) for w in reason.branches
    )
    assert "surname" in reason.hint
    words = {row.fact: (row.you_said, row.record_says, row.verdict) for row in reason.rows}
    assert words["surname"] == ("Quackenbush", "Brown", "conflicts")
    assert words["given name"][2] == "same name"


def test_the_person_is_not_among_the_other_people_of_the_record(
    search: Search, why: Why, baptism: Record
) -> None:
    father = {"kind": "father", "given": "Peter", "surname": "Quackenbush"}
    result = search(given="Mary", relatives=[father], options={"relax": False})

    reason = why(result, [baptism], record_from_json(record_to_json(baptism)))

    assert reason is not None
    misses = [
        miss for branch in reason.branches for miss in branch.misses if miss.fact == "other people"
    ]
    assert misses
    assert not any("Mary" in miss.record_says for miss in misses)


def test_what_was_insisted_on_is_told_too(search: Search, why: Why, baptism: Record) -> None:
    result = search(given="Mary Ann", surname="Browne", exact=["surname"], options={"relax": False})

    reason = why(result, [baptism], baptism)

    assert reason is not None
    assert reason.kind == "gate"
    miss = reason.branches[0].misses[-1]
    assert (miss.fact, miss.you_said, miss.record_says) == ("surname", "Browne", "Brown")


def test_a_record_outside_the_lifetime_is_told_so_and_how_to_see_it(
    search: Search, why: Why, household: tuple[Record, ...]
) -> None:
    late = {"given": "Mary", "surname": "Green", "events": [{"kind": "birth", "date": "1900"}]}

    hidden_one = why(search(**late), household, household[1])
    shown = why(search(**late, options={"show_impossible": True}), household, household[1])

    assert hidden_one is not None
    assert hidden_one.kind == "lifetime"
    assert "born" in hidden_one.words
    assert "--show-impossible" in hidden_one.hint
    assert shown is None


def test_a_record_below_the_cut_is_told_its_rank_and_score(
    search: Search, why: Why, household: tuple[Record, ...]
) -> None:
    every = search(surname="Green", record_types=["census"])
    last = every.lists[0].hits[-1]
    record = next(row for row in household if row.key == last.record_key)

    cut = search(surname="Green", record_types=["census"], options={"top": 1})

    reason = why(cut, household, record)

    assert len(every.lists[0].hits) > 1
    assert reason is not None
    assert (reason.kind, reason.rank, reason.score) == ("cut", len(every.lists[0].hits), last.score)
    assert "number 1 with" in reason.words
    assert why(every, household, record) is None


def test_a_record_that_narrowing_left_out_is_told_so(
    searcher: Searcher, why: Why, search: Search, household: tuple[Record, ...]
) -> None:
    birth = [{"kind": "birth", "date": "1850"}]
    result = search(surname="Green", events=birth, record_types=["census"])
    census = result.searches["census"]

    tight = replace(
        result, searches={"census": replace(census, gate=replace(census.gate, limit=0))}
    )
    (full,) = searcher.storage.find([tight.searches["census"]], viewer=OWNER, top=100)
    lost = [row for row in household if row.key not in {hit.record_key for hit in full.hits}]
    entered = [row for row in lost if why(result, household, row) is None]

    assert entered
    for row in entered:
        reason = why(tight, household, row)
        assert reason is not None
        assert reason.kind == "narrowed"
    assert full.state == "narrowed"


def test_a_type_that_was_not_searched_or_cannot_answer_or_failed_is_told(
    search: Search, why: Why, baptism: Record, wedding: Record
) -> None:
    elsewhere = why(search(surname="Brown", record_types=["census"]), [baptism], baptism)
    year = [{"kind": "birth", "date": "1851"}]
    unable = why(
        search(surname="Brown", events=year, exact=["birth.year"], options={"relax": False}),
        [wedding],
        wedding,
    )
    failed = RankedList(name="census", record_type="census", state="failed", message="no disk")

    assert elsewhere is not None
    assert elsewhere.kind == "not searched"
    assert unable is not None
    assert unable.kind == "cannot answer"
    assert not_searched("census:c1", "census", failed).kind == "failed"
    assert "no disk" in not_searched("census:c1", "census", failed).words


def test_the_owner_hears_why_the_public_sees_nothing() -> None:
    assert "from 2041 on" in hidden("a:1", 2041, []).words
    assert "never" in hidden("a:1", NEVER, []).words
    assert "taken down: asked by the family" in hidden("a:1", 0, ["asked by the family"]).words


def test_every_record_of_the_archive_is_in_the_list_or_told_why_not(
    search: Search,
    why: Why,
    baptism: Record,
    wedding: Record,
    burial: Record,
    household: tuple[Record, ...],
) -> None:
    queries = [
        {"given": "Mary Ann", "surname": "Brown"},
        {"surname": "Green", "events": [{"kind": "birth", "date": "1850"}]},
        {"given": "Ann", "relatives": [{"kind": "spouse", "given": "John"}]},
    ]
    for query in queries:
        result = search(**query)
        for group in ((baptism,), (wedding,), (burial,), household):
            for record in group:
                is_there = result.find(record.key) is not None
                assert (why(result, group, record) is None) == is_there

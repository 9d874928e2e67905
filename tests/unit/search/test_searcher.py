"""Tests for `forebear.search.searcher`: the whole flow on a small archive."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from explaining import explain_hit
from forebear.records.collections import RECORD_TYPES, RecordList
from forebear.records.privacy import Viewer
from forebear.search.interleaved import interleave, teams_of
from forebear.search.model import Model, default_model, hand_set_model, shipped_constants
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.ranked_list import ListSearch, RankedList, failed_list
from forebear.search.results.probability import VERY_LIKELY
from forebear.search.search_result import (
    DECAY,
    SearchOptions,
    SearchResult,
    decide_decay,
    options_from_json,
)
from forebear.search.searcher import Searcher
from forebear.storage.memory import MemoryStorage

OWNER = Viewer(year=2026, is_owner=True)
LISTS = [RecordList(name=name, record_type=name, collections=(name,)) for name in RECORD_TYPES]
MARY: dict[str, Any] = {
    "given": "Mary Ann",
    "surname": "Brown",
    "sex": "female",
    "events": [{"kind": "birth", "date": "1851", "place": "Layham, Suffolk, England"}],
    "relatives": [{"kind": "spouse", "given": "Thomas", "surname": "Green"}],
}


class FailingOn:
    """A storage of which one list cannot be read."""

    def __init__(self, storage: MemoryStorage, failing: str) -> None:
        self._storage = storage
        self._failing = failing

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        ranked = self._storage.find(searches, viewer=viewer, top=top)
        return [
            failed_list(search, "the disk is gone") if search.name == self._failing else answer
            for search, answer in zip(searches, ranked, strict=True)
        ]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)


@pytest.fixture
def searcher(archive: MemoryStorage) -> Searcher:
    return Searcher(storage=archive, lists=LISTS, model=hand_set_model())


def search(searcher: Searcher, **query: object) -> SearchResult:
    return searcher.search(query_from_json({**MARY, **query}), viewer=OWNER)


def keys(result: SearchResult) -> list[str]:
    return [hit.record_key for hit in result.fused]


def test_the_records_of_one_life_are_found_the_best_first(searcher: Searcher) -> None:
    result = search(searcher)

    assert set(keys(result)[:4]) == {"marriage:m1", "census:c2", "baptism:b1", "burial:d1"}
    assert [hit.fused_score for hit in result.fused] == sorted(
        (hit.fused_score for hit in result.fused), reverse=True
    )
    marriage = next(hit for hit in result.fused if hit.record_key == "marriage:m1")
    assert marriage.position == 1, "she is the bride"


def test_lists_share_the_branches_that_a_storage_opens_once(searcher: Searcher) -> None:
    result = search(searcher)

    assert len(result.searches) > 1
    assert len({id(list_search.gate.branches) for list_search in result.searches.values()}) == 1


def test_the_trace_has_a_line_for_each_stage_and_list(searcher: Searcher) -> None:
    result = search(searcher)

    assert [(line.stage, line.list_name) for line in result.trace] == [
        ("facts", ""),
        *((stage, name) for stage in ("expansion", "record search") for name in RECORD_TYPES),
        ("fusion", ""),
    ]
    for ranked in result.lists:
        expansion, ranking = (line for line in result.trace if line.list_name == ranked.name)
        assert expansion.clauses == len(result.clauses_by_list[ranked.name]) == ranking.clauses > 0
        assert (ranking.candidates, ranking.hits) == (ranked.candidates, len(ranked.hits))
        assert (ranking.excluded, ranking.state) == (ranked.excluded, ranked.state)
        gate = result.searches[ranked.name].gate
        assert (ranking.cap, ranking.branches) == (gate.limit, len(gate.branches))
    assert result.trace[-1].hits == len(result.fused) == result.trace[-1].candidates
    assert all(line.seconds >= 0 for line in result.trace)


def test_a_list_that_fails_leaves_the_others(archive: MemoryStorage, searcher: Searcher) -> None:
    whole = search(searcher)
    broken = search(replace(searcher, storage=FailingOn(archive, "census")))

    states = {ranked.name: (ranked.state, ranked.message) for ranked in broken.lists}
    assert states.pop("census") == ("failed", "the disk is gone")
    assert set(states.values()) == {("complete", "")}
    assert keys(broken) == [key for key in keys(whole) if not key.startswith("census:")]


def test_what_a_failed_list_leaves_thin_is_not_relaxed(
    archive: MemoryStorage, searcher: Searcher
) -> None:
    query = query_from_json(
        {
            "given": "Thomas",
            "surname": "Quackenbush",
            "events": [{"kind": "birth", "date": "1850"}],
            "record_types": ["census"],
        }
    )
    broken = replace(searcher, storage=FailingOn(archive, "census"))

    assert searcher.search(query, viewer=OWNER).relaxed
    result = broken.search(query, viewer=OWNER)

    assert (len(result.fused), result.relaxed) == (0, ())
    assert not any("relaxed" in stage.stage for stage in result.trace)


def test_only_the_record_types_asked_for_are_searched(searcher: Searcher) -> None:
    result = search(searcher, record_types=["burial", "census"])

    assert [ranked.name for ranked in result.lists] == ["burial", "census"]
    assert {key.partition(":")[0] for key in keys(result)} == {"burial", "census"}
    assert set(result.clauses_by_list) == {"burial", "census"}


def test_a_type_that_cannot_answer_is_an_empty_list(searcher: Searcher) -> None:
    result = search(searcher, exact=["birth.year"])

    marriage = next(ranked for ranked in result.lists if ranked.name == "marriage")
    assert (len(marriage.hits), marriage.state) == (0, "complete")
    assert result.clauses_by_list["marriage"] == ()


def test_a_query_that_opens_no_gate_finds_nothing(searcher: Searcher) -> None:
    query = query_from_json({"events": [{"kind": "birth"}]})

    result = searcher.search(query, viewer=OWNER)

    assert not result.fused
    assert [ranked.state for ranked in result.lists] == ["complete"] * 19


def test_what_no_clause_reads_is_named(searcher: Searcher) -> None:
    result = search(
        searcher,
        organization="Fusiliers",
        identifier="10345",
        filters={"decade": "1880"},
        names=[{"given": "Mary", "title": "Mrs"}],
        events=[
            {"kind": "residence", "address": "12 High Street"},
            {"kind": "residence", "address": "14 High Street"},
            {"kind": "arrival", "ship": "Etruria"},
        ],
        relatives=[
            {"kind": "father", "occupation": "weaver", "birthplace": "Cork"},
            {"kind": "spouse", "occupation": "farmer", "birthplace": "Cork"},
        ],
    )

    assert result.unused == ("spouse.occupation", "spouse.birthplace")
    assert search(searcher).unused == ()


def test_the_impossible_is_counted_and_shown_on_request(
    searcher: Searcher, archive: MemoryStorage
) -> None:
    late = query_from_json({**MARY, "events": [{"kind": "birth", "date": "1900"}]})

    hidden = searcher.search(late, viewer=OWNER)
    shown = searcher.search(late, SearchOptions(show_impossible=True), viewer=OWNER)

    (census,) = (ranked for ranked in hidden.lists if ranked.name == "census")
    (whole,) = (ranked for ranked in shown.lists if ranked.name == "census")
    assert census.excluded == whole.candidates - census.candidates > 0
    assert "census:c2" not in keys(hidden)
    assert "census:c2" in keys(shown)
    hit = next(hit for hit in shown.fused if hit.record_key == "census:c2")
    verdicts = {row.fact: row.verdict for row in explain_hit(shown, hit, archive).rows}
    assert verdicts["record date"].startswith("dated before the person was born")


def test_a_hit_is_found_again_with_its_rank_and_explained(
    searcher: Searcher, archive: MemoryStorage
) -> None:
    result = search(searcher)

    for rank, hit in enumerate(result.fused, start=1):
        assert result.find(hit.record_key) == (rank, hit)
        explanation = explain_hit(result, hit, archive)
        assert explanation.adds_up
        assert {clause.clause for clause in explanation.clauses} == set(hit.fired)
    assert result.find("census:c99") is None


def test_each_list_is_cut_and_shifted_by_itself(searcher: Searcher) -> None:
    model = hand_set_model()
    moved = replace(model, shifts={**model.shifts, "burial": 1024})

    result = search(replace(searcher, model=moved))
    cut = searcher.search(query_from_json({"surname": "Green"}), SearchOptions(top=1), viewer=OWNER)

    assert keys(result)[0] == "burial:d1"
    assert max(len(ranked.hits) for ranked in cut.lists) == 1
    assert max(ranked.records for ranked in cut.lists) > 1


def test_who_may_not_see_a_record_does_not_find_it(searcher: Searcher) -> None:
    query = query_from_json(MARY)

    early = searcher.search(query, viewer=Viewer(year=1850))

    assert keys(early) == []
    assert all(ranked.candidates == ranked.records == 0 for ranked in early.lists)


def searcher_with(archive: MemoryStorage, model: Model) -> Searcher:
    return Searcher(storage=archive, lists=LISTS, model=model)


def test_a_search_made_for_two_models_is_that_of_each(archive: MemoryStorage) -> None:
    query, options = query_from_json(MARY), SearchOptions(relax=False)
    models = (default_model(), hand_set_model())
    first, second = (searcher_with(archive, model) for model in models)

    pair = first.search_twice(query, second, options, viewer=OWNER)

    for result, searcher in zip(pair, (first, second), strict=True):
        alone = searcher.search(query, options, viewer=OWNER)
        assert result.model is searcher.model
        assert result.fused == alone.fused
        assert [(ranked.name, ranked.hits) for ranked in result.lists] == [
            (ranked.name, ranked.hits) for ranked in alone.lists
        ]
        assert result.probabilities.values == alone.probabilities.values
        assert result.searches.keys() == alone.searches.keys()
        for name, list_search in result.searches.items():
            assert list_search.weights == alone.searches[name].weights


def test_a_decay_is_decided_by_the_best_record_unless_it_is_given() -> None:
    options = SearchOptions()

    assert decide_decay(options, VERY_LIKELY).decay == DECAY
    assert decide_decay(options, VERY_LIKELY - 0.01).decay == 0
    assert decide_decay(SearchOptions(decay=1.0), 0.99).decay == 1
    assert decide_decay(SearchOptions(decay=0.0), 0.99).decay == 0
    assert decide_decay(SearchOptions(order="types"), 0.99).ordering.decay == 0
    assert options_from_json({"top": 5}).decay == 0  # of a log that did not have a decay


def test_each_model_decides_its_decay(archive: MemoryStorage) -> None:
    unlikely = replace(
        default_model(), probability=replace(shipped_constants(), scale=0.05), name="unlikely"
    )
    first, second = searcher_with(archive, default_model()), searcher_with(archive, unlikely)

    pair = first.search_twice(query_from_json(MARY), second, SearchOptions(), viewer=OWNER)

    assert [result.options.decay for result in pair] == [DECAY, 0]


def test_both_models_rank_what_the_first_one_searched_for(archive: MemoryStorage) -> None:
    query = query_from_json({**MARY, "given": "Maryann", "surname": "Browne"})
    first = searcher_with(archive, default_model())
    second = searcher_with(archive, hand_set_model())

    result, other = first.search_twice(query, second, SearchOptions(), viewer=OWNER)

    assert result.relaxed == other.relaxed == first.search(query, viewer=OWNER).relaxed
    assert set(keys(result)) == set(keys(other))


def test_an_interleaved_result_has_each_record_once_with_its_team(archive: MemoryStorage) -> None:
    first = searcher_with(archive, default_model())
    second = searcher_with(archive, hand_set_model())
    pair = first.search_twice(query_from_json(MARY), second, SearchOptions(), viewer=OWNER)

    result = interleave(*pair, seed="1 s1")

    assert sorted(keys(result)) == sorted(keys(pair[0]))
    assert teams_of(pair[0]) == ""
    teams = teams_of(result)
    assert abs(teams.count("A") - teams.count("B")) <= 1
    for hit, team in zip(result.fused, teams, strict=True):
        assert hit in pair[team == "B"].fused
        assert (hit.tie in result.drafted) == (team == "B")
    chances = [result.probabilities[key] for key in keys(result)]
    assert chances == sorted(chances, reverse=True)

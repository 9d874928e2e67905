"""Tests for `forebear.interactions.events`: what is logged of a result."""

import numpy as np

from forebear.interactions.events import shown_search
from forebear.search.fusion.shifted import ListMove, fuse
from forebear.search.model import Model
from forebear.search.query.from_json import query_from_json
from forebear.search.record_search.ranked_list import Hit, RankedList
from forebear.search.searcher import SearchResult

CLAUSES = ("self.surname.exact", "self.given.exact", "self.sex.conflict")


def result() -> SearchResult:
    hits = (
        Hit(record_key="c:1", position=0, score=160, fired=CLAUSES[:2]),
        Hit(record_key="c:2", position=1, score=-300, fired=(CLAUSES[2], CLAUSES[1])),
        Hit(record_key="c:3", position=0, score=-400, fired=()),
    )
    lists = (
        RankedList(
            name="my census", record_type="census", hits=hits, clauses=CLAUSES, state="narrowed"
        ),
        RankedList(name="burial", record_type="burial", state="failed"),
    )
    return SearchResult(
        query=query_from_json({"given": "Mary"}),
        model=Model(name="v7", weights={}, shifts={}),
        lists=lists,
        fused=fuse(lists, {name: ListMove(shift=0) for name in ("my census", "burial")}),
        trace=(),
        searches={},
        unused=(),
    )


def test_whole_lists_are_logged_with_the_bits_of_every_hit() -> None:
    shown = shown_search(result(), search_id="s1", at="2026-11-15", query="{}", viewer="public")

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
    found = result()

    census = shown_search(found, search_id="s", at="", query="", viewer="").lists[0]

    for row, hit in zip(census.bits, found.lists[0].hits, strict=True):
        fired = {clause for clause, bit in zip(census.clauses, row, strict=True) if bit}
        assert fired == set(hit.fired)

"""Tests for `forebear.search.results.page`."""

import pytest
from tests.hits import make_list

from forebear.search.fusion import fuse as fuse_lists
from forebear.search.hits import NO_HITS, Hits, ListShift
from forebear.search.record_search.ranked_list import RankedList
from forebear.search.results.page import make_page


def ranked(name: str, count: int, **more: object) -> RankedList:
    scores = {f"{name}:{number}": -number for number in range(count)}
    return make_list(name, scores, record_type="census", **more)


def fuse(lists: tuple[RankedList, ...]) -> Hits:
    hits = [ranked.hits for ranked in lists]
    return fuse_lists(hits, {ranked.name: ListShift() for ranked in lists})


@pytest.mark.parametrize(
    ("number", "ranks", "is_last"), [(1, [1, 2, 3], False), (3, [7], True), (4, [], True)]
)
def test_a_page_holds_its_hits_with_their_ranks(
    number: int, ranks: list[int], is_last: bool
) -> None:
    lists = (ranked("a", 7),)
    fused = fuse(lists)

    page = make_page(fused, lists, number=number, size=3)

    assert list(page.ranks) == ranks
    assert list(page.hits) == list(fused[(number - 1) * 3 : number * 3])
    assert (page.number, page.size, page.total) == (number, 3, 7)
    assert page.is_last == is_last


def test_a_page_that_is_just_full_is_the_last() -> None:
    lists = (ranked("a", 6),)

    assert make_page(fuse(lists), lists, number=2, size=3).is_last
    assert not make_page(fuse(lists), lists, number=1, size=3).is_last


def test_a_page_says_of_every_list_how_much_there_is() -> None:
    lists = (
        ranked("a", 2, records=40, excluded=3),
        ranked("b", 0, state="failed", message="the disk is gone"),
        ranked("c", 1, records=1, state="narrowed", message="narrowed in 2 steps"),
    )

    page = make_page(fuse(lists), lists)

    assert [(each.name, each.shown, each.records, each.excluded) for each in page.counts] == [
        ("a", 2, 40, 3),
        ("b", 0, 0, 0),
        ("c", 1, 1, 0),
    ]
    assert [(each.state, each.message) for each in page.counts] == [
        ("complete", ""),
        ("failed", "the disk is gone"),
        ("narrowed", "narrowed in 2 steps"),
    ]


def test_nothing_found_is_one_empty_page() -> None:
    page = make_page(NO_HITS, ())

    assert (page.hits, page.total, page.is_last) == ((), 0, True)

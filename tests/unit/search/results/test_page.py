"""Tests for `forebear.search.results.page`."""

import pytest

from forebear.search.fusion.shifted import FusedHit, ListMove
from forebear.search.fusion.shifted import fuse as fuse_lists
from forebear.search.record_search.ranked_list import Hit, RankedList
from forebear.search.results.page import make_page


def ranked(name: str, count: int, **more: object) -> RankedList:
    hits = tuple(
        Hit(record_key=f"{name}:{number}", position=0, score=-number, fired=())
        for number in range(count)
    )
    return RankedList(name=name, record_type="census", hits=hits, **more)  # type: ignore[arg-type]


def fuse(lists: tuple[RankedList, ...]) -> tuple[FusedHit, ...]:
    return fuse_lists(lists, {each.name: ListMove(shift=0) for each in lists})


@pytest.mark.parametrize(
    ("number", "ranks", "is_last"), [(1, [1, 2, 3], False), (3, [7], True), (4, [], True)]
)
def test_a_page_holds_its_hits_with_their_ranks(
    number: int, ranks: list[int], is_last: bool
) -> None:
    lists = (ranked("a", 7),)
    fused = fuse(lists)

    page = make_page(fused, lists, number=number, size=3)

    assert [each.rank for each in page.hits] == ranks
    assert [each.hit for each in page.hits] == list(fused[(number - 1) * 3 : number * 3])
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
    page = make_page((), ())

    assert (page.hits, page.total, page.is_last) == ((), 0, True)

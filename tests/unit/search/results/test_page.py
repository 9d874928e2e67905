"""Tests for `forebear.search.results.page`: pages, and cursors while records arrive."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hits import make_list

from forebear.errors import InputError
from forebear.search.fusion import Ordering
from forebear.search.fusion import fuse as fuse_lists
from forebear.search.hits import NO_HITS, Hits, ListShift
from forebear.search.record_search.ranked_list import RankedList
from forebear.search.results.page import Cursor, LastShown, make_page, parse_cursor, query_digest


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

    assert [(count.name, count.shown, count.records, count.excluded) for count in page.counts] == [
        ("a", 2, 40, 3),
        ("b", 0, 0, 0),
        ("c", 1, 1, 0),
    ]
    assert [(count.state, count.message) for count in page.counts] == [
        ("complete", ""),
        ("failed", "the disk is gone"),
        ("narrowed", "narrowed in 2 steps"),
    ]


def test_nothing_found_is_one_empty_page() -> None:
    page = make_page(NO_HITS, ())

    assert (page.hits, page.total, page.is_last) == ((), 0, True)


Fused = Callable[..., Hits]

TYPES = ("census", "burial")
archives = st.dictionaries(
    st.tuples(st.sampled_from(TYPES), st.integers(0, 40)), st.integers(-9, 9), max_size=25
)
orderings = st.builds(Ordering, order=st.sampled_from(["score", "types"]), decay=st.integers(0, 12))


def listed(fused_of: Fused, records: dict[tuple[str, int], int], ordering: Ordering) -> Hits:
    by_type = {
        name: {f"{name}:{n}": score for (kind, n), score in records.items() if kind == name}
        for name in TYPES
    }
    return ordering.apply(fused_of(**by_type))


def start(ordering: Ordering) -> Cursor:
    return Cursor(query="q", model="m", ordering=ordering)


@given(archives, st.lists(archives, max_size=4), orderings, st.integers(1, 5))
def test_while_records_arrive_nothing_is_shown_twice_or_left_out(
    fused_of: Fused,
    first: dict[tuple[str, int], int],
    arriving: list[dict[tuple[str, int], int]],
    ordering: Ordering,
    size: int,
) -> None:
    records, shown = dict(first), []
    cursor: Cursor | None = start(ordering)
    while cursor is not None:
        page = make_page(listed(fused_of, records, ordering), (), size=size, cursor=cursor)
        shown += [hit.record_key for hit in page.hits]
        cursor = parse_cursor(str(page.next_cursor)) if page.next_cursor else None
        if arriving:
            # What is there already stays as it is; others come, before and after it.
            records = {**arriving.pop(), **records}

    assert len(shown) == len(set(shown))
    assert {f"{kind}:{n}" for kind, n in first} <= set(shown)


@given(archives, orderings, st.integers(1, 5))
def test_pages_behind_each_other_are_the_list(
    fused_of: Fused, records: dict[tuple[str, int], int], ordering: Ordering, size: int
) -> None:
    fused = listed(fused_of, records, ordering)

    pages, ranks, cursor = [], [], start(ordering)
    while True:
        page = make_page(fused, (), size=size, cursor=cursor)
        pages += [hit.record_key for hit in page.hits]
        ranks += page.ranks
        if page.next_cursor is None:
            break
        cursor = page.next_cursor

    assert pages == fused.record_keys()
    assert ranks == list(range(1, len(fused) + 1))


def test_a_page_by_number_leads_to_the_next_by_cursor(fused_of: Fused) -> None:
    fused = fused_of(census={f"census:{n}": -n for n in range(7)})

    second = make_page(fused, (), number=2, size=3, cursor=start(Ordering()))
    third = make_page(fused, (), size=3, cursor=second.next_cursor)

    assert second.ranks == (4, 5, 6)
    assert (third.ranks, third.hits[0].record_key) == ((7,), "census:6")
    assert (third.number, third.is_last, third.next_cursor) == (3, True, None)


@given(
    orderings,
    st.text(max_size=5),
    st.dictionaries(
        st.text(max_size=5),
        st.builds(
            LastShown,
            taken=st.integers(0, 99),
            evidence=st.integers(-9999, 9999),
            tie=st.integers(0, 2**63 - 1),
        ),
        max_size=4,
    ),
)
def test_a_cursor_is_the_same_after_a_trip_through_its_text(
    ordering: Ordering, word: str, last: dict[str, LastShown]
) -> None:
    cursor = Cursor(query=word, model=word, ordering=ordering, search_id=word, rank=7, last=last)

    assert parse_cursor(str(cursor)) == cursor


@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    with pytest.raises(InputError, match="is not a cursor"):
        parse_cursor(text)


@pytest.mark.parametrize("broken", ["bnVsbA", "W10", "WzEsMiwzLDQsNSw2LHt9XQ"])
def test_what_is_no_cursor_is_refused(broken: str) -> None:
    with pytest.raises(InputError, match="is not a cursor"):
        parse_cursor(broken)


def test_a_cursor_is_not_used_for_another_search() -> None:
    cursor = start(Ordering())

    cursor.check(query="q")
    with pytest.raises(InputError, match="another search"):
        cursor.check(query="r")


def test_what_is_asked_and_how_tells_searches_apart() -> None:
    names = {query_digest("{}", 100, False), query_digest("{}", 100, True), query_digest("[]", 100)}

    assert len(names) == 3
    assert query_digest("{}", 100) == query_digest("{}", 100)

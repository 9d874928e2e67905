"""Tests for `forebear.search.results.cursor`: pages that stay in step while records arrive."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.search.fusion import Ordering
from forebear.search.hits import Hits
from forebear.search.results.cursor import Cursor, LastShown, parse_cursor, query_digest
from forebear.search.results.page import make_page

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

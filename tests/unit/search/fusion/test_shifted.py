"""Tests for `forebear.search.fusion.shifted`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.search.fusion.shifted import FusedHit, fuse
from forebear.search.model import GRID
from forebear.search.record_search.rank import tie_key
from forebear.search.record_search.ranked_list import Hit, RankedList


def ranked(name: str, *scores: int) -> RankedList:
    hits = (
        Hit(record_key=f"{name}:{number}", position=0, score=score, fired=())
        for number, score in enumerate(scores)
    )
    return RankedList(name=name, record_type="census", hits=tuple(hits))


score_lists = st.lists(st.integers(-5, 5), max_size=5).map(lambda each: sorted(each, reverse=True))


def test_a_shift_moves_a_whole_list() -> None:
    lists = [ranked("a", 100, 50), ranked("b", 90, 10)]

    level = fuse(lists, {"a": 0, "b": 0})
    moved = fuse(lists, {"a": 0, "b": 45})

    assert [hit.hit.record_key for hit in level] == ["a:0", "b:0", "a:1", "b:1"]
    assert [hit.hit.record_key for hit in moved] == ["b:0", "a:0", "b:1", "a:1"]
    assert [hit.score for hit in moved] == [135, 100, 55, 50]
    assert [(hit.list_name, hit.shift) for hit in moved[:2]] == [("b", 45), ("a", 0)]


@given(score_lists, score_lists, st.integers(-5, 5), st.integers(-5, 5))
def test_the_fused_list_holds_every_hit_best_first_ties_by_hash(
    first: list[int], second: list[int], one: int, two: int
) -> None:
    fused = fuse([ranked("a", *first), ranked("b", *second)], {"a": one, "b": two})

    keys = [(-hit.score, tie_key(hit.hit.record_key)) for hit in fused]
    assert keys == sorted(keys)
    assert sorted(hit.hit.score for hit in fused) == sorted([*first, *second])


@given(score_lists, score_lists, st.integers(-5, 5), st.integers(-5, 5))
def test_only_differences_of_shifts_decide_the_order(
    first: list[int], second: list[int], shift: int, both: int
) -> None:
    lists = [ranked("a", *first), ranked("b", *second)]

    one, other = fuse(lists, {"a": 0, "b": shift}), fuse(lists, {"a": both, "b": shift + both})

    assert [hit.hit for hit in one] == [hit.hit for hit in other]


@pytest.mark.parametrize(
    ("bits", "probability"), [(0, 0.5), (1, 2 / 3), (-1, 1 / 3), (10, 1024 / 1025), (-400, 0.0)]
)
def test_a_fused_score_in_bits_is_a_probability(bits: int, probability: float) -> None:
    hit = Hit(record_key="a:1", position=0, score=(bits + 3) * GRID, fired=())

    fused = FusedHit(hit=hit, list_name="a", record_type="census", shift=-3 * GRID)

    assert fused.probability == pytest.approx(probability)


def test_no_lists_fuse_to_nothing() -> None:
    assert fuse([], {}) == ()

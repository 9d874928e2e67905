"""Tests for `forebear.search.fusion.shifted`."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from forebear.search.fusion.shifted import FusedHit, ListMove
from forebear.search.fusion.shifted import fuse as fuse_lists
from forebear.search.model import UNITS_PER_BIT
from forebear.search.record_search.rank import tie_key
from forebear.search.record_search.ranked_list import Hit, RankedList


def fuse(lists: list[RankedList], shifts: dict[str, int]) -> tuple[FusedHit, ...]:
    return fuse_lists(lists, {name: ListMove(shift=shift) for name, shift in shifts.items()})


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
    assert [(hit.list_name, hit.move.shift) for hit in moved[:2]] == [("b", 45), ("a", 0)]


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


def test_no_lists_fuse_to_nothing() -> None:
    assert fuse([], {}) == ()


moves = st.builds(
    ListMove,
    shift=st.integers(-1024, 1024),
    slope=st.integers(1, 1024),
    conditions=st.lists(st.tuples(st.text(max_size=3), st.integers(-64, 64)), max_size=3).map(
        tuple
    ),
)


@given(moves, st.integers(-5000, 5000), st.integers(-5000, 5000))
def test_a_slope_may_level_two_scores_but_never_turns_them_round(
    move: ListMove, one: int, two: int
) -> None:
    low, high = sorted((one, two))

    assert move.moved(low) <= move.moved(high)


@given(moves, st.integers(-5000, 5000))
def test_what_moves_a_score_adds_up_to_its_evidence(move: ListMove, score: int) -> None:
    added = sum(bits for _, bits in move.conditions)

    assert move.moved(score) == score + move.sloped(score) + move.shift + added
    exact = score * move.slope / UNITS_PER_BIT
    assert abs(score + move.sloped(score) - exact) <= 0.5


def test_decay_lowers_the_score_of_a_hit_but_not_its_evidence() -> None:
    hit = Hit(record_key="a:1", position=0, score=128, fired=())
    plain = FusedHit(hit=hit, list_name="a", record_type="a", move=ListMove(shift=-64))

    decayed = replace(plain, decay=96)

    assert (plain.score, decayed.score) == (64, -32)
    assert decayed.evidence == plain.evidence == 64

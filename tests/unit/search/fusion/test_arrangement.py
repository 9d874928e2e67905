"""Tests for `forebear.search.fusion`: arrangement, decay and turns."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.search.fusion.arrangement import BY_SCORE, Arrangement
from forebear.search.fusion.shifted import FusedHit

Scored = Callable[..., tuple[FusedHit, ...]]

scores = st.lists(st.integers(-20, 20), max_size=6)
decays = st.integers(0, 30)


def keys(hits: tuple[FusedHit, ...]) -> list[str]:
    return [hit.hit.record_key for hit in hits]


def greedy(hits: tuple[FusedHit, ...], decay: int) -> list[str]:
    """Take the best record left, each lowered for every one of its type that was taken."""
    left, taken, order = list(hits), Counter[str](), []
    while left:
        best = min(left, key=lambda h: (-h.evidence + decay * taken[h.record_type], h.tie))
        # Inside a type the order stands, ties and all.
        best = next(hit for hit in left if hit.record_type == best.record_type)
        left.remove(best)
        taken[best.record_type] += 1
        order.append(best.hit.record_key)
    return order


def test_decay_brings_other_types_up(fused_of: Scored) -> None:
    fused = fused_of(census=[100, 96, 92], burial=[80])

    assert keys(Arrangement(decay=0).apply(fused))[-1] == "burial:0"
    assert keys(Arrangement(decay=9).apply(fused)) == [
        "census:0",
        "census:1",
        "burial:0",
        "census:2",
    ]
    assert [hit.decay for hit in Arrangement(decay=9).apply(fused)] == [0, 9, 0, 18]


@given(scores, scores, scores, decays)
def test_decay_is_what_a_greedy_choice_would_make(
    fused_of: Scored, one: list[int], two: list[int], three: list[int], decay: int
) -> None:
    fused = fused_of(one=one, two=two, three=three)

    decayed = Arrangement(decay=decay).apply(fused)

    score = {hit.hit.record_key: hit.score for hit in decayed}
    assert [score[key] for key in greedy(fused, decay)] == [hit.score for hit in decayed]
    assert list(score.values()) == sorted(score.values(), reverse=True)


@given(scores, scores, decays, st.sampled_from(["score", "types"]))
def test_every_arrangement_keeps_all_hits_and_the_order_inside_a_type(
    fused_of: Scored, one: list[int], two: list[int], decay: int, order: str
) -> None:
    fused = fused_of(one=one, two=two)

    arranged = Arrangement(order=order, decay=decay).apply(fused)  # type: ignore[arg-type]

    assert sorted(keys(arranged)) == sorted(keys(fused))
    for record_type in ("one", "two"):
        assert [h.hit for h in arranged if h.record_type == record_type] == [
            h.hit for h in fused if h.record_type == record_type
        ]


@given(scores, scores, scores)
def test_types_take_turns_as_long_as_they_have_records(
    fused_of: Scored, one: list[int], two: list[int], three: list[int]
) -> None:
    fused = fused_of(one=one, two=two, three=three)

    turns = Arrangement(order="types").apply(fused)

    seen = Counter[str]()
    for hit in turns:
        fewest = min(seen[t] for t in ("one", "two", "three") if seen[t] < _count(fused, t))
        assert seen[hit.record_type] == fewest
        seen[hit.record_type] += 1


def test_in_a_round_the_best_record_comes_first(fused_of: Scored) -> None:
    fused = fused_of(census=[5, 4], burial=[9, 1], baptism=[7])

    assert keys(Arrangement(order="types").apply(fused)) == [
        *("burial:0", "baptism:0", "census:0"),
        *("census:1", "burial:1"),
    ]


def test_what_was_taken_before_counts(fused_of: Scored) -> None:
    fused = fused_of(census=[50], burial=[40])

    assert keys(Arrangement(decay=8).apply(fused, taken={"census": 2})) == ["burial:0", "census:0"]
    assert keys(Arrangement(order="types").apply(fused, taken={"census": 1})) == [
        "burial:0",
        "census:0",
    ]


def test_by_score_is_the_list_as_it_is_fused(fused_of: Scored) -> None:
    fused = fused_of(census=[5, 4], burial=[9, 1])

    assert BY_SCORE.apply(fused) == fused


@pytest.mark.parametrize("decay", [-1, 16 * 64 + 1])
def test_a_decay_outside_its_range_is_refused(decay: int) -> None:
    with pytest.raises(InputError, match="type decay is"):
        Arrangement(decay=decay)


def _count(fused: tuple[FusedHit, ...], record_type: str) -> int:
    return sum(hit.record_type == record_type for hit in fused)

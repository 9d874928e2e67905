"""Tests for `forebear.search.fusion`: shifts, conditions, decay and turns."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hits import make_list

from forebear.errors import InputError
from forebear.search.fusion import BY_SCORE, Ordering, list_shift, stated_facts
from forebear.search.fusion import fuse as fuse_lists
from forebear.search.hits import Hits, ListShift, tie_key
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.ranked_list import RankedList


def fuse(lists: list[RankedList], shifts: dict[str, int]) -> Hits:
    hits = [ranked.hits for ranked in lists]
    return fuse_lists(hits, {name: ListShift(shift=shift) for name, shift in shifts.items()})


def ranked(name: str, *scores: int, record_type: str = "census") -> RankedList:
    by_key = {f"{name}:{number}": score for number, score in enumerate(scores)}
    return make_list(name, by_key, record_type=record_type)


score_lists = st.lists(st.integers(-5, 5), max_size=5).map(
    lambda scores: sorted(scores, reverse=True)
)


def test_a_shift_moves_a_whole_list() -> None:
    lists = [ranked("a", 100, 50), ranked("b", 90, 10)]

    level = fuse(lists, {"a": 0, "b": 0})
    moved = fuse(lists, {"a": 0, "b": 45})

    assert [hit.record_key for hit in level] == ["a:0", "b:0", "a:1", "b:1"]
    assert [hit.record_key for hit in moved] == ["b:0", "a:0", "b:1", "a:1"]
    assert [hit.fused_score for hit in moved] == [135, 100, 55, 50]
    assert [(hit.list_name, hit.shift.shift) for hit in moved[:2]] == [("b", 45), ("a", 0)]


@given(score_lists, score_lists, st.integers(-5, 5), st.integers(-5, 5))
def test_the_fused_list_holds_every_hit_best_first_ties_by_hash(
    first: list[int], second: list[int], one: int, two: int
) -> None:
    fused = fuse([ranked("a", *first), ranked("b", *second)], {"a": one, "b": two})

    keys = [(-hit.fused_score, tie_key(hit.record_key)) for hit in fused]
    assert keys == sorted(keys)
    assert sorted(fused.score.tolist()) == sorted([*first, *second])


@given(score_lists, score_lists, st.integers(-5, 5), st.integers(-5, 5))
def test_only_differences_of_shifts_decide_the_order(
    first: list[int], second: list[int], shift: int, both: int
) -> None:
    lists = [ranked("a", *first), ranked("b", *second)]

    one, other = fuse(lists, {"a": 0, "b": shift}), fuse(lists, {"a": both, "b": shift + both})

    assert one.record_keys() == other.record_keys()


def test_no_lists_fuse_to_nothing() -> None:
    assert list(fuse([], {})) == []


shifts = st.builds(
    ListShift,
    shift=st.integers(-1024, 1024),
    slope=st.integers(1, 1024),
    conditions=st.lists(st.tuples(st.text(max_size=3), st.integers(-64, 64)), max_size=3).map(
        tuple
    ),
)


@given(shifts, st.integers(-5000, 5000), st.integers(-5000, 5000))
def test_a_slope_may_level_two_scores_but_never_turns_them_round(
    shift: ListShift, one: int, two: int
) -> None:
    low, high = sorted((one, two))

    assert shift.evidence(low) <= shift.evidence(high)


@given(shifts, st.integers(-5000, 5000))
def test_what_moves_a_score_adds_up_to_its_evidence(shift: ListShift, score: int) -> None:
    added = sum(bits for _, bits in shift.conditions)

    assert shift.evidence(score) == score + shift.slope_bits(score) + shift.shift + added
    exact = score * shift.slope / UNITS_PER_BIT
    assert abs(score + shift.slope_bits(score) - exact) <= 0.5


def test_decay_lowers_the_score_of_a_hit_but_not_its_evidence() -> None:
    plain = fuse([ranked("a", 128)], {"a": -64})[0]

    decayed = replace(plain, decay=96)

    assert (plain.fused_score, decayed.fused_score) == (64, -32)
    assert decayed.evidence == plain.evidence == 64


def test_the_facts_of_a_query_are_named() -> None:
    query = query_from_json(
        {
            "names": [
                {"given": "Mary", "surname": "Brown"},
                {"surname": "Green", "kind": "married"},
            ],
            "sex": "female",
            "events": [
                {"kind": "birth", "date": "1851", "place": "Layham"},
                {"kind": "death", "date": "1911"},
                {"kind": "residence", "place": "Hadleigh"},
            ],
            "relatives": [{"kind": "spouse", "given": "Thomas"}],
            "age": {"at": "1881", "years": 30},
        }
    )

    assert stated_facts(query) == {
        *("given", "surname", "married_surname", "sex", "age", "spouse"),
        *("birth.year", "birth.place", "death.year", "residence.place"),
    }


def test_a_query_has_no_facts_but_those_given() -> None:
    assert stated_facts(query_from_json({"surname": "Brown"})) == {"surname"}


def test_a_list_is_moved_by_the_facts_that_the_query_has() -> None:
    model = Model(
        name="m",
        weights={},
        shifts={"marriage": -640},
        slopes={"marriage": 80},
        conditions={"marriage": {"spouse": 96, "surname": -32, "father": 64}},
    )

    move = list_shift(model, "weddings of Kent", "marriage", {"spouse", "surname", "given"})

    assert (move.shift, move.slope) == (-640, 80)
    assert move.conditions == (("spouse", 96), ("surname", -32))
    assert move.evidence(64) == 80 - 640 + 96 - 32


def test_what_stands_under_the_list_s_own_name_goes_before_its_type_s() -> None:
    model = Model(
        name="m",
        weights={},
        shifts={"census": 1, "census of 1881": 2},
        slopes={"census": 65, "census of 1881": 66},
        conditions={"census": {"given": 3}, "census of 1881": {"given": 4}},
    )

    own = list_shift(model, "census of 1881", "census", {"given"})
    other = list_shift(model, "census of 1891", "census", {"given"})
    unknown = list_shift(model, "burial", "burial", {"given"})

    assert (own.shift, own.slope, own.conditions) == (2, 66, (("given", 4),))
    assert (other.shift, other.slope, other.conditions) == (1, 65, (("given", 3),))
    assert (unknown.shift, unknown.slope, unknown.conditions) == (0, UNITS_PER_BIT, ())


def fused_of(**scores: list[int]) -> Hits:
    """Return lists as one: the scores of each record type, by its name."""
    lists = [
        ranked(name, *sorted(values, reverse=True), record_type=name)
        for name, values in scores.items()
    ]
    return fuse(lists, dict.fromkeys(scores, 0))


scores = st.lists(st.integers(-20, 20), max_size=6)
decays = st.integers(0, 30)


def keys(hits: Hits) -> list[str]:
    return [hit.record_key for hit in hits]


def greedy(hits: Hits, decay: int) -> list[str]:
    """Take the best record left, each lowered for every one of its type that was taken."""
    left, taken, order = list(hits), Counter[str](), []
    while left:
        best = min(left, key=lambda h: (-h.evidence + decay * taken[h.record_type], h.tie))
        # Inside a type the order remains, ties and all.
        best = next(hit for hit in left if hit.record_type == best.record_type)
        left.remove(best)
        taken[best.record_type] += 1
        order.append(best.record_key)
    return order


def test_decay_brings_other_types_up() -> None:
    fused = fused_of(census=[100, 96, 92], burial=[80])

    assert keys(Ordering(decay=0).apply(fused))[-1] == "burial:0"
    assert keys(Ordering(decay=9).apply(fused)) == [
        "census:0",
        "census:1",
        "burial:0",
        "census:2",
    ]
    assert [hit.decay for hit in Ordering(decay=9).apply(fused)] == [0, 9, 0, 18]


@given(scores, scores, scores, decays)
def test_decay_is_what_a_greedy_choice_would_make(
    one: list[int], two: list[int], three: list[int], decay: int
) -> None:
    fused = fused_of(one=one, two=two, three=three)

    decayed = Ordering(decay=decay).apply(fused)

    score = {hit.record_key: hit.fused_score for hit in decayed}
    fused_scores = [hit.fused_score for hit in decayed]
    assert [score[key] for key in greedy(fused, decay)] == fused_scores
    assert list(score.values()) == sorted(score.values(), reverse=True)


@given(scores, scores, decays, st.sampled_from(["score", "types"]))
def test_every_ordering_keeps_all_hits_and_the_order_inside_a_type(
    one: list[int], two: list[int], decay: int, order: str
) -> None:
    fused = fused_of(one=one, two=two)

    ordered = Ordering(order=order, decay=decay).apply(fused)  # type: ignore[arg-type]

    assert sorted(keys(ordered)) == sorted(keys(fused))
    for record_type in ("one", "two"):
        of_type = [hit.record_key for hit in fused if hit.record_type == record_type]
        assert [h.record_key for h in ordered if h.record_type == record_type] == of_type


@given(scores, scores, scores)
def test_types_take_turns_as_long_as_they_have_records(
    one: list[int], two: list[int], three: list[int]
) -> None:
    fused = fused_of(one=one, two=two, three=three)

    turns = Ordering(order="types").apply(fused)

    seen = Counter[str]()
    for hit in turns:
        fewest = min(seen[t] for t in ("one", "two", "three") if seen[t] < _count(fused, t))
        assert seen[hit.record_type] == fewest
        seen[hit.record_type] += 1


def test_in_a_round_the_best_record_comes_first() -> None:
    fused = fused_of(census=[5, 4], burial=[9, 1], baptism=[7])

    assert keys(Ordering(order="types").apply(fused)) == [
        *("burial:0", "baptism:0", "census:0"),
        *("census:1", "burial:1"),
    ]


def test_what_was_taken_before_counts() -> None:
    fused = fused_of(census=[50], burial=[40])

    assert keys(Ordering(decay=8).apply(fused, taken={"census": 2})) == ["burial:0", "census:0"]
    assert keys(Ordering(order="types").apply(fused, taken={"census": 1})) == [
        "burial:0",
        "census:0",
    ]


def test_by_score_is_the_list_as_it_is_fused() -> None:
    fused = fused_of(census=[5, 4], burial=[9, 1])

    assert BY_SCORE.apply(fused) == fused


@pytest.mark.parametrize("decay", [-1, 16 * 64 + 1])
def test_a_decay_outside_its_range_is_refused(decay: int) -> None:
    with pytest.raises(InputError, match="type decay is"):
        Ordering(decay=decay)


def _count(fused: Hits, record_type: str) -> int:
    return sum(hit.record_type == record_type for hit in fused)

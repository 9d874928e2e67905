"""Tests for `forebear.search.record_search.ranked_list`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.search.hits import tie_key
from forebear.search.record_search.ranked_list import narrow, rank_records

people = st.frozensets(st.integers(0, 12))


def test_a_gate_within_the_limit_is_the_union_of_its_branches() -> None:
    assert narrow([{1, 2}, {2, 3}], [{1}], limit=3) == ({1, 2, 3}, 0)


@pytest.mark.parametrize(
    ("limit", "candidates", "steps"),
    [(5, {1, 2, 3, 4, 5}, 0), (4, {1, 2, 3}, 1), (2, {1, 2}, 2), (1, {1}, 3), (0, {1}, 4)],
)
def test_the_last_branches_are_given_up_first_and_then_refinements_are_added(
    limit: int, candidates: set[int], steps: int
) -> None:
    branches = [{1, 2}, {2, 3}, {4, 5}]
    refinements = [{7, 8}, {1, 9}, {1, 2}]  # the first would leave nobody

    assert narrow(branches, refinements, limit=limit) == (candidates, steps)


def test_branches_are_not_given_up_for_nobody() -> None:
    """The surname was read wrongly everywhere, so only the wide branches know the person."""
    assert narrow([set(), set(), {1, 2, 3}], [{1, 2}, {2}], limit=1) == ({2}, 2)


@given(st.lists(people, min_size=1, max_size=4), st.lists(people, max_size=3), st.integers(0, 13))
def test_narrowing_never_adds_and_never_leaves_nobody(
    branches: list[frozenset[int]], refinements: list[frozenset[int]], limit: int
) -> None:
    everyone = frozenset().union(*branches)

    candidates, steps = narrow(branches, refinements, limit=limit)

    assert candidates <= everyone
    assert (candidates == everyone) or steps
    assert bool(candidates) == bool(everyone)
    assert steps == 0 or len(everyone) > limit


# Few scores and records, so that records tie and have several personas.
personas = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from("abcde"), st.integers(0, 3)),
    min_size=1,
    max_size=25,
    unique_by=lambda persona: persona[1:],
)


def ranked(scored: list[tuple[int, str, int]], top: int) -> list[tuple[int, str, int]]:
    scores, keys, positions = zip(*scored, strict=True)
    best = rank_records(
        np.array(scores, np.int64),
        np.array([tie_key(key) for key in keys], np.int64),
        np.array(positions, np.int64),
        top=top,
    )
    return [scored[number] for number in best]


@given(personas, st.integers(1, 6))
def test_each_record_stands_once_under_its_best_and_then_first_persona(
    scored: list[tuple[int, str, int]], top: int
) -> None:
    best: dict[str, tuple[int, str, int]] = {}
    for score, key, position in sorted(scored, key=lambda persona: persona[2]):
        if key not in best or score > best[key][0]:
            best[key] = (score, key, position)
    expected = sorted(best.values(), key=lambda persona: (-persona[0], tie_key(persona[1])))

    assert ranked(scored, top) == expected[:top]


def test_a_record_is_counted_once_before_the_cut() -> None:
    """Two personas of one record must not push another record out of the top two."""
    scored = [(9, "a", 0), (8, "a", 1), (7, "b", 0), (6, "c", 0)]

    assert ranked(scored, 2) == [(9, "a", 0), (7, "b", 0)]


def test_ties_are_broken_by_a_hash_and_not_by_the_alphabet() -> None:
    keys = [f"{letter}:1" for letter in "abcdefgh"]

    order = [key for _, key, _ in ranked([(5, key, 0) for key in keys], 8)]

    assert order == sorted(keys, key=tie_key)
    assert order != keys


def test_nobody_ranks_to_nobody() -> None:
    empty = np.array([], np.int64)

    assert rank_records(empty, empty, empty, top=10).size == 0


def test_a_tie_key_never_changes_and_fits_a_signed_column() -> None:
    assert tie_key("census:1") == 4407369938852995894
    assert all(0 <= tie_key(f"census:{number}") < 2**63 for number in range(200))

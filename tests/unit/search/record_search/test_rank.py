"""Tests for `forebear.search.record_search.rank`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forebear.search.hits import tie_key
from forebear.search.record_search.rank import rank_records

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

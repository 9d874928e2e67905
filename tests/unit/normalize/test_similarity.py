"""Tests for `forebear.normalize.similarity` and `forebear.normalize.neighbors`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.neighbors import Neighborhood
from forebear.normalize.similarity import jaro, jaro_winkler, osa_distance

words = st.text("apqz", max_size=7)  # the first letter, the last, and both of the middle


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("martha", "marhta", 0.9611),
        ("dwayne", "duane", 0.84),
        ("dixon", "dicksonx", 0.8133),
        ("abc", "xyz", 0.0),
        ("", "", 1.0),
        ("a", "", 0.0),
    ],
)
def test_jaro_winkler_agrees_with_winklers_examples(
    first: str, second: str, expected: float
) -> None:
    assert jaro_winkler(first, second) == pytest.approx(expected, abs=5e-5)


@given(words, words)
def test_similarity_lies_between_zero_and_one_and_the_bonus_never_lowers_it(a: str, b: str) -> None:
    assert 0.0 <= jaro(a, b) <= jaro_winkler(a, b) <= 1.0
    assert (jaro(a, b) == 1.0) == (a == b)


@pytest.mark.parametrize(
    ("first", "second", "edits"),
    [("smith", "smiht", 1), ("ca", "abc", 3), ("knight", "night", 1), ("", "abc", 3)],
)
def test_alignment_counts_an_exchange_once_and_edits_no_part_twice(
    first: str, second: str, edits: int
) -> None:
    assert osa_distance(first, second) == edits


@given(words, words)
def test_alignment_is_symmetric_and_zero_only_for_equal_words(a: str, b: str) -> None:
    assert osa_distance(a, b) == osa_distance(b, a)
    assert (osa_distance(a, b) == 0) == (a == b)


@given(words, words, st.integers(0, 3))
def test_a_limit_only_cuts_the_count_off(a: str, b: str, limit: int) -> None:
    assert osa_distance(a, b, limit=limit) == min(osa_distance(a, b), limit + 1)


@given(st.lists(words, unique=True, max_size=20), words, st.integers(0, 2))
def test_neighbors_are_those_that_a_plain_scan_finds(
    names: list[str], name: str, edits: int
) -> None:
    neighbors = Neighborhood(names).neighbors(name, edits=edits)

    assert set(neighbors) == {other for other in names if osa_distance(name, other) <= edits}
    assert [osa_distance(name, other) for other in neighbors] == sorted(
        osa_distance(name, other) for other in neighbors
    )


@given(st.lists(words, unique=True), words, st.sampled_from([0.8, 0.9, 0.95]))
def test_names_alike_are_those_that_a_plain_scan_finds(
    names: list[str], name: str, least: float
) -> None:
    similar = Neighborhood(names).alike(name, least=least)

    expected = {other for other in names if jaro_winkler(name, other) >= least - 1e-12}
    assert set(similar) == (expected if name else set())
    values = [jaro_winkler(name, other) for other in similar]
    assert values == pytest.approx(sorted(values, reverse=True))

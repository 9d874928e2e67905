"""Tests for `forebear.kernels.nce`: one step a record against the readable entropy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.kernels.nce import (
    count_types,
    entropies_by_query,
    ideal_entropies,
    supplied_entropies,
)
from forebear_lab.evaluation.measures.entropy import (
    cumulative_entropy,
    entropy_of_list,
    ideal_cumulative_entropy,
    supplied_cumulative_entropy,
)

lists_of_types = st.lists(st.lists(st.integers(0, 3), max_size=12), min_size=1, max_size=4)


def flat(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    types = np.array([name for one in lists for name in one], np.int64)
    return types, np.cumsum([0, *map(len, lists)])


@given(lists_of_types, st.integers(1, 15))
@settings(deadline=None)
def test_both_entropies_are_the_readable_ones(lists: list[list[int]], cutoff: int) -> None:
    cumulative, final = entropies_by_query(*flat(lists), 4, cutoff)

    expected = [cumulative_entropy(one, cutoff=cutoff) for one in lists]
    np.testing.assert_allclose(cumulative, expected, atol=1e-12)
    expected = [entropy_of_list(one, cutoff=cutoff) for one in lists]
    np.testing.assert_allclose(final, expected, atol=1e-12)


@pytest.mark.parametrize("type_count", [1, 3, 8, 20])
def test_the_ideal_of_every_length_is_the_readable_one(type_count: int) -> None:
    expected = [ideal_cumulative_entropy(n, type_count=type_count) for n in range(101)]

    np.testing.assert_allclose(ideal_entropies(type_count, 100), expected, atol=1e-10)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.integers(0, 30))
@settings(deadline=None)
def test_the_supplied_ideal_is_the_readable_one(supply: list[int], length: int) -> None:
    length = min(length, sum(supply))

    (ideal,) = supplied_entropies(np.array([supply]), np.array([length]))

    assert ideal == pytest.approx(supplied_cumulative_entropy(length, supply=supply))


def test_the_types_of_each_list_are_counted() -> None:
    assert count_types(*flat([[0, 2, 2], [], [1]]), 3).tolist() == [[1, 0, 2], [0, 0, 0], [0, 1, 0]]

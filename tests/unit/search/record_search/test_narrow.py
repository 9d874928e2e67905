"""Tests for `forebear.search.record_search.narrow`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.search.record_search.narrow import narrow

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

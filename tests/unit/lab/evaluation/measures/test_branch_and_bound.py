"""Claims 1 and 2 of "Ranking in Genealogy", and its worked example."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear_lab.evaluation.measures.branch_and_bound import (
    relaxed_entropy,
    search_greatest_entropy,
)
from forebear_lab.evaluation.measures.entropy import entropy
from forebear_lab.evaluation.measures.ideal_entropy import greatest_entropy

lengths = st.integers(1, 10)
type_counts = st.integers(1, 5)


def allocations(length: int, type_count: int) -> Iterator[tuple[int, ...]]:
    if type_count == 1:
        yield (length,)
        return
    for first in range(length + 1):
        for rest in allocations(length - first, type_count - 1):
            yield (first, *rest)


def test_five_records_of_three_types_are_searched_as_the_paper_does() -> None:
    search = search_greatest_entropy(5, type_count=3)

    visited = [1.585, 1, 0, 0.722, 0.971, 1.522, 1.571, 1.371, 0.922]
    assert search.visits == pytest.approx(visited, abs=5e-4)
    assert sorted(search.counts) == [1, 2, 2]
    assert search.entropy == pytest.approx(1.5219, abs=5e-5)


@given(lengths, type_counts)
@settings(deadline=None)
def test_claim_1_the_even_allocation_is_the_best(length: int, type_count: int) -> None:
    best = max(entropy(counts) for counts in allocations(length, type_count))

    assert greatest_entropy(length, type_count=type_count) == pytest.approx(best)


@given(lengths, type_counts)
@settings(deadline=None)
def test_branch_and_bound_finds_what_claim_1_says(length: int, type_count: int) -> None:
    search = search_greatest_entropy(length, type_count=type_count)

    assert search.entropy == pytest.approx(greatest_entropy(length, type_count=type_count))
    assert entropy(search.counts) == pytest.approx(search.entropy)
    assert max(search.counts) - min(search.counts) <= 1


@given(lengths, type_counts, st.data())
@settings(deadline=None)
def test_claim_2_a_relaxation_is_at_least_as_good_as_anything_below_it(
    length: int, type_count: int, data: st.DataObject
) -> None:
    counts = data.draw(st.sampled_from(list(allocations(length, type_count))))
    fixed = counts[: data.draw(st.integers(0, type_count - 1))]

    relaxed = relaxed_entropy(fixed, length=length, type_count=type_count)

    assert relaxed >= entropy(counts) - 1e-12
    assert relaxed <= math.log2(type_count) + 1e-12

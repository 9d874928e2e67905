"""Tests for `forebear_lab.kernels.ranking`, against sorting by key and the scalar measures."""

from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.kernels.ndcg import summed_discounts
from forebear_lab.evaluation.measures.ndcg import dcg, ideal_dcg
from forebear_lab.evaluation.measures.relevance import average_precision, reciprocal_rank
from forebear_lab.kernels.ranking import (
    discounted_gains,
    first_ranks,
    ideal_gains,
    ranked_rows,
    summed_precisions,
    tie_bounds,
)

rows = st.tuples(st.sampled_from([0.0, 1.0, 2.5]), st.integers(0, 2), st.sampled_from("abcdef"))
queries = st.lists(st.lists(rows, max_size=9), max_size=4)


@pytest.mark.parametrize("by_grade", [False, True])
@pytest.mark.parametrize("by_name", [False, True])
@given(lists=queries)
@settings(deadline=None, max_examples=40)
def test_rows_are_in_the_order_of_sorting(
    by_grade: bool, by_name: bool, lists: list[list[tuple[float, int, str]]]
) -> None:
    flat = [row for one in lists for row in one]
    offsets = np.cumsum([0, *map(len, lists)])
    data = np.frombuffer("".join(name for *_, name in flat).encode() or b" ", np.uint8)
    places = np.arange(len(flat))

    order = ranked_rows(
        np.array([score for score, *_ in flat]),
        np.array([grade for _, grade, _ in flat], np.int64),
        data,
        np.stack((places, places + 1), axis=1),
        offsets,
        by_grade,
        by_name,
    )

    def key(row: int) -> tuple[float, int, int]:
        score, grade, name = flat[row]
        return -score, grade if by_grade else 0, -ord(name) if by_name else 0

    expected = [
        row for first, last in pairwise(offsets) for row in sorted(range(first, last), key=key)
    ]
    assert order.tolist() == expected


@given(lists=st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0]), max_size=8), max_size=4))
@settings(deadline=None)
def test_a_tied_row_shares_the_places_of_its_group(lists: list[list[float]]) -> None:
    falling = [sorted(one, reverse=True) for one in lists]
    offsets = np.cumsum([0, *map(len, falling)])

    begins, ends = tie_bounds(np.array([s for one in falling for s in one], float), offsets)

    expected = []
    for one in falling:
        start = 0
        for _, group in groupby(one):
            size = len(list(group))
            expected += [(start, start + size)] * size
            start += size
    assert list(zip(begins.tolist(), ends.tolist(), strict=True)) == expected


tied_groups = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), max_size=4)
graded_queries = st.lists(tied_groups, min_size=1, max_size=4)
cutoffs = st.integers(1, 12)


class Lists:
    """Graded lists with groups of equal scores, as the loops take them."""

    def __init__(self, groups: list[list[list[int]]]) -> None:
        self.lists = [[gain for group in one for gain in group] for one in groups]
        self.tied = [[len(group) for group in one] for one in groups]
        self.offsets = np.cumsum([0, *map(len, self.lists)])
        self.gains = np.array([gain for one in self.lists for gain in one], float)
        sizes = np.array([size for one in self.tied for size in one], np.int64)
        starts = [np.cumsum([0, *one])[:-1] for one in self.tied]
        self.begins = np.repeat(np.concatenate(starts), sizes).astype(np.int64)
        self.ends = self.begins + np.repeat(sizes, sizes)


@given(graded_queries, cutoffs)
@settings(deadline=None)
def test_tied_gains_are_discounted_in_the_mean(groups: list[list[list[int]]], cutoff: int) -> None:
    data = Lists(groups)
    discounts = summed_discounts(cutoff, cutoff=cutoff)

    sums = discounted_gains(data.gains, data.begins, data.ends, data.offsets, discounts)

    pairs = zip(data.lists, data.tied, strict=True)
    expected = [dcg(gains, cutoff=cutoff, tied=tied) for gains, tied in pairs]
    np.testing.assert_allclose(sums, expected, atol=1e-12)


@given(graded_queries, cutoffs)
@settings(deadline=None)
def test_the_best_order_earns_the_ideal(groups: list[list[list[int]]], cutoff: int) -> None:
    data = Lists(groups)

    sums = ideal_gains(data.gains, data.offsets, summed_discounts(cutoff, cutoff=cutoff))

    expected = [ideal_dcg(gains, cutoff=cutoff) for gains in data.lists]
    np.testing.assert_allclose(sums, expected, atol=1e-12)


@given(graded_queries, cutoffs)
@settings(deadline=None)
def test_ranks_and_precisions_are_those_of_the_scalar_measures(
    groups: list[list[list[int]]], cutoff: int
) -> None:
    data = Lists(groups)
    relevant = data.gains > 0

    ranks = first_ranks(relevant, data.offsets)
    sums = summed_precisions(relevant, data.offsets, cutoff)

    assert [1 / rank if rank else 0.0 for rank in ranks.tolist()] == [
        reciprocal_rank(gains) for gains in data.lists
    ]
    expected = [
        average_precision(gains, cutoff=cutoff) * sum(gain > 0 for gain in gains)
        for gains in data.lists
    ]
    np.testing.assert_allclose(sums, expected, atol=1e-12)

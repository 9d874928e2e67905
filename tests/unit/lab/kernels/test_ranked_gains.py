"""Tests for `forebear_lab.kernels.ranked_gains`, against the readable measures."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.kernels.ndcg import summed_discounts
from forebear_lab.evaluation.measures.dcg import dcg, ideal_dcg
from forebear_lab.evaluation.measures.relevance import average_precision, reciprocal_rank
from forebear_lab.kernels.ranking import (
    discounted_gains,
    first_ranks,
    ideal_gains,
    summed_precisions,
)

tied_groups = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), max_size=4)
queries = st.lists(tied_groups, min_size=1, max_size=4)
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


@given(queries, cutoffs)
@settings(deadline=None)
def test_tied_gains_are_discounted_in_the_mean(groups: list[list[list[int]]], cutoff: int) -> None:
    data = Lists(groups)
    discounts = summed_discounts(cutoff, cutoff=cutoff)

    sums = discounted_gains(data.gains, data.begins, data.ends, data.offsets, discounts)

    pairs = zip(data.lists, data.tied, strict=True)
    expected = [dcg(gains, cutoff=cutoff, tied=tied) for gains, tied in pairs]
    np.testing.assert_allclose(sums, expected, atol=1e-12)


@given(queries, cutoffs)
@settings(deadline=None)
def test_the_best_order_earns_the_ideal(groups: list[list[list[int]]], cutoff: int) -> None:
    data = Lists(groups)

    sums = ideal_gains(data.gains, data.offsets, summed_discounts(cutoff, cutoff=cutoff))

    expected = [ideal_dcg(gains, cutoff=cutoff) for gains in data.lists]
    np.testing.assert_allclose(sums, expected, atol=1e-12)


@given(queries, cutoffs)
@settings(deadline=None)
def test_ranks_and_precisions_are_those_of_the_readable_measures(
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

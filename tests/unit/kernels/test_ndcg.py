"""Tests for `forebear.kernels.ndcg`: the compiled loops against the readable reference."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from forebear.kernels.ndcg import (
    ideal_dcgs,
    ndcg_by_query,
    ndcg_sums_after_steps,
    summed_discounts,
    summed_weights,
)
from forebear_lab.evaluation.measures.dcg import ideal_dcg
from forebear_lab.evaluation.measures.ndcg import expected_ndcg

seeds = st.integers(0, 2**32 - 1)
cutoffs = st.integers(1, 12)


class Data:
    """Random queries of up to 12 records; few distinct scores, so that ties are common."""

    def __init__(self, seed: int, cutoff: int) -> None:
        random = np.random.default_rng(seed)
        sizes = random.integers(0, 13, size=8)
        self.offsets = np.concatenate(([0], np.cumsum(sizes)))
        count = int(self.offsets[-1])
        self.scores = random.integers(-3, 4, size=count) / 4
        self.gains = random.choice([0.0, 0.0, 0.0, 1.0, 2.0], size=count)
        self.fires = random.random(count) < random.random()
        self.cutoff = cutoff
        self.discounts = summed_discounts(12, cutoff=cutoff)
        self.ideals = ideal_dcgs(self.gains, self.offsets, self.discounts)

    def reference(self, scores: NDArray[np.float64]) -> list[float]:
        """Return each query's NDCG as the readable function has it."""
        bounds = zip(self.offsets[:-1], self.offsets[1:], strict=True)
        return [
            expected_ndcg(scores[a:b].tolist(), self.gains[a:b].tolist(), cutoff=self.cutoff)
            for a, b in bounds
        ]

    def by_query(self) -> NDArray[np.float64]:
        return ndcg_by_query(self.scores, self.gains, self.offsets, self.ideals, self.discounts)


@given(seeds, cutoffs)
@settings(deadline=None)
def test_each_query_has_the_value_of_the_reference(seed: int, cutoff: int) -> None:
    data = Data(seed, cutoff)

    np.testing.assert_allclose(data.by_query(), data.reference(data.scores), atol=1e-12)


@given(seeds, cutoffs)
@settings(deadline=None)
def test_each_query_has_the_ideal_of_the_reference(seed: int, cutoff: int) -> None:
    data = Data(seed, cutoff)

    expected = [
        ideal_dcg(part.tolist(), cutoff=cutoff) for part in np.split(data.gains, data.offsets[1:-1])
    ]
    np.testing.assert_allclose(data.ideals, expected, atol=1e-12)


@given(seeds, cutoffs)
@settings(deadline=None)
def test_each_step_has_the_sum_of_the_reference(seed: int, cutoff: int) -> None:
    data = Data(seed, cutoff)
    steps = np.array([-1.5, -0.25, 0.0, 0.1, 0.25, 7.0])

    sums = ndcg_sums_after_steps(
        data.scores,
        data.fires,
        data.gains,
        data.offsets,
        data.ideals,
        data.discounts,
        data.by_query(),
        steps,
    )

    expected = [sum(data.reference(data.scores + data.fires * step)) for step in steps]
    np.testing.assert_allclose(sums, expected, atol=1e-10)


@given(seeds)
@settings(deadline=None)
def test_scores_are_the_sums_of_weights(seed: int) -> None:
    random = np.random.default_rng(seed)
    features, weights = random.random((9, 5)) < 0.5, random.integers(-64, 64, size=5) / 64

    scores = summed_weights(np.ascontiguousarray(features.T), weights)

    assert scores.tolist() == (features @ weights).tolist()


def test_ranks_beyond_the_cutoff_add_no_discount() -> None:
    sums = summed_discounts(4, cutoff=2)

    np.testing.assert_allclose(sums, [0, 1, 1 + 1 / np.log2(3)] + [1 + 1 / np.log2(3)] * 2)

"""Tests for `forebear.kernels.fused_ndcg`: ranks by binary search against ranks by sorting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from forebear.evaluation.measures.ndcg import expected_ndcg
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores

NAMES = ("baptism", "burial", "census")


def random_lists(random: np.random.Generator, *, grid: int | None) -> FusionDataset:
    def one_list() -> tuple[ArrayLike, ArrayLike]:
        size = random.integers(0, 9)
        scores = random.normal(0, 2, size)
        if grid:
            scores = np.round(scores * grid) / grid
        return scores, random.choice([0, 0, 0, 1, 2], size=size)

    return FusionDataset.from_lists(
        NAMES, [(f"q{number}", {name: one_list() for name in NAMES}) for number in range(6)]
    )


@given(st.integers(0, 2**32 - 1), st.integers(1, 20), st.sampled_from([None, 1, 64]))
@settings(deadline=None)
def test_the_fused_value_is_that_of_the_sorted_union(
    seed: int, cutoff: int, grid: int | None
) -> None:
    random = np.random.default_rng(seed)
    dataset = random_lists(random, grid=grid)
    shifts = random.normal(0, 1, 3) if grid is None else random.integers(-3, 4, 3) / grid

    values = FusedScores(dataset, cutoff=cutoff).by_query(shifts)

    lists = np.repeat(np.arange(18) % 3, np.diff(dataset.offsets))
    fused = dataset.scores + shifts[lists]
    bounds = dataset.offsets[3:-1:3]
    parts = zip(np.split(fused, bounds), np.split(dataset.labels, bounds), strict=True)
    expected = [
        expected_ndcg(scores.tolist(), labels.tolist(), cutoff=cutoff) for scores, labels in parts
    ]
    np.testing.assert_allclose(values, expected, atol=1e-12)
